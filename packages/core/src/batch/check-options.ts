// Decides whether the settings of a client hold together, and fills in what is left out (spec, client library §2.1). All
// problems come at once, each with its place; none of them ever shows the write key.

import { MAX_BATCH_CALLS, MAX_CALL_BYTES } from "../limits.js";
import type { OptionProblem } from "../options-error.js";
import { readEndpointUrl } from "../settings/endpoint-url.js";
import type { BatchSettings } from "./batch-settings.js";
import { DEFAULT_CLIENT } from "./defaults.js";
import type { Room } from "./room.js";

/** What a host may set, as plain data. Times in milliseconds. */
export interface BatchOptions {
  /** The server's base URL; `/v1/batch` is appended. */
  readonly endpoint: string;
  /** How many queued calls are sent at once; 1 sends each by itself. */
  readonly flushAt?: number | undefined;
  /** Another name for `flushAt`. */
  readonly size?: number | undefined;
  /** How long after the later of the last flush and the first queued call the queue is sent. */
  readonly flushAfterMs?: number | undefined;
  /** How long one try may take. */
  readonly timeoutMs?: number | undefined;
  readonly maxRetries?: number | undefined;
  /** The shortest delay before the second try; it doubles from there. */
  readonly firstRetryMs?: number | undefined;
  /** Where delays stop growing. */
  readonly maxRetryMs?: number | undefined;
  /** What may be held in memory, calls and bytes. */
  readonly maxQueued?: Partial<Room> | undefined;
  /** Batches on their way at once. */
  readonly maxInFlight?: number | undefined;
  /** How long `close` waits for what is left. */
  readonly closeTimeoutMs?: number | undefined;
  /** What `ready` does when there is no room: answers at once, and the call is refused; or waits for room. */
  readonly whenFull?: "refuse" | "wait" | undefined;
}

export type CheckedOptions =
  | { readonly kind: "settings"; readonly settings: BatchSettings }
  | { readonly kind: "bad"; readonly problems: readonly OptionProblem[] };

/** Checks a write key and options, and answers the settings in force or all that is wrong. */
export function checkOptions(writeKey: string, options: BatchOptions): CheckedOptions {
  const settings = settingsOf(options);
  const problems = [...problemsOfKey(writeKey), ...problemsOfSize(options), ...problemsOf(settings, options.endpoint)];
  return problems.length === 0 ? { kind: "settings", settings } : { kind: "bad", problems };
}

function settingsOf(options: BatchOptions): BatchSettings {
  return {
    ...filledIn(options, DEFAULT_CLIENT),
    url: batchUrl(options.endpoint),
    flushAt: options.flushAt ?? options.size ?? DEFAULT_CLIENT.flushAt,
    maxQueued: filledIn(options.maxQueued ?? {}, DEFAULT_CLIENT.maxQueued),
  };
}

/** The default wherever nothing is given; of what is given, no more than has a default. */
function filledIn<T extends object>(given: { readonly [Name in keyof T]?: unknown }, defaults: T): T {
  const names = Object.keys(defaults) as (keyof T)[];
  // What a host without types has given is looked at below, as all that is given.
  return Object.fromEntries(names.map((name) => [name, given[name] ?? defaults[name]])) as T;
}

/** Whole numbers, and what each lies between. */
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
  const isKnown = WAYS.includes(settings.whenFull);
  return [
    ...problemsOfEndpoint(endpoint),
    ...outOfRange,
    ...(isKnown ? [] : [{ path: "whenFull", expected: '"refuse" or "wait"' }]),
  ];
}

/** Of a host without types, it may be anything. */
const WAYS: readonly string[] = ["refuse", "wait"];

function problemsOfKey(writeKey: unknown): readonly OptionProblem[] {
  const isKey = typeof writeKey === "string" && writeKey !== "" && !writeKey.includes(":");
  return isKey ? [] : [{ path: "writeKey", expected: "the write key of a source, which has no colon" }];
}

function problemsOfSize({ flushAt, size }: BatchOptions): readonly OptionProblem[] {
  if (flushAt === undefined || size === undefined || flushAt === size) return [];
  return [{ path: "size", expected: "the same as flushAt, or only one of the two" }];
}

function problemsOfEndpoint(endpoint: unknown): readonly OptionProblem[] {
  const expected = "a full http or https URL without a query";
  if (typeof endpoint !== "string" || endpoint.includes("?")) return [{ path: "endpoint", expected }];
  const url = readEndpointUrl(endpoint);
  return url.kind === "bad" ? [{ path: "endpoint", expected: url.expected }] : [];
}

/** With or without a slash at its end; whatever is no text is named by its problem. */
function batchUrl(endpoint: unknown): string {
  return `${String(endpoint).replace(/\/+$/, "")}/v1/batch`;
}
