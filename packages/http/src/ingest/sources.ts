// Finds the source of a write key that a request shows, and limits the guesses of addresses and the calls of sources
// (decision: limits on callers). Keys are looked up by their digest, so that the time of a look-up does not show how close
// a guess was, and so that settings may contain digests only (decision: secrets at rest).

import type { Clock, Source, Workspace, JsonObject } from "@postrider/core";
import { createKeyGuessLimit, MAX_REQUEST_BYTES, type RequestBody } from "../index.js";
import { Buffer } from "node:buffer";
import { hash } from "node:crypto";
import { readWriteKey, type Allowance, spendCalls, type RateDecision } from "@postrider/core/engine";
import { BODY_BYTES_PER_KEY_GUESS } from "./limits.js";

export type CallerLookupResult =
  | { readonly kind: "known"; readonly source: Source }
  | { readonly kind: "unknown" }
  /** The address has shown too many unknown keys, so it does not learn whether this key is known. */
  | { readonly kind: "limited"; readonly waitMs: number };

export interface CallerLookup {
  /** Looks up a key that an address has shown; undefined counts as an unknown key. */
  lookUp(key: string | undefined, address: string | undefined): CallerLookupResult;
  /** True if `key` would find a source now. Does not count as a guess. */
  knows(key: string | undefined, address: string | undefined): boolean;
  /** Counts the guesses of a body that was refused before its key was known. */
  countRefused(body: RequestBody, address: string | undefined): void;
  /** The milliseconds that an address has to wait before it may show a key; 0 if it may show one now. */
  waitMs(address: string | undefined): number;
}

interface CallerLookupOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly onUnknownKey: (() => void) | undefined;
}

/** Looks each key up in the settings that are in force when the key is shown. */
export function createCallerLookup(
  workspace: () => Workspace,
  { clock, onUnknownKey }: CallerLookupOptions,
): CallerLookup {
  const findSource = createKeyIndex(workspace);
  const guesses = createKeyGuessLimit(clock);
  return {
    lookUp: (key, address) => {
      const source = key === undefined ? undefined : findSource(key);
      // Called for a limited address, too.
      if (source === undefined) onUnknownKey?.();
      const waitMs = guesses.note(address, source?.id);
      if (waitMs > 0) return { kind: "limited", waitMs };
      return source === undefined ? { kind: "unknown" } : { kind: "known", source };
    },
    knows: (key, address) => {
      const source = key === undefined ? undefined : findSource(key);
      return source !== undefined && guesses.waitMs(address, source.id) === 0;
    },
    countRefused: (body, address) => guesses.spend(address, 1 + Math.floor(bytesIn(body) / BODY_BYTES_PER_KEY_GUESS)),
    waitMs: (address) => guesses.waitMs(address),
  };
}

/** The length of a body that was read, in bytes; the longest allowed length for any other body. */
function bytesIn(body: RequestBody): number {
  return body.kind === "read" ? body.bytes.length : MAX_REQUEST_BYTES;
}

type FindSource = (writeKey: string) => Source | undefined;

/**
 * Finds the source of a write key in the settings in force; the index is built again when the settings change. Blanks and line ends
 * around the key do not count, unless the settings have the digest of a key with them.
 */
export function createKeyIndex(workspace: () => Workspace): FindSource {
  let indexed: Workspace | undefined;
  let sources: ReadonlyMap<string, Source> = new Map();
  return (writeKey) => {
    const inForce = workspace();
    if (inForce !== indexed) sources = indexSources(inForce);
    indexed = inForce;
    const trimmedKey = writeKey.trim();
    return sources.get(digestOf(writeKey)) ?? (trimmedKey === writeKey ? undefined : sources.get(digestOf(trimmedKey)));
  };
}

function indexSources({ sources }: Workspace): ReadonlyMap<string, Source> {
  const byDigest = new Map<string, Source>();
  for (const source of sources) {
    const writeKey = readWriteKey(source.writeKey);
    // Settings in force have been checked, and have no bad keys.
    if (writeKey.kind === "refused") continue;
    byDigest.set(writeKey.kind === "digest" ? writeKey.hex : digestOf(writeKey.key), source);
  }
  return byDigest;
}

function digestOf(key: string): string {
  return hash("sha256", key, "hex");
}

/** The user name in a Basic `authorization` header, with or without a colon after it; undefined if there is none. */
export function basicAuthKey(authorization: string | undefined): string | undefined {
  const encoded = /^basic +(\S+)$/i.exec(authorization ?? "")?.[1];
  if (encoded === undefined) return undefined;
  const [key = ""] = Buffer.from(encoded, "base64").toString("utf8").split(":", 1);
  return key === "" ? undefined : key;
}

/** The `writeKey` of a query: a browser sends a beacon when its page closes, and cannot add headers to it. */
export function queryKey(query: string): string | undefined {
  const key = new URLSearchParams(query).get("writeKey") ?? "";
  return key === "" ? undefined : key;
}

/** The `writeKey` of a body. */
export function bodyKey(body: JsonObject): string | undefined {
  const key = Object.hasOwn(body, "writeKey") ? body["writeKey"] : undefined;
  return typeof key === "string" ? key : undefined;
}

export interface SourceLimits {
  /** Milliseconds until a call is allowed; 0 if one is allowed now. Spends nothing. */
  waitMs(source: Source): number;
  /** Spends this many calls and returns 0; or spends none and returns how many milliseconds to wait. */
  spend(source: Source, calls: number): number;
}

/** Sources without a rate limit are never limited. */
export function createSourceLimits(clock: Pick<Clock, "monotonic">): SourceLimits {
  const allowances = new WeakMap<Source, Allowance>();
  return {
    waitMs: (source) => waitOf(decide(source, 1)),
    spend: (source, calls) => {
      const spending = decide(source, calls);
      if (spending?.kind === "ok") allowances.set(source, spending.left);
      return waitOf(spending);
    },
  };

  function decide(source: Source, calls: number): RateDecision | undefined {
    if (source.rateLimit === undefined) return undefined;
    return spendCalls(source.rateLimit, allowances.get(source), calls, clock.monotonic());
  }
}

function waitOf(spending: RateDecision | undefined): number {
  return spending?.kind === "refused" ? spending.waitMs : 0;
}

/** An IPv4 address as a socket for both families writes it. */
const MAPPED = /^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i;

/** The context of the batch, with the address if the source wants it and it is known; an `ip` in it is kept. Undefined if there is neither. */
export function contextWithIp(
  { addsIp }: Source,
  address: string | undefined,
  context: JsonObject | undefined,
): JsonObject | undefined {
  if (addsIp !== true || address === undefined) return context;
  return { ip: address.replace(MAPPED, ""), ...context };
}
