// Tells whether a place is where this host itself listens, so that a server is never talked into calling itself, whatever
// the operator allows on top.

import { networkInterfaces } from "node:os";
import { type IpAddress, readAddress } from "./read-address.js";

/** Where a host listens, as its socket tells it. */
export interface ListenAddress {
  /** An address; `0.0.0.0` and `::` are all of this machine's. */
  readonly host: string;
  readonly port: number;
}

/** Whether a dial of `address` and `port` would come in at one of these; they are asked for each time. */
export function createIsOwn(listening: () => readonly ListenAddress[]): (address: string, port: number) => boolean {
  return (text, port) => {
    const hosts = listening().filter((own) => own.port === port);
    const address = hosts.length === 0 ? undefined : readAddress(text);
    return address !== undefined && hosts.some(({ host }) => isReachedBy(address, readAddress(host)));
  };
}

/** A host that is no address can be any of this machine's. */
function isReachedBy(dialled: IpAddress, host: IpAddress | undefined): boolean {
  // The system takes the address of nowhere for the one of here.
  if (dialled.range() === "unspecified") return true;
  if (host === undefined || host.range() === "unspecified") return isOfThisMachine(dialled);
  return host.toString() === dialled.toString();
}

function isOfThisMachine(address: IpAddress): boolean {
  if (address.range() === "loopback") return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some((one) => readAddress(one.address)?.toString() === address.toString());
}
