// Finds the source of a write key, and limits the guesses of the addresses that show keys. Does not know where in a request
// the key was.

import type { Clock, Source, Workspace } from "@postrider/core";
import { createKeyGuessLimit, MAX_REQUEST_BYTES, type RequestBody } from "@postrider/http";
import { createKeyIndex } from "./authenticate.js";
import { BODY_BYTES_PER_KEY_GUESS } from "./limits.js";

export type CallerLookupResult =
  | { readonly kind: "known"; readonly source: Source }
  | { readonly kind: "unknown" }
  /** The address has shown too many unknown keys, so it is not told whether this key is known. */
  | { readonly kind: "limited"; readonly waitMs: number };

export interface CallerLookup {
  /** Looks up a key that an address has shown; undefined counts as an unknown key. */
  key(key: string | undefined, address: string | undefined): CallerLookupResult;
  /** Whether `key` would find a source now. Does not count as a guess. */
  knows(key: string | undefined, address: string | undefined): boolean;
  /** Counts the guesses of a body that was refused before its key was known. */
  countRefused(body: RequestBody, address: string | undefined): void;
  /** How many milliseconds an address has to wait before it may show a key; 0 if it may show one now. */
  waitMs(address: string | undefined): number;
}

export interface CallerLookupOptions {
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
    key: (key, address) => {
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
