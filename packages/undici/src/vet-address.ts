// Decides which addresses delivery may reach (decision: address table): public addresses, and addresses that the
// operator allows in addition. Compares parsed addresses, never text, since 127.0.0.1 can be written in many ways.

import ipaddr from "ipaddr.js";
import { type Network, requireValidNetwork } from "./network.js";
import { type IpAddress, type AddressRange, readAddress, readRange, translateAddress } from "./read-address.js";

/** Whether an address, as text, may be dialled. False for a text that is no address. */
export type IsAllowedAddress = (address: string) => boolean;

// Unicast according to ipaddr.js, but not public: Azure's wire server gives secrets to any virtual machine.
const WIRE_SERVER = ipaddr.parseCIDR("168.63.129.16/32");
// The only range of IPv6 with public addresses. Without it, the dummy prefix 100:0:0:1::/64 would count as public.
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");
// ISATAP: an address with one of these interface identifiers, under any prefix, tunnels to the IPv4 address in its last
// bits (RFC 5214, §6.1).
const ISATAP_IDENTIFIERS: readonly string[] = ["0:5efe", "200:5efe"];

// An address of one of these kinds means another machine on each machine or link: behind NAT64, the gateway.
const LOCAL_KINDS: readonly string[] = ["loopback", "linkLocal", "unspecified"];

/**
 * Creates the check for a network. An entry of `allow` that is no range allows nothing; `requireValidNetwork` reports it.
 */
export function createIsAllowedAddress({ allow = [] }: Network = {}): IsAllowedAddress {
  const ranges = allow.map((text) => readRange(text)).filter((range) => range !== undefined);
  return (text) => {
    const address = readAddress(text);
    if (address === undefined) return false;
    const translated = translateAddress(address);
    const meant = LOCAL_KINDS.includes(translated.range()) ? [address] : [address, translated];
    return isPublic(translated) || meant.some((one) => ranges.some((range) => isWithin(one, range)));
  };
}

/**
 * Whether the host of a URL is an address that may not be reached, so that a check of settings can report it before
 * deliveries fail. False if the host is a name: names are resolved only when a connection is made.
 */
export function hasForbiddenAddress(url: string, network: Network = {}): boolean {
  return createIsForbiddenHost(network)(new URL(url).hostname);
}

/**
 * Like `hasForbiddenAddress`, for the host names of many URLs, as `URL` gives them; the network is read once. Throws an
 * `OptionsError` if an entry of `allow` is no range, as `hasForbiddenAddress` does.
 */
export function createIsForbiddenHost(network: Network = {}): (hostname: string) => boolean {
  requireValidNetwork("createIsForbiddenHost", { allow: network.allow ?? [] });
  const mayReach = createIsAllowedAddress(network);
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
  const identifier = parts.slice(4, 6).map((part) => part.toString(16));
  return ISATAP_IDENTIFIERS.includes(identifier.join(":"));
}

/** False if the families differ: an IPv4 range does not contain an IPv6 address that embeds one of its addresses. */
function isWithin(address: IpAddress, [network, prefixLength]: AddressRange): boolean {
  return address.kind() === network.kind() && address.match(network, prefixLength);
}
