// Decides whether the options of a client are valid, and fills in defaults (spec, client library §2.1). Reports all problems
// at once, each with its path; none ever contains the write key.

import { MAX_BATCH_CALLS, MAX_CALL_BYTES } from "../limits.js";
import type { OptionProblem } from "../options-error.js";
import type { BatchSettings } from "./batch-settings.js";
import { DEFAULT_BATCH_SETTINGS } from "./defaults.js";
import type { QueueCapacity } from "./queue-capacity.js";

/**
 * The options of a client, as plain data. Times in milliseconds; the ranges are in `RANGES`, the defaults in defaults.ts.
 */
export interface BatchOptions {
  /** The server's base URL; `/v1/batch` is appended. */
  readonly endpoint: string;
  /** The number of queued calls that triggers a flush, 1 to 2,500; 1 sends each call in a separate request. */
  readonly flushAt?: number | undefined;
  /** Another name for `flushAt`. */
  readonly size?: number | undefined;
  /** A flush is due when this time has passed since both the last flush and the first queued call. */
  readonly flushAfterMs?: number | undefined;
  /** The longest time that one request may take. */
  readonly timeoutMs?: number | undefined;
  /** The number of further requests if the first one fails. */
  readonly maxRetries?: number | undefined;
  /** The shortest delay before the first retry; it doubles with each further retry. */
  readonly firstRetryMs?: number | undefined;
  /** The longest delay; jitter is added to it. */
  readonly maxRetryMs?: number | undefined;
  /** The capacity of the queue in memory: calls, and bytes of their JSON text. */
  readonly maxQueued?: Partial<QueueCapacity> | undefined;
  /** The largest number of requests in flight at the same time. */
  readonly maxInFlight?: number | undefined;
  /** The longest time that `close` waits for calls that are not sent yet. */
  readonly closeTimeoutMs?: number | undefined;
  /** The effect of a full queue: `refuse` lets `ready` resolve and refuses the next call; `wait` lets `ready` wait for capacity. */
  readonly whenFull?: "refuse" | "wait" | undefined;
}

/** The settings of batches with their defaults, or all problems of the options. */
type CheckedOptions =
  | { readonly kind: "ok"; readonly settings: BatchSettings }
  | { readonly kind: "refused"; readonly problems: readonly OptionProblem[] };

/** Checks a write key and options. Returns the settings in force, or every problem. Never throws. */
export function checkOptions(writeKey: string, options: BatchOptions): CheckedOptions {
  const settings = settingsOf(options);
  const problems = [...problemsOfKey(writeKey), ...problemsOfSize(options), ...problemsOf(settings, options.endpoint)];
  return problems.length === 0 ? { kind: "ok", settings } : { kind: "refused", problems };
}

function settingsOf(options: BatchOptions): BatchSettings {
  return {
    ...withDefaults(options, DEFAULT_BATCH_SETTINGS),
    url: batchUrl(options.endpoint),
    flushAt: options.flushAt ?? options.size ?? DEFAULT_BATCH_SETTINGS.flushAt,
    maxQueued: withDefaults(options.maxQueued ?? {}, DEFAULT_BATCH_SETTINGS.maxQueued),
  };
}

/** The given values, with defaults for those that are missing. Names without a default are dropped. */
function withDefaults<T extends object>(values: { readonly [Name in keyof T]?: unknown }, defaults: T): T {
  const names = Object.keys(defaults) as (keyof T)[];
  // Values of the wrong type, from hosts that do not check types, are found by the checks below.
  return Object.fromEntries(names.map((name) => [name, values[name] ?? defaults[name]])) as T;
}

/** Options that are whole numbers: path, smallest and largest value. */
const RANGES = [
  ["flushAt", 1, MAX_BATCH_CALLS],
  ["flushAfterMs", 1, 86_400_000],
  ["timeoutMs", 1, 600_000],
  ["maxRetries", 0, 1_000],
  ["firstRetryMs", 1, 3_600_000],
  ["maxRetryMs", 1, 3_600_000],
  ["maxQueued.calls", 1, 10_000_000],
  ["maxQueued.bytes", MAX_CALL_BYTES, 2_147_483_648],
  ["maxInFlight", 1, 100],
  ["closeTimeoutMs", 0, 86_400_000],
] as const;

function problemsOf(settings: BatchSettings, endpoint: unknown): readonly OptionProblem[] {
  const { calls, bytes } = settings.maxQueued;
  const numbers = { ...settings, "maxQueued.calls": calls, "maxQueued.bytes": bytes };
  const outOfRange = RANGES.filter(([path, least, most]) => {
    const value = numbers[path];
    return !Number.isSafeInteger(value) || value < least || value > most;
  }).map(([path, least, most]) => ({ path, expected: `a whole number from ${String(least)} to ${String(most)}` }));
  const isKnown = WHEN_FULL.includes(settings.whenFull);
  return [
    ...problemsOfEndpoint(endpoint),
    ...outOfRange,
    ...(isKnown ? [] : [{ path: "whenFull", expected: '"refuse" or "wait"' }]),
  ];
}

/** Typed as strings, since a host that does not check types may pass any value. */
const WHEN_FULL: readonly string[] = ["refuse", "wait"];

function problemsOfKey(writeKey: unknown): readonly OptionProblem[] {
  const isKey = typeof writeKey === "string" && writeKey.trim() !== "" && !writeKey.includes(":");
  return isKey ? [] : [{ path: "writeKey", expected: "the write key of a source, which has no colon" }];
}

function problemsOfSize({ flushAt, size }: BatchOptions): readonly OptionProblem[] {
  if (flushAt === undefined || size === undefined || flushAt === size) return [];
  return [{ path: "size", expected: "the same as flushAt, or only one of the two" }];
}

/** The endpoint is checked by this pattern, because React Native's `URL` does not give its parts. */
const BASE_URL = /^https?:\/\/[^\s/?#@]+(\/[^\s?#]*)?$/i;

function problemsOfEndpoint(endpoint: unknown): readonly OptionProblem[] {
  if (typeof endpoint === "string" && BASE_URL.test(endpoint) && isParsed(endpoint)) return [];
  return [{ path: "endpoint", expected: "a full http or https URL without user, query and fragment" }];
}

function isParsed(text: string): boolean {
  try {
    return new URL(text).href !== "";
  } catch {
    return false;
  }
}

/** Slashes at the end of `endpoint` are ignored. `problemsOfEndpoint` reports a value that is not a string. */
function batchUrl(endpoint: unknown): string {
  return `${String(endpoint).replace(/\/+$/, "")}/v1/batch`;
}
