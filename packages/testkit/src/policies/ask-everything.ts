// Asks a schedule every question that a delivery can lead to: each number of rounds that the window holds, after each answer, with a hold
// and without. A drawn outage reaches only some of them.

import {
  type DeliveryPolicy,
  endpointId,
  epochMs,
  type RetrySchedule,
  type ScheduleInput,
  windowEnd,
} from "@postrider/core";
import { recordAttempt, watchSchedule } from "@postrider/core/engine";
import { type DownAnswer, RECEIVER_FAULTS, REFUSED_STATUSES, RETRIED_STATUSES, STATUSES_OF_PROXIES } from "./outage.js";
import { ANSWER_MS, replyOf } from "./played-receivers.js";

/** The most rounds that are asked about: all that four hours hold with retries after five seconds. */
const MAX_ASKED_ROUNDS = 2_880;

/** The first questions, which are asked once more at the end: a schedule that remembers what it was asked answers otherwise then. */
const ASKED_AGAIN = 500;

/** The mistake of each schedule that was asked, or `undefined`: one suite has several wishes for one schedule. */
const mistakes = new WeakMap<RetrySchedule, { readonly text: string | undefined }>();

/** Throws an error with the question and the answer if the policy has a schedule that fails, or that answers a question in two ways. */
export function demandAnyQuestion(policy: DeliveryPolicy): void {
  const { schedule } = policy;
  if (schedule === undefined) return;
  const found = mistakes.get(schedule) ?? { text: firstMistake(policy, schedule) };
  mistakes.set(schedule, found);
  if (found.text !== undefined) throw new Error(found.text);
}

function firstMistake(policy: DeliveryPolicy, schedule: RetrySchedule): string | undefined {
  let text: string | undefined;
  const watched = watchSchedule(schedule, (mistake) => (text ??= mistake.text));
  const ask = (input: ScheduleInput): unknown => {
    try {
      return watched.next(input);
    } catch {
      // The mistake has been noted.
      return undefined;
    }
  };
  const answered: { readonly input: ScheduleInput; readonly answer: unknown }[] = [];
  for (const input of questions(policy)) {
    const answer = ask(input);
    if (text !== undefined) return text;
    if (answered.length < ASKED_AGAIN) answered.push({ input, answer });
  }
  for (const { input, answer } of answered) {
    const later = ask(input);
    if (later === answer) continue;
    const did = `answered ${String(answer)}, and after other questions ${String(later)}`;
    return text ?? `the schedule ${schedule.name} ${did}, asked with ${JSON.stringify(input)}`;
  }
  return undefined;
}

function* questions(policy: DeliveryPolicy): Generator<ScheduleInput> {
  const firstAttemptAt = epochMs(Date.UTC(2026, 0, 5));
  const windowEndsAt = windowEnd(policy, firstAttemptAt);
  const most = Math.min(MAX_ASKED_ROUNDS, Math.max(1, Math.floor(policy.retryWindowMs / policy.firstRetryMs)));
  for (let rounds = 1; rounds <= most; rounds += 1) {
    const roundStartedAt = epochMs(firstAttemptAt + (rounds - 1) * policy.firstRetryMs);
    const now = epochMs(roundStartedAt + ANSWER_MS);
    for (const [index, attempts] of ATTEMPTS.entries()) {
      const draw = ((rounds * ATTEMPTS.length + index) % 64) / 64;
      const hold = index % 2 === 0 ? {} : { heldUntil: epochMs(now + policy.maxRetryAfterMs) };
      yield { rounds, firstAttemptAt, roundStartedAt, attempts, windowEndsAt, now, draw, ...hold };
    }
  }
}

const ENDPOINTS = [1, 2].map((number) => endpointId(`https://${String(number)}.example/`));

/** The attempts of a failed round: one with each end, and two whose ends differ. */
const ATTEMPTS: readonly ScheduleInput["attempts"][] = allAttempts();

function allAttempts(): readonly ScheduleInput["attempts"][] {
  const ends = [...RETRIED_STATUSES, ...STATUSES_OF_PROXIES, ...REFUSED_STATUSES, ...RECEIVER_FAULTS];
  const alone = ends.map((gives) => [attemptWith(gives, 0)]);
  const pairs = ends.map((gives, index) => [
    attemptWith(gives, 0),
    attemptWith(ends[(index + 1) % ends.length] ?? gives, 1),
  ]);
  return [...alone, ...pairs];
}

function attemptWith(gives: DownAnswer["gives"], place: number): ScheduleInput["attempts"][number] {
  const startedAt = epochMs(0);
  const reply = replyOf({ gives, tookMs: ANSWER_MS }, startedAt);
  const { endpoint, result, verdict } = recordAttempt(
    { endpoint: ENDPOINTS[place] ?? endpointId(""), startedAt, reply },
    1,
  );
  return { endpoint, result, verdict };
}
