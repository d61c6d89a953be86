// Finds the address of a caller, the socket's or the one that a trusted proxy names (decision: fair admission), limits the
// keys that each network may guess (decision: limits on callers), and compares a text that is shown with a secret, in a
// time that depends on neither (decision: rights of callers).

import { isAddressRange, type OptionProblem, type Clock } from "@postrider/core";
import { createOptionsError, type Allowance, spendCalls } from "@postrider/core/engine";
import { BlockList, isIP } from "node:net";
import { Buffer } from "node:buffer";
import { timingSafeEqual } from "node:crypto";
import {
  MAX_PROXY_HOPS,
  MAX_REMEMBERED_NETWORKS,
  MAX_REMEMBERED_OWNERS_PER_NETWORK,
  UNKNOWN_KEY_RATE_LIMIT,
  MAX_SECRET_BYTES,
} from "./limits.js";
import type { IncomingRequest } from "./handler.js";
import { networkOf } from "./budgets.js";

/**
 * Returns the address for which limits count a request; undefined if they count it for no address. `peer` is the
 * address of the socket.
 */
export type FindCallerAddress = (peer: string | undefined, headers: IncomingRequest["headers"]) => string | undefined;

const LOOPBACK = /^(?:(?:::ffff:)?127\.\d+\.\d+\.\d+|::1)$/i;

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
    const addresses = hopLists(headers).map((hops) => firstUntrusted(peer, hops, isTrusted));
    const [first] = addresses;
    // A proxy writes one of the two headers. If they differ, a caller has written the other one, and the proxy itself counts.
    return addresses.every((address) => address === first) ? first : peer;
  };
}

type IsTrusted = (address: string) => boolean;

/** Compares text, since a block list would take longer than all other checks of a head. */
function isLoopback(peer: string): boolean {
  return LOOPBACK.test(peer);
}

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
  let proxy = peer;
  for (const hop of hops.slice(-MAX_PROXY_HOPS).reverse()) {
    const address = addressIn(hop);
    if (address === undefined) return proxy;
    if (!isTrusted(address)) return address;
    proxy = address;
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

/** Slows down addresses that show many unknown keys. */
export interface KeyGuessLimit {
  /**
   * Notes that an address has shown a key of this owner, such as a source; `owner` is undefined for an unknown key. Returns 0 if the address may
   * learn now whether the key is known; else the milliseconds that it has to wait.
   */
  note(address: string | undefined, owner: string | undefined): number;
  /** Counts this many unknown keys of an address, up to its limit. */
  spend(address: string | undefined, guesses: number): void;
  /**
   * The milliseconds that an address has to wait before it learns whether the key of this owner is known, or, if `owner` is absent, whether
   * any key is known; 0 if it may learn that now. Counts nothing.
   */
  waitMs(address: string | undefined, owner?: string): number;
}

/** The memory of the callers of one network. */
interface NetworkMemory {
  readonly allowance?: Allowance;
  /** Owners whose keys have been shown from this network. */
  readonly knownOwners: ReadonlySet<string>;
}

const UNSEEN: NetworkMemory = { knownOwners: new Set() };

/** Remembers up to `MAX_REMEMBERED_NETWORKS` networks; the network that was seen longest ago is forgotten first. */
export function createKeyGuessLimit(clock: Pick<Clock, "monotonic">): KeyGuessLimit {
  const networks = new Map<string, NetworkMemory>();
  return { note, spend, waitMs };

  function note(address: string | undefined, owner: string | undefined): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const memory = networks.get(network) ?? UNSEEN;
    if (owner !== undefined && memory.knownOwners.has(owner)) {
      remember(network, memory);
      return 0;
    }
    const spending = spendCalls(UNKNOWN_KEY_RATE_LIMIT, memory.allowance, 1, clock.monotonic());
    if (spending.kind === "refused") return spending.waitMs;
    // The first key of an owner is let in only while a guess would be, and costs nothing.
    remember(network, owner === undefined ? { ...memory, allowance: spending.left } : withOwner(memory, owner));
    return 0;
  }

  function spend(address: string | undefined, guesses: number): void {
    for (let spent = 0; spent < guesses; spent += 1) if (note(address, undefined) > 0) return;
  }

  function waitMs(address: string | undefined, owner?: string): number {
    const network = networkOf(address);
    if (network === undefined) return 0;
    const memory = networks.get(network) ?? UNSEEN;
    if (owner === undefined ? memory.knownOwners.size > 0 : memory.knownOwners.has(owner)) return 0;
    const spending = spendCalls(UNKNOWN_KEY_RATE_LIMIT, memory.allowance, 1, clock.monotonic());
    return spending.kind === "refused" ? spending.waitMs : 0;
  }

  function remember(network: string, memory: NetworkMemory): void {
    // A map keeps its order: an entry that is set again becomes the last.
    networks.delete(network);
    networks.set(network, memory);
    const [oldest] = networks.size > MAX_REMEMBERED_NETWORKS ? networks.keys() : [];
    if (oldest !== undefined) networks.delete(oldest);
  }
}

function withOwner(memory: NetworkMemory, owner: string): NetworkMemory {
  if (memory.knownOwners.size >= MAX_REMEMBERED_OWNERS_PER_NETWORK) return memory;
  return { ...memory, knownOwners: new Set([...memory.knownOwners, owner]) };
}

/** True if the bytes are equal. A text that is longer than `MAX_SECRET_BYTES` can equal only a secret that is as long. */
export function isSameSecret(shown: Uint8Array, secret: Uint8Array): boolean {
  const size = Math.max(MAX_SECRET_BYTES, secret.length);
  if (shown.length > size) return false;
  const isSame = timingSafeEqual(padded(shown, size), padded(secret, size));
  return isSame && shown.length === secret.length;
}

/** As many bytes are copied and compared for a short guess as for a long one. */
function padded(bytes: Uint8Array, size: number): Uint8Array {
  const buffer = Buffer.alloc(size);
  buffer.set(bytes);
  return buffer;
}
