// Decides which addresses may be reached: the public ones, and those of the allowed ranges; and which of a name are dialled.

import { BlockList, isIP } from "node:net";

const NOT_PUBLIC = [
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(" "),
  ..."192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split(" "),
];
/** Of IPv6 only global unicast is public, without tunnels to IPv4 and without what is reserved for documents. */
const PUBLIC_6 = ["2000::/3"];
const NOT_PUBLIC_6 = ["2001::/23", "2001:db8::/32", "2002::/16", "3fff::/20"];

export function createIsAllowed(allow: readonly string[]): (address: string) => boolean {
  const allowed = listOf(allow);
  const forbidden = listOf([...NOT_PUBLIC, ...NOT_PUBLIC_6]);
  const known = listOf(PUBLIC_6);
  return (given) => {
    const address = given.replace(/^::ffff:(?=\d+\.)/i, "");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    if (isIP(address) === 0) return false;
    if (allowed.check(address, family)) return true;
    return !forbidden.check(address, family) && (family === "ipv4" || known.check(address, family));
  };
}

/** If the allowed ranges open an address of a name, those that they open; otherwise all of it, unless one is not public. */
export function createChoose(allow: readonly string[]): (addresses: readonly string[]) => readonly string[] {
  const [isAllowed, isPublic] = [createIsAllowed(allow), createIsAllowed([])];
  return (addresses) => {
    const opened = addresses.filter((address) => !isPublic(address) && isAllowed(address));
    if (opened.length > 0) return opened;
    return addresses.every(isPublic) ? addresses : [];
  };
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = isIP(address) === 6 ? "ipv6" : "ipv4";
    list.addSubnet(address, bits === undefined ? (family === "ipv6" ? 128 : 32) : Number(bits), family);
  }
  return list;
}
