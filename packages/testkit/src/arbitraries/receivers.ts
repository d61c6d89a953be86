// Receivers with troubles, the replies that a receiver may give, and outages: rounds that all fail, played against core's
// retry schedule. Must not import the simulator: the types here have the shape of its receivers.

import { defined, watchPolicy } from "@postrider/core/engine";
import fc, { type Arbitrary } from "fast-check";
import { FAULTS, type Reply, type Draws, epochMs, type RetryPolicy, scheduleRetry } from "@postrider/core";

/** A receiver that the simulator accepts. */
interface TroubledReceiver {
  readonly usually: TroubledAnswers;
  /** The most milliseconds by which an answer is delayed at random. */
  readonly spreadMs: number;
}

/** The receiver answers 200, except for these troubles. */
interface TroubledAnswers {
  readonly kind: "troubled";
  readonly usually: { readonly kind: "answers"; readonly status: number; readonly afterMs: number };
  /** The share of requests that are answered 500, by chance. */
  readonly errors: number;
  /** The share of messages that are answered 500 each time. */
  readonly poisoned: number;
  /** The greatest number of open requests; further requests get 503. No limit if absent. */
  readonly bears?: number;
}

/** Just below the default timeout of 5 s. */
const SLOWEST_MS = 4_900;

/**
 * Receivers with any of these troubles, several of them, or none: slow, random failures, messages that are never
 * accepted, a low bound of open requests.
 */
export function troubledReceivers(): Arbitrary<TroubledReceiver> {
  return fc.record({ usually: troubles(), spreadMs: durations(500) });
}

function troubles(): Arbitrary<TroubledAnswers> {
  return fc
    .record({
      afterMs: durations(SLOWEST_MS),
      errors: shares(0.5),
      poisoned: shares(0.4),
      bears: fc.option(fc.integer({ min: 1, max: 100 }), { nil: undefined }),
    })
    .map(({ afterMs, errors, poisoned, bears }) => ({
      kind: "troubled",
      usually: { kind: "answers", status: 200, afterMs },
      errors,
      poisoned,
      ...defined({ bears }),
    }));
}

/** A share from 0 to `most`, often 0. */
function shares(most: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.double({ min: 0, max: most, noNaN: true }));
}

function durations(mostMs: number): Arbitrary<number> {
  return fc.oneof(fc.constant(0), fc.integer({ min: 0, max: mostMs }));
}

const RETRY_AFTER = ["0", "1", "120", "86400", "99999999999", "-1", "soon", "Wed, 21 Oct 2065 07:28:00 GMT", ""];

/** Any reply that the HTTP port can give. */
export function replies(): Arbitrary<Reply> {
  return fc.oneof(answers(fc.integer({ min: 200, max: 599 })), silences());
}

/**
 * Replies with the verdict `retry`: 5xx, 408, 423, 425, 429, or silence. Its fault is never `local`, nor one that counts as a
 * refusal, such as `self-signed`.
 */
export function retryableReplies(): Arbitrary<Reply> {
  const status = fc.oneof(fc.integer({ min: 500, max: 599 }), fc.constantFrom(408, 423, 425, 429));
  const excludedFaults = ["self-signed", "forbidden-address", "invalid-header", "local"];
  const retryableSilences = silences().filter(
    (reply) => reply.kind === "silent" && !excludedFaults.includes(reply.fault),
  );
  return fc.oneof(answers(status), retryableSilences);
}

function answers(statuses: Arbitrary<number>): Arbitrary<Reply> {
  return fc.record(
    {
      kind: fc.constant("answered" as const),
      status: statuses,
      afterMs: answerTimes(),
      retryAfter: fc.constantFrom(...RETRY_AFTER),
      excerpt: fc.uint8Array({ maxLength: 16 }),
    },
    { requiredKeys: ["kind", "status", "afterMs", "excerpt"] },
  );
}

function silences(): Arbitrary<Reply> {
  return fc.record({ kind: fc.constant("silent" as const), fault: fc.constantFrom(...FAULTS), afterMs: answerTimes() });
}

function answerTimes(): Arbitrary<number> {
  return fc.double({ min: 0, max: 5_000, noNaN: true });
}

/**
 * One failed round, as plain data: its duration, the random numbers drawn after it, the Retry-After of the receiver.
 */
interface FailedRound {
  readonly tookMs: number;
  readonly draws: Draws;
  /** The delay that the receiver's Retry-After asks for; absent if there is none. */
  readonly heldMs?: number;
}

/** The rounds of an outage, in order. After the last one, the first is played again. */
export type Outage = readonly [FailedRound, ...FailedRound[]];

/** The options of the arbitrary of outages. Times are in milliseconds. */
export interface OutageOptions {
  /** The longest duration of a round: the `timeoutMs` of the policy. 5,000 if absent. */
  readonly timeoutMs?: number;
  /** The longest Retry-After that receivers send; 0, the default, if they send none. */
  readonly maxHoldMs?: number;
}

/** The most rounds that are played, even if the window leaves room for more. */
export const MAX_PLAYED_ROUNDS = 10_000;

/** Outages of any length and kind. */
export function outages({ timeoutMs = 5_000, maxHoldMs = 0 }: OutageOptions = {}): Arbitrary<Outage> {
  const round = fc.record(
    {
      tookMs: fc.integer({ min: 0, max: timeoutMs }),
      draws: retryDraws(),
      ...(maxHoldMs === 0 ? {} : { heldMs: fc.integer({ min: 1, max: maxHoldMs }) }),
    },
    { requiredKeys: ["tookMs", "draws"] },
  );
  return fc.tuple(round, fc.array(round, { maxLength: 30 })).map(([first, more]) => [first, ...more]);
}

/** The random numbers of one call of `scheduleRetry`. */
export function retryDraws(): Arbitrary<Draws> {
  const unit = fc.double({ min: 0, max: 1, maxExcluded: true, noNaN: true });
  return fc.record({ delay: unit, slot: unit });
}

/**
 * Plays a policy against an endless outage. Returns the start of each round, in milliseconds from the start of the
 * first, which is 0. After the last round the delivery is dead, or 10,000 rounds were played. Throws an error
 * with the question and the answer if a schedule fails, or answers a question in two ways. The schedule gets no attempts: the wishes of
 * `/policies` give it some.
 *
 * @example
 * fc.assert(fc.property(outages(), (outage) => {
 *   const starts = playOutage(myPolicy, outage);
 *   // A receiver that is down for an hour still gets its message.
 *   return starts.some((startMs) => startMs >= 3_600_000);
 * }));
 */
export function playOutage(policy: RetryPolicy, outage: Outage): readonly number[] {
  const mistakes: string[] = [];
  const watched = watchPolicy(policy, ({ text }) => mistakes.push(text));
  const starts = [0];
  let roundStartedAt = epochMs(0);
  while (starts.length < MAX_PLAYED_ROUNDS) {
    const round = outage[(starts.length - 1) % outage.length] ?? outage[0];
    const endedAt = epochMs(roundStartedAt + round.tookMs);
    const hold = round.heldMs === undefined ? {} : { heldUntil: epochMs(endedAt + round.heldMs) };
    const history = { rounds: starts.length, firstAttemptAt: epochMs(0), roundStartedAt, ...hold };
    const plan = scheduleRetry(watched, history, round.draws, endedAt);
    if (mistakes[0] !== undefined) throw new Error(mistakes[0]);
    if (plan.kind === "expired") return starts;
    roundStartedAt = plan.dueAt;
    starts.push(roundStartedAt);
  }
  return starts;
}
