// Outages of the receivers of a lane, as data: the length, the time of day, and the answers of each endpoint meanwhile. fast-check draws
// them, and shrinks each to one endpoint with one answer.

import fc, { type Arbitrary } from "fast-check";
import { type Fault, FAULTS } from "@postrider/core";

/** The receivers of a lane are down from its first call on. Times in milliseconds. */
export interface LaneOutage {
  /** One to five endpoints. */
  readonly endpoints: readonly DownEndpoint[];
  readonly lastsMs: number;
  /** The time at which it starts, since 1970: a schedule may depend on the time of day. */
  readonly startsAt: number;
  /** Determines every draw of chance. */
  readonly seed: number;
}

/** An endpoint of the lane during the outage. */
export interface DownEndpoint {
  /** Its answers to the rounds of a delivery, one after the other, and from the first one again. At least one. */
  readonly answers: readonly DownAnswer[];
}

/** The end of an attempt at an endpoint that is down. */
export interface DownAnswer {
  /** A status from 300 to 599, or the fault in place of one. */
  readonly gives: number | Fault;
  readonly tookMs: number;
  /** The time that its `Retry-After` names, in seconds from the answer, and its form. */
  readonly retryAfter?: { readonly seconds: number; readonly form: "seconds" | "date" };
}

/** Statuses that ask for a retry. The first one is what others shrink to. */
export const RETRIED_STATUSES: readonly number[] = [503, 500, 502, 504, 429, 408, 423, 425];
/** Statuses above 500 that proxies and hosts send. */
export const STATUSES_OF_PROXIES: readonly number[] = [
  507, 509, 511, 520, 521, 522, 523, 524, 525, 526, 529, 530, 598, 599,
];
/** Redirects and refusals; 413 and 422 are final, since they speak of one message. */
export const REFUSED_STATUSES: readonly number[] = [
  ...[404, 410, 400, 401, 403, 409, 444, 499],
  ...[301, 302, 307, 308],
  ...[413, 422],
];
/** The faults that a receiver can cause. */
export const RECEIVER_FAULTS: readonly Fault[] = FAULTS.filter(
  (fault) => !["local", "forbidden-address", "invalid-header"].includes(fault),
);

/** The most endpoints of a destination, and the most answers of one endpoint that are drawn. */
const MAX_ENDPOINTS = 5;
const MAX_ANSWERS = 4;
/** The longest `Retry-After` that is drawn, in seconds: longer than any hold. */
const MAX_RETRY_AFTER_S = 20_000;
const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A Monday. Outages start within three years from then, of which one has a leap day. */
const FIRST_START = Date.UTC(2026, 0, 5);
const STARTS_MS = 3 * 366 * DAY_MS;

/** Instants at which calendars and clocks of people change: months, years, a leap day, and summer time in Europe and America. */
const SPECIAL_INSTANTS: readonly number[] = [
  ...Array.from({ length: 36 }, (_, month) => Date.UTC(2026, month + 1, 1)),
  ...[Date.UTC(2028, 1, 28), Date.UTC(2028, 1, 29)],
  ...[Date.UTC(2026, 2, 29, 1), Date.UTC(2026, 9, 25, 1)],
  ...[Date.UTC(2026, 2, 8, 7), Date.UTC(2026, 10, 1, 6)],
];
/** An outage that meets one of them starts at most this long before. */
const BEFORE_SPECIAL_MS: number = 3 * HOUR_MS;

/** The outages that a wish draws. */
export interface DrawnOutages {
  /** The shortest and the longest one. */
  readonly minMs?: number;
  readonly maxMs: number;
  /** The time limit of a request. */
  readonly timeoutMs: number;
  /** False if no answer has a `Retry-After`, which would name one time for all deliveries of the lane. True if absent. */
  readonly hasRetryAfter?: boolean;
}

/** Draws outages; the shortest and the longest ones often. */
export function laneOutages({
  minMs = 0,
  maxMs,
  timeoutMs,
  hasRetryAfter = true,
}: DrawnOutages): Arbitrary<LaneOutage> {
  return fc.record({
    // The first key shrinks first: a long outage shows with one answer what a shorter one would need several for.
    endpoints: downEndpoints(downAnswers(timeoutMs, hasRetryAfter)),
    lastsMs: fc.integer({ min: Math.floor(minMs), max: Math.floor(maxMs) }),
    startsAt: starts(),
    seed: fc.nat(),
  });
}

/** Endpoints that differ, or that have one cause: the same answers in the same order, or answers of two kinds. */
function downEndpoints(answer: Arbitrary<DownAnswer>): Arbitrary<readonly DownEndpoint[]> {
  const answers = atLeastOne(answer, MAX_ANSWERS, PLAIN_ANSWER);
  const kinds = fc.array(fc.nat(1), { maxLength: MAX_ANSWERS });
  return fc.oneof(
    atLeastOne(fc.record({ answers }), MAX_ENDPOINTS, { answers: [PLAIN_ANSWER] }),
    fc
      .tuple(answers, fc.nat(MAX_ENDPOINTS - 1))
      .map(([all, more]) => Array.from({ length: more + 1 }, () => ({ answers: all }))),
    fc
      .tuple(answer, answer, atLeastOne(kinds, MAX_ENDPOINTS, []))
      .map(([first, second, endpoints]) =>
        endpoints.map((kind) => ({ answers: [first, ...kind.map((number) => (number === 0 ? first : second))] })),
      ),
  );
}

function starts(): Arbitrary<number> {
  const anyTime = fc.nat(STARTS_MS).map((afterMs) => FIRST_START + afterMs);
  const special = fc
    .tuple(fc.constantFrom(...SPECIAL_INSTANTS), fc.nat(BEFORE_SPECIAL_MS))
    .map(([instant, beforeMs]) => instant - beforeMs);
  return fc.oneof({ weight: 2, arbitrary: anyTime }, { weight: 1, arbitrary: special });
}

const PLAIN_ANSWER: DownAnswer = { gives: 503, tookMs: 0 };

/** Draws a list, which has a plain item if it is empty: a list with a least length would not shrink to its first item alone. */
function atLeastOne<T>(items: Arbitrary<T>, maxLength: number, plain: T): Arbitrary<readonly T[]> {
  return fc.array(items, { maxLength }).map((drawn) => (drawn.length === 0 ? [plain] : drawn));
}

function downAnswers(timeoutMs: number, hasRetryAfter: boolean): Arbitrary<DownAnswer> {
  const tookMs = fc.integer({ min: 0, max: Math.floor(timeoutMs) });
  const statuses = fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...RETRIED_STATUSES) },
    { weight: 2, arbitrary: fc.constantFrom(...STATUSES_OF_PROXIES) },
    { weight: 2, arbitrary: fc.constantFrom(...REFUSED_STATUSES) },
    { weight: 1, arbitrary: fc.integer({ min: 300, max: 599 }) },
  );
  const retryAfter = fc.record({
    seconds: fc.oneof(fc.nat(10), fc.integer({ min: -60, max: MAX_RETRY_AFTER_S })),
    form: fc.constantFrom<("seconds" | "date")[]>("seconds", "date"),
  });
  const plain: Arbitrary<DownAnswer> = fc.record({ gives: statuses, tookMs });
  const silent: Arbitrary<DownAnswer> = fc
    .tuple(fc.constantFrom(...RECEIVER_FAULTS), tookMs)
    .map(([gives, ms]) => ({ gives, tookMs: gives === "timeout" ? timeoutMs : ms }));
  const asking = fc.tuple(plain, fc.option(retryAfter)).map(([answer, asked]): DownAnswer => {
    return asked === null ? answer : { ...answer, retryAfter: asked };
  });
  return fc.oneof(hasRetryAfter ? asking : plain, silent);
}
