// Whose request it is: joins the write keys of the settings with what is remembered of the addresses that show them.
// Where a key stands in a request is not known here.

import type { Clock, Source, Workspace } from "@postrider/core";
import { createKeyGuesses, MAX_REQUEST_BYTES, type RequestBody } from "@postrider/http";
import { createKeyIndex } from "./authenticate.js";
import { BYTES_PER_GUESS } from "./limits.js";

export type Identified =
  | { readonly kind: "known"; readonly source: Source }
  | { readonly kind: "unknown" }
  /** The address has shown so many unknown keys that it hears nothing about this one. */
  | { readonly kind: "limited"; readonly waitMs: number };

export interface Identify {
  /** Whose key an address has shown; undefined is no key. */
  key(key: string | undefined, address: string | undefined): Identified;
  /** Whether a call with this key would be heard. Counts as no guess. */
  knows(key: string | undefined, address: string | undefined): boolean;
  /** Notes that a body was refused in which there was no place for a key. */
  countRefused(body: RequestBody, address: string | undefined): void;
  /** For how long an address hears nothing about any key, in milliseconds; 0 if it may show one. */
  waitMs(address: string | undefined): number;
}

export interface IdentifyOptions {
  readonly clock: Pick<Clock, "monotonic">;
  readonly onUnknownKey: (() => void) | undefined;
}

/** By the settings in force. */
export function createIdentify(workspace: () => Workspace, { clock, onUnknownKey }: IdentifyOptions): Identify {
  const findSource = createKeyIndex(workspace);
  const guesses = createKeyGuesses(clock);
  return {
    key: (key, address) => {
      const source = key === undefined ? undefined : findSource(key);
      // An address that hears nothing about keys has its guesses counted all the same.
      if (source === undefined) onUnknownKey?.();
      const waitMs = guesses.note(address, source?.id);
      if (waitMs > 0) return { kind: "limited", waitMs };
      return source === undefined ? { kind: "unknown" } : { kind: "known", source };
    },
    knows: (key, address) => {
      const source = key === undefined ? undefined : findSource(key);
      return source !== undefined && guesses.waitMs(address, source.id) === 0;
    },
    countRefused: (body, address) => guesses.spend(address, 1 + Math.floor(bytesIn(body) / BYTES_PER_GUESS)),
    waitMs: (address) => guesses.waitMs(address),
  };
}

/** What came of a body, at most what is read of one. */
function bytesIn(body: RequestBody): number {
  return body.kind === "read" ? body.bytes.length : MAX_REQUEST_BYTES;
}
