// Reads an IP address from text and normalizes it. Accepts exactly what the system accepts as an address. Must not know
// which addresses are allowed.

import { isAddressRange } from "@postrider/core";
import { isIP } from "node:net";
import ipaddr from "ipaddr.js";

export type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;
export type AddressRange = readonly [network: IpAddress, prefixLength: number];

/** The prefix `::ffff:` of an IPv6 address that maps an IPv4 address, in bits. */
const MAPPED_PREFIX_LENGTH = 96;

/**
 * Reads an address; `::ffff:1.2.3.4` is read as 1.2.3.4. Undefined for other texts, and for an address that names an
 * interface (`%eth0`).
 */
export function readAddress(text: string): IpAddress | undefined {
  const canonical = canonicalise(text);
  return canonical === undefined ? undefined : ipaddr.process(canonical);
}

/** The well-known prefix of NAT64, under which a gateway translates the last 32 bits of an address to IPv4 (RFC 6052, §2.1). */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/** The IPv4 address to which a gateway translates an address, if it does; otherwise the address itself. */
export function translateAddress(address: IpAddress): IpAddress {
  if (address.kind() === "ipv4" || !address.match(NAT64[0], NAT64[1])) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}

/** Reads a range, as `isAddressRange` checks it; mapped addresses become IPv4. Undefined for other texts. */
export function readRange(text: string): AddressRange | undefined {
  if (!isAddressRange(text)) return undefined;
  const [start = "", length] = text.split("/");
  const address = readAddress(start);
  if (address === undefined) return undefined;
  const isMapped = address.kind() === "ipv4" && isIP(start) === 6;
  const bits = address.kind() === "ipv4" ? 32 : 128;
  return [address, length === undefined ? bits : Number(length) - (isMapped ? MAPPED_PREFIX_LENGTH : 0)];
}

// ipaddr.js is less strict than the system: it accepts `010.0.0.1` and `1` as addresses, and reads `::1.2.3.4` as
// 1.2.3.4. So the platform decides what an address is, and its URL parser writes IPv6 without dots.
function canonicalise(text: string): string | undefined {
  const family = text.includes("%") ? 0 : isIP(text);
  if (family === 0) return undefined;
  return family === 4 ? text : new URL(`http://[${text}]`).hostname.slice(1, -1);
}
