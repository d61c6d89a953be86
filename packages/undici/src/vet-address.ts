// Decides which addresses delivery may reach (decision: address table): the public internet, and what the operator allows
// in addition. Looks at parsed addresses, never at text: a name or URL can write 127.0.0.1 in many ways.

import ipaddr from "ipaddr.js";
import { type Network, requireNetwork } from "./network.js";
import { type IpAddress, type Range, readAddress, readRange } from "./read-address.js";

/** Whether an address, as text, may be dialled. False for a text that is no address. */
export type VetAddress = (address: string) => boolean;

// Unicast according to ipaddr.js, but not public: Azure's wire server gives secrets to any virtual machine.
const WIRE_SERVER = ipaddr.parseCIDR("168.63.129.16/32");
// No other range is assigned; the dummy prefix 100:0:0:1::/64 is outside of it.
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
// ISATAP: with any prefix, such an interface tunnels to the IPv4 address that it contains (RFC 5214, §6.1).
const ISATAP_MARKS: readonly string[] = ["0:5efe", "200:5efe"];

/** The rule of one network. An entry of `allow` that is no range allows nothing; `requireNetwork` refuses it before. */
export function createVetAddress({ allow = [] }: Network = {}): VetAddress {
  const allowed = allow.map((text) => readRange(text)).filter((range) => range !== undefined);
  return (text) => {
    const address = readAddress(text);
    return address !== undefined && (isPublic(address) || allowed.some((range) => isWithin(address, range)));
  };
}

/**
 * Whether an endpoint's URL has as host an address that may not be reached, so that settings can warn before every
 * delivery fails. False for names: these are resolved when a connection is made.
 */
export function forbiddenLiteral(url: string, network: Network = {}): boolean {
  return createForbiddenHost(network)(new URL(url).hostname);
}

/**
 * The same for the host names of many URLs, as `URL` gives them; the network is read once. Throws an `OptionsError` on an
 * `allow` that is no range, as `forbiddenLiteral` does.
 */
export function createForbiddenHost(network: Network = {}): (hostname: string) => boolean {
  requireNetwork("createForbiddenHost", { allow: network.allow ?? [] });
  const mayReach = createVetAddress(network);
  return (hostname) => {
    const host = hostname.replace(/^\[(.*)\]$/, "$1");
    return readAddress(host) !== undefined && !mayReach(host);
  };
}

function isPublic(address: IpAddress): boolean {
  if (address.range() !== "unicast") return false;
  return address instanceof ipaddr.IPv4
    ? !isWithin(address, WIRE_SERVER)
    : isWithin(address, GLOBAL_UNICAST) && !isIsatap(address);
}

function isIsatap({ parts }: ipaddr.IPv6): boolean {
  const mark = parts.slice(4, 6).map((part) => part.toString(16));
  return ISATAP_MARKS.includes(mark.join(":"));
}

/** In the same family only: an IPv4 range does not contain an IPv6 address that embeds one of its addresses. */
function isWithin(address: IpAddress, [network, prefixLength]: Range): boolean {
  return address.kind() === network.kind() && address.match(network, prefixLength);
}
