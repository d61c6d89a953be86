// The addresses that the plain adapter reaches: one that is not public only if it is allowed. A short list, for the suite's own
// receivers; the real one is in packages/undici.

import { BlockList, isIP } from "node:net";

const PRIVATE = ["0.0.0.0/8", "10.0.0.0/8", "100.64.0.0/10", "127.0.0.0/8", "169.254.0.0/16", "172.16.0.0/12"];
const ALSO_PRIVATE = ["192.168.0.0/16", "224.0.0.0/3"];

/** Decides if an address may be reached, with these ranges allowed in addition to the public ones. */
export function createMayReach(allow: readonly string[]): (address: string) => boolean {
  const allowed = listOf(allow);
  const refused = listOf([...PRIVATE, ...ALSO_PRIVATE]);
  const global = listOf(["2000::/3"]);
  return (address) => {
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (allowed.check(address, family)) return family === "ipv4" || !address.startsWith("::ffff:");
    return family === "ipv6" ? global.check(address, family) : !refused.check(address, family);
  };
}

/**
 * The addresses of a name that may be dialled. One that may not forbids the name, unless another is allowed in addition to the
 * public ones.
 */
export function createChoose(allow: readonly string[]): (addresses: readonly string[]) => readonly string[] {
  const mayReach = createMayReach(allow);
  const isPublic = createMayReach([]);
  return (addresses) => {
    const reachable = addresses.filter(mayReach);
    return reachable.length === addresses.length || !reachable.every(isPublic) ? reachable : [];
  };
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const isSix = address.includes(":");
    list.addSubnet(address, bits === undefined ? (isSix ? 128 : 32) : Number(bits), isSix ? "ipv6" : "ipv4");
  }
  return list;
}
