// Decides which addresses delivery may reach (decision: address table): public ones and those that the operator allows, but none on
// which this host listens; and which addresses of a name are dialled, in which order (decision: names and addresses). Compares parsed
// addresses, never text, since 127.0.0.1 can be written in many ways.

import ipaddr from "ipaddr.js";
import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import { isAddressRange } from "@postrider/core";
import { type Network, requireValidNetwork } from "./network.js";
import { MAX_ADDRESSES } from "./limits.js";

// Unicast according to ipaddr.js, but not public: Azure's wire server gives secrets to any virtual machine.
const WIRE_SERVER = ipaddr.parseCIDR("168.63.129.16/32");

// The only range of IPv6 with public addresses. Without it, the dummy prefix 100:0:0:1::/64 would count as public.
const GLOBAL_UNICAST = ipaddr.parseCIDR("2000::/3");

// ISATAP: an address with one of these interface identifiers, under any prefix, tunnels to the IPv4 address in its last
// bits (RFC 5214, §6.1).
const ISATAP_IDENTIFIERS: readonly string[] = ["0:5efe", "200:5efe"];

// An address of one of these kinds means a different machine on each machine or link. Translated by NAT64 it is one of the gateway's, so
// the operator's ranges do not speak of it.
const LOCAL_KINDS: readonly string[] = ["loopback", "linkLocal", "unspecified"];

/** The prefix `::ffff:` of an IPv6 address that maps an IPv4 address, in bits. */
const MAPPED_PREFIX_LENGTH = 96;

/** The well-known prefix of NAT64, under which a gateway translates the last 32 bits of an address to IPv4 (RFC 6052, §2.1). */
const NAT64 = ipaddr.parseCIDR("64:ff9b::/96");

/** True if an address, as text, may be dialled. False for a text that is no address. */
type IsAllowedAddress = (address: string) => boolean;

/**
 * Creates the check for a network. An entry of `allow` that is no range allows nothing; `requireValidNetwork` reports it.
 */
export function createIsAllowedAddress({ allow = [] }: Network = {}): IsAllowedAddress {
  const ranges = allow.map((text) => readRange(text)).filter((range) => range !== undefined);
  return (text) => {
    const address = readAddress(text);
    if (address === undefined) return false;
    const translated = translateAddress(address);
    const meanings = LOCAL_KINDS.includes(translated.range()) ? [address] : [address, translated];
    return isPublicIp(translated) || meanings.some((candidate) => ranges.some((range) => isWithin(candidate, range)));
  };
}

function isPublicIp(address: IpAddress): boolean {
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

/**
 * True if the host of a URL is an address that may not be reached, so that a check of settings can report it before deliveries fail. False
 * if the host is a name: names are resolved only when a connection is made.
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

interface AddressRules {
  /** True if an address may be dialled. */
  readonly mayReach: (address: string) => boolean;
  /** True if it may be dialled without the operator's ranges. */
  readonly isPublic: (address: string) => boolean;
}

/**
 * The addresses to dial, in order; empty if the name may not be reached. If the operator's ranges allow one, the name is the
 * operator's: only such addresses are dialled. Otherwise one forbidden address forbids the name.
 */
export function chooseAddresses(addresses: readonly string[], { mayReach, isPublic }: AddressRules): readonly string[] {
  const reachable = addresses.filter(mayReach);
  const privateAddresses = reachable.filter((address) => !isPublic(address));
  if (privateAddresses.length === 0 && reachable.length < addresses.length) return [];
  return inTurn(privateAddresses.length > 0 ? privateAddresses : reachable).slice(0, MAX_ADDRESSES);
}

/** The two families in turn (RFC 8305, §4), so that a cut leaves some of both. The family of the first address comes first. */
function inTurn(addresses: readonly string[]): readonly string[] {
  const [first = ""] = addresses;
  const isOfFirstFamily = (address: string): boolean => isIP(address) === isIP(first);
  const firstFamily = addresses.filter(isOfFirstFamily);
  const otherFamily = addresses.filter((address) => !isOfFirstFamily(address));
  const pairs = addresses.map((_, index) => [firstFamily[index], otherFamily[index]]);
  return pairs.flat().filter((address) => address !== undefined);
}

/** An address on which a host listens, as its socket reports it. */
export interface ListenAddress {
  /** `0.0.0.0` and `::` mean all addresses of this machine. */
  readonly host: string;
  readonly port: number;
}

/** Returns a function that tells if a dial of `address` and `port` would reach this host; it calls `listening` each time. */
export function createIsOwnAddress(
  listening: () => readonly ListenAddress[],
): (address: string, port: number) => boolean {
  return (text, port) => {
    const hosts = listening().filter((listener) => listener.port === port);
    const address = hosts.length === 0 ? undefined : readAddress(text);
    if (address === undefined) return false;
    // Translated by NAT64, a packet would come back to this machine.
    const translated = translateAddress(address);
    return hosts.some(({ host }) => isReachedBy(translated, readAddress(host)));
  };
}

/** True if a dial reaches a listening host. A host that is a name (undefined) counts as all addresses of this machine. */
function isReachedBy(dialled: IpAddress, host: IpAddress | undefined): boolean {
  // The system connects to this machine when an unspecified address is dialled.
  if (dialled.range() === "unspecified") return true;
  if (host === undefined || host.range() === "unspecified") return isOfThisMachine(dialled);
  return host.toString() === dialled.toString();
}

function isOfThisMachine(address: IpAddress): boolean {
  if (address.range() === "loopback") return true;
  const interfaces = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []);
  return interfaces.some((candidate) => readAddress(candidate.address)?.toString() === address.toString());
}

type IpAddress = ipaddr.IPv4 | ipaddr.IPv6;

type AddressRange = readonly [network: IpAddress, prefixLength: number];

/**
 * Reads an address; `::ffff:1.2.3.4` is read as 1.2.3.4. Undefined for other texts, and for an address that names an
 * interface (`%eth0`).
 */
function readAddress(text: string): IpAddress | undefined {
  const canonical = canonicalise(text);
  return canonical === undefined ? undefined : ipaddr.process(canonical);
}

/** The IPv4 address to which a gateway translates an address, if it does; otherwise the address itself. */
function translateAddress(address: IpAddress): IpAddress {
  if (address.kind() === "ipv4" || !address.match(NAT64[0], NAT64[1])) return address;
  return ipaddr.fromByteArray(address.toByteArray().slice(-4));
}

/** Reads a range, as `isAddressRange` checks it; mapped addresses become IPv4. Undefined for other texts. */
function readRange(text: string): AddressRange | undefined {
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
