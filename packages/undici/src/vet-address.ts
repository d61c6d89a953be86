// Decides which addresses delivery may reach (decision: private addresses): the public internet and what the operator
// allows on top. Looks at parsed addresses, never at text: a name or URL can spell 127.0.0.1 in a hundred ways.

import ipaddr from "ipaddr.js";

type Address = ipaddr.IPv4 | ipaddr.IPv6;
type Range = readonly [network: Address, prefixLength: number];

/** What the operator says of the network. */
export interface Network {
  /** Ranges that may be reached although they are not public, as `10.0.0.0/8`, or single addresses. */
  readonly allow?: readonly string[];
  /** Certificates of authorities that are trusted beside the public ones, as PEM text. */
  readonly ca?: readonly string[];
}

/** Whether an address, as text, may be dialled. What is no address may not. */
export type VetAddress = (address: string) => boolean;

// Public by ipaddr.js, and yet not the internet's: Azure's wire server, which answers to any guest with its secrets,
// and everything that has not been given out as global unicast (which includes the dummy prefix 100:0:0:1::/64).
const AZURE_WIRE_SERVER = ipaddr.parse("168.63.129.16");
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

// `::1.2.3.4` is an IPv6 address that leads nowhere; the parser takes it for 1.2.3.4, the system does not.
const IPV4_COMPATIBLE = /^::\d+\.\d+\.\d+\.\d+/;

/** The rule of one network. Throws on an `allow` that is no range; `isAddressRange` tells before. */
export function createVetAddress(network: Network = {}): VetAddress {
  const allowed = (network.allow ?? []).map(readRange);
  return (text) => {
    if (!ipaddr.isValid(text) || IPV4_COMPATIBLE.test(text)) return false;
    const address = ipaddr.process(text);
    return isPublic(address) || allowed.some((range) => isWithin(address, range));
  };
}

/** Whether a text is a range that `allow` understands: four decimal parts or IPv6, with or without a prefix length. */
export function isAddressRange(text: string): boolean {
  return isCidr(text) || isSingle(text);
}

/**
 * Whether an endpoint's URL names its host by an address that may not be reached, so that settings can warn of what
 * every delivery would meet. False for names: where they lead is seen when a connection is made.
 */
export function forbiddenLiteral(url: string, network: Network = {}): boolean {
  const host = new URL(url).hostname.replace(/^\[(.*)\]$/, "$1");
  return ipaddr.isValid(host) && !createVetAddress(network)(host);
}

function isPublic(address: Address): boolean {
  if (address.range() !== "unicast") return false;
  return address.kind() === "ipv4"
    ? address.toString() !== AZURE_WIRE_SERVER.toString()
    : address.match(GLOBAL_UNICAST);
}

function isWithin(address: Address, [network, prefixLength]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, prefixLength);
}

function readRange(text: string): Range {
  if (isCidr(text)) return ipaddr.parseCIDR(text);
  if (!isSingle(text)) throw new TypeError("network.allow: an address range like 10.0.0.0/8");
  const address = ipaddr.process(text);
  return [address, address.kind() === "ipv4" ? 32 : 128];
}

function isCidr(text: string): boolean {
  return ipaddr.IPv4.isValidCIDRFourPartDecimal(text) || ipaddr.IPv6.isValidCIDR(text);
}

function isSingle(text: string): boolean {
  return ipaddr.IPv4.isValidFourPartDecimal(text) || ipaddr.IPv6.isValid(text);
}
