// Decides which addresses of a name are dialled: those that the allowed ranges open, or else all, if all are public.

import { BlockList, isIP } from "node:net";

const NOT_PUBLIC = listOf([
  ..."0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24".split(" "),
  ..."192.88.99.0/24 192.168.0.0/16 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4".split(" "),
  ..."2001::/23 2001:db8::/32 2002::/16 3fff::/20".split(" "),
]);
/** Of IPv6 only global unicast is public, without tunnels to IPv4 and without what is reserved for documents. */
const PUBLIC_6 = listOf(["2000::/3"]);

export function createChoose(allow: readonly string[]): (addresses: readonly string[]) => readonly string[] {
  const allowed = listOf(allow);
  return (given) => {
    const addresses = given.map((one) => one.replace(/^::ffff:(?=\d+\.)/i, "")).filter((one) => isIP(one) !== 0);
    const opened = addresses.filter((one) => !isPublic(one) && allowed.check(one, familyOf(one)));
    return opened.length > 0 || !addresses.every(isPublic) ? opened : addresses;
  };
}

function isPublic(address: string): boolean {
  const family = familyOf(address);
  return !NOT_PUBLIC.check(address, family) && (family === "ipv4" || PUBLIC_6.check(address, family));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 6 ? "ipv6" : "ipv4";
}

function listOf(ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    list.addSubnet(address, Number(bits ?? (isIP(address) === 6 ? 128 : 32)), familyOf(address));
  }
  return list;
}
