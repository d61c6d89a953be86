// Decides whether this host listens on an address. Such an address is refused even if the operator allows it, so that a
// server cannot be made to call itself.

import { networkInterfaces } from "node:os";
import { type IpAddress, readAddress, translateAddress } from "./read-address.js";

/** An address on which a host listens, as its socket reports it. */
export interface ListenAddress {
  /** `0.0.0.0` and `::` mean all addresses of this machine. */
  readonly host: string;
  readonly port: number;
}

/** Returns a check whether a dial of `address` and `port` would reach this host; it calls `listening` each time. */
export function createIsOwnAddress(
  listening: () => readonly ListenAddress[],
): (address: string, port: number) => boolean {
  return (text, port) => {
    const hosts = listening().filter((own) => own.port === port);
    const address = hosts.length === 0 ? undefined : readAddress(text);
    if (address === undefined) return false;
    // Translated by NAT64, a packet would come back to this machine.
    const translated = translateAddress(address);
    return hosts.some(({ host }) => isReachedBy(translated, readAddress(host)));
  };
}

/**
 * Whether a dial reaches a listening host. A host that is a name (undefined) counts as all addresses of this machine.
 */
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
