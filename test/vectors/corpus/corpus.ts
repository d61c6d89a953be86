// The files of the corpus as the tests read them. README.md, in the folder above, describes each shape.

import { readFileSync } from "node:fs";
import { SHOP_KEY, WRITE_KEY } from "../../canary.js";
import type { Text } from "./parts.js";

export interface CorpusFile<Case> {
  readonly version: number;
  readonly about: string;
  readonly cases: readonly Case[];
}

/** A written value, in which `valueOf` finds `$text` and `$list`. */
export type Written = unknown;

export interface Refused {
  readonly verdict: "refused";
  readonly code: string;
  /** Absent for the request as a whole. */
  readonly path?: Written;
}

/** Fields of the message as it arrives: `message` as values, null for absent; `written` as exact JSON text. */
export interface Delivered {
  readonly verdict: "delivered";
  readonly message?: Readonly<Record<string, Written>>;
  readonly written?: Readonly<Record<string, string>>;
}

export interface Answered {
  readonly verdict: "answered";
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly { readonly index: number; readonly code: string; readonly path: Written }[];
  /** As many as were accepted, if absent. */
  readonly requests?: number;
}

export type CallVerdict = Refused | Delivered | Answered | { readonly verdict: "filtered" };

export interface CallCase {
  readonly name: string;
  /** The last part of the path: a kind of call, or `batch`. */
  readonly kind: string;
  readonly call?: Written;
  readonly text?: Text;
  /** The name of the destination, where it is not Webhooks. */
  readonly destination?: string;
  readonly expect: CallVerdict;
}

export interface HostCase {
  readonly name: string;
  readonly value: string;
  readonly at: string;
  readonly expect: Refused | Delivered;
}

export interface SettingsCase {
  readonly name: string;
  readonly endpoints?: Written;
  readonly headers?: readonly (readonly [name: Written, value: Written])[];
  readonly sharedSecret?: Written;
  readonly expect: {
    readonly problems: readonly { readonly code: string; readonly path: string }[];
    /** The endpoints that the URLs become, in normal form. */
    readonly endpoints?: readonly Written[];
  };
}

export interface HttpRequestCase {
  readonly head?: readonly Text[];
  readonly body?: Text;
  readonly framing?: "length" | "chunked" | "own" | "none";
  readonly raw?: Text;
}

export interface HttpCase {
  readonly name: string;
  readonly requests: readonly HttpRequestCase[];
  readonly then?: "hang up";
  readonly expect: {
    readonly answers: readonly { readonly status: number; readonly code?: string; readonly path?: string }[];
    readonly accepted: number;
  };
}

export type AudienceCase =
  | {
      readonly name: string;
      readonly audience: Written;
      readonly taken: readonly string[];
      readonly expect:
        | { readonly verdict: "key"; readonly key: Written }
        | { readonly verdict: "refused"; readonly reason: string; readonly key?: string };
    }
  | {
      readonly name: string;
      readonly previous: Written;
      readonly current: Written;
      readonly expect: { readonly entered: Written; readonly departed: Written };
    };

/** The item of the list of bad inputs that each file covers. */
export const CALL_FILES = [
  "depth-and-size",
  "strings",
  "numbers",
  "keys",
  "timestamps",
  "integrations",
  "batches",
] as const;
export const SETTINGS_FILES = ["urls", "headers", "secrets"] as const;
export const OTHER_FILES = ["host-values", "http", "audiences"] as const;

export type FileName = (typeof CALL_FILES)[number] | (typeof SETTINGS_FILES)[number] | (typeof OTHER_FILES)[number];

/**
 * The caller names the type of a case. The keys of the two sources in the files are replaced by those of this test run.
 */
export function readCorpus<Case>(name: FileName): CorpusFile<Case> {
  const text = readFileSync(new URL(`${name}.json`, import.meta.url), "utf8");
  return JSON.parse(text.replaceAll("wk_website", WRITE_KEY).replaceAll("wk_shop", SHOP_KEY)) as CorpusFile<Case>;
}

/** The text that no answer, no refusal and no problem may contain. */
export const CANARY = "CANARY";
