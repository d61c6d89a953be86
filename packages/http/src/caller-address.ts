// Finds the address of a caller: the address of the socket, or, if that is a trusted proxy, the address that the proxy
// names. Headers are read from the right, since only the entries of trusted proxies are reliable: any caller can write
// the others (decision: fair admission).

import { isAddressRange, type OptionProblem } from "@postrider/core";
import { createOptionsError } from "@postrider/core/engine";
import { BlockList, isIP } from "node:net";
import { MAX_PROXY_HOPS } from "./limits.js";
import type { IncomingRequest } from "./handler.js";

/**
 * Returns the address for which limits count a request; undefined if they count it for no address. `peer` is the
 * address of the socket.
 */
export type FindCallerAddress = (peer: string | undefined, headers: IncomingRequest["headers"]) => string | undefined;

/**
 * If `trustedProxies` is undefined, no header is read, and requests from loopback addresses count for no address, since
 * they may come from a proxy on the same machine. Otherwise its entries are addresses, and ranges such as `10.0.0.0/8`;
 * a request from one of them whose headers name no other address counts for no address. Throws an `OptionsError` for
 * any other entry.
 */
export function createCallerAddressFinder(trustedProxies: readonly string[] | undefined): FindCallerAddress {
  if (trustedProxies === undefined) return (peer) => (peer === undefined || isLoopback(peer) ? undefined : peer);
  const isTrusted = trustIn(trustedProxies);
  return (peer, headers) => {
    if (peer === undefined || !isTrusted(peer)) return peer;
    const named = hopLists(headers).map((hops) => firstUntrusted(peer, hops, isTrusted));
    const [first] = named;
    // A proxy writes one of the two headers. If they differ, a caller has written the other one.
    return named.every((one) => one === first) ? first : peer;
  };
}

type IsTrusted = (address: string) => boolean;

/** Compares text, since a block list would take longer than all other checks of a head. */
function isLoopback(peer: string): boolean {
  return LOOPBACK.test(peer);
}

const LOOPBACK = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/i;

function trustIn(ranges: readonly string[]): IsTrusted {
  const list = new BlockList();
  const problems = ranges.flatMap((range, index) => (addRange(list, range) ? [] : [notARange(index)]));
  if (problems.length > 0) throw createOptionsError("createNodeListener", problems);
  return (address) => list.check(address, familyOf(address));
}

/** False for text that is neither an address nor a range. */
function addRange(list: BlockList, range: string): boolean {
  if (!isAddressRange(range)) return false;
  const [address = "", bits] = range.split("/");
  if (bits === undefined) list.addAddress(address, familyOf(address));
  else list.addSubnet(address, Number(bits), familyOf(address));
  return true;
}

function notARange(index: number): OptionProblem {
  return { path: `trustedProxies[${String(index)}]`, expected: "an address, or a range like 10.0.0.0/8" };
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

/**
 * Reads the entries from the right: returns the first address that is not a trusted proxy; undefined if all are trusted
 * proxies. At an entry that is not an address, returns the proxy that has written it.
 */
function firstUntrusted(peer: string, hops: readonly string[], isTrusted: IsTrusted): string | undefined {
  let last = peer;
  for (const hop of hops.slice(-MAX_PROXY_HOPS).reverse()) {
    const address = addressIn(hop);
    if (address === undefined) return last;
    if (!isTrusted(address)) return address;
    last = address;
  }
  return undefined;
}

/** The entries of each of the two headers that is present. */
function hopLists(headers: IncomingRequest["headers"]): readonly (readonly string[])[] {
  const listed = headers.get("x-forwarded-for");
  const forwarded = headers.get("forwarded");
  return [
    ...(listed === undefined ? [] : [listed.split(",")]),
    // Addresses have no commas, so the last entry is found even if a caller has put quoted text before it.
    ...(forwarded === undefined ? [] : [forwarded.split(",").map(forIn)]),
  ];
}

/** The `for` of an element of `Forwarded` (RFC 7239, 4), without its quotes; '' if it has none. */
function forIn(element: string): string {
  return /(?:^|;)\s*for="?([^";]*)"?\s*(?:;|$)/i.exec(element)?.[1] ?? "";
}

/** `ADDRESS`, `IPV4:PORT`, `[IPV6]` or `[IPV6]:PORT`. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const inner = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(inner) === 0 ? undefined : inner;
}
