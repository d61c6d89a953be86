// Decides whether an address is one on which this host listens, so that a server cannot be made to call itself, whatever
// addresses the operator allows.

import { networkInterfaces } from "node:os";
import { type IpAddress, readAddress } from "./read-address.js";

/** An address on which a host listens, as its socket reports it. */
export interface ListenAddress {
  /** An address; `0.0.0.0` and `::` are all addresses of this machine. */
  readonly host: string;
  readonly port: number;
}

/** Whether a dial of `address` and `port` would reach one of these; they are read at each call. */
export function createIsOwn(listening: () => readonly ListenAddress[]): (address: string, port: number) => boolean {
  return (text, port) => {
    const hosts = listening().filter((own) => own.port === port);
    const address = hosts.length === 0 ? undefined : readAddress(text);
    return address !== undefined && hosts.some(({ host }) => isReachedBy(address, readAddress(host)));
  };
}

/** A host that is no address can be any address of this machine. */
function isReachedBy(dialled: IpAddress, host: IpAddress | undefined): boolean {
  // The system connects to this machine when an unspecified address is dialled.
  if (dialled.range() === "unspecified") return true;
  if (host === undefined || host.range() === "unspecified") return isOfThisMachine(dialled);
  return host.toString() === dialled.toString();
}

function isOfThisMachine(address: IpAddress): boolean {
  if (address.range() === "loopback") return true;
  const own = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return own.some((one) => readAddress(one.address)?.toString() === address.toString());
}
