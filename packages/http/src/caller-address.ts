// Where a request comes from: the address of the socket, or, where that is a proxy that the operator trusts, the address
// that the proxy names. Headers are read from the right, since only what trusted proxies have added is worth anything:
// the rest can be written by any caller (decision: a fair way in).

import { BlockList, isIP } from "node:net";
import { MAX_PROXY_HOPS } from "./limits.js";
import type { IncomingRequest } from "./handler.js";

/**
 * The address that a request counts for; undefined where it counts for none. `peer` is what the socket says.
 */
export type CallerAddress = (peer: string | undefined, headers: IncomingRequest["headers"]) => string | undefined;

/**
 * Without a list no header is read, and loopback counts for none: a proxy on the same machine may stand behind it. With
 * one, `trustedProxies` are addresses and ranges such as `10.0.0.0/8`; requests of these that name no other address count
 * for none. Throws for what is no address and no range.
 */
export function createCallerAddress(trustedProxies: readonly string[] | undefined): CallerAddress {
  if (trustedProxies === undefined) return (peer) => (peer === undefined || isLoopback(peer) ? undefined : peer);
  const isTrusted = trustIn(trustedProxies);
  return (peer, headers) => {
    if (peer === undefined || !isTrusted(peer)) return peer;
    const named = hopLists(headers).map((hops) => callerOf(peer, hops, isTrusted));
    const [first] = named;
    // A proxy writes one of the two headers. Where they differ, a caller has written the other.
    return named.every((one) => one === first) ? first : peer;
  };
}

type IsTrusted = (address: string) => boolean;

/** By its text, as sockets write it: a block list takes longer than all else that is asked of a head. */
function isLoopback(peer: string): boolean {
  return LOOPBACK.test(peer);
}

const LOOPBACK = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/i;

function trustIn(ranges: readonly string[]): IsTrusted {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", bits] = range.split("/");
    const family = familyOf(address);
    if (bits === undefined) list.addAddress(address, family);
    else list.addSubnet(address, Number(bits), family);
  }
  return (address) => list.check(address, familyOf(address));
}

function familyOf(address: string): "ipv4" | "ipv6" {
  return isIP(address) === 4 ? "ipv4" : "ipv6";
}

/** Goes from proxy to proxy. What is no address ends it: then the last good one counts, which is a proxy's. */
function callerOf(peer: string, hops: readonly string[], isTrusted: IsTrusted): string | undefined {
  let last = peer;
  for (const hop of hops.slice(-MAX_PROXY_HOPS).reverse()) {
    const address = addressIn(hop);
    if (address === undefined) return last;
    if (!isTrusted(address)) return address;
    last = address;
  }
  return undefined;
}

/** What each of the headers that are there says, hop by hop. */
function hopLists(headers: IncomingRequest["headers"]): readonly (readonly string[])[] {
  const listed = headers.get("x-forwarded-for");
  const forwarded = headers.get("forwarded");
  return [
    ...(listed === undefined ? [] : [listed.split(",")]),
    // No address has a comma, so that the right end can be told whatever a caller has put in quotes before it.
    ...(forwarded === undefined ? [] : [forwarded.split(",").map(forIn)]),
  ];
}

/** The `for` of an element of `Forwarded` (RFC 7239, 4), without its quotes; '' where there is none. */
function forIn(element: string): string {
  return /(?:^|;)\s*for="?([^";]*)"?\s*(?:;|$)/i.exec(element)?.[1] ?? "";
}

/** `ADDRESS`, `IPV4:PORT`, `[IPV6]` or `[IPV6]:PORT`. */
function addressIn(hop: string): string | undefined {
  const text = hop.trim();
  const inner = /^\[([^\]]*)\](?::\d+)?$/.exec(text)?.[1] ?? /^([\d.]+):\d+$/.exec(text)?.[1] ?? text;
  return isIP(inner) === 0 ? undefined : inner;
}
