// Schedules of a user that are right for a receiver which answers 503, and wrong for something else: each is found, with a sentence in the
// message of fast-check's error, and with an outage of one endpoint with one answer.

import { DEFAULT_DELIVERY, type RetrySchedule, type ScheduleInput } from "@postrider/core";
import {
  atLeastRounds,
  backWithin,
  firstRetryWithin,
  type LaneOutage,
  playLane,
  type PolicyProperty,
  spreadsRetries,
  survivesOutage,
} from "@postrider/testkit/policies";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const SECOND = 1_000;
const MINUTE = 60_000;
const HOUR = 3_600_000;

/** A delay that grows from 5 seconds to 15 minutes. */
const grow = ({ rounds, draw }: ScheduleInput): number => Math.min(900_000, 5_000 * 2 ** (rounds - 1)) * (1 + draw / 2);

const has = (input: ScheduleInput, wanted: number | string): boolean =>
  input.attempts.some(({ result }) => (result.kind === "answered" ? result.status : result.fault) === wanted);
const isHeld = ({ heldUntil, now }: ScheduleInput): boolean => (heldUntil ?? 0) > now;
const isLastDay = (at: number): boolean => new Date(at + 24 * HOUR).getUTCDate() === 1;
const isSilent = ({ attempts }: ScheduleInput): boolean => attempts.some(({ result }) => result.kind === "silent");

const survives = (schedule: RetrySchedule): PolicyProperty => survivesOutage({ schedule }, { outageMs: 3 * HOUR });
const isBack = (schedule: RetrySchedule): PolicyProperty =>
  backWithin({ schedule }, { outageMs: HOUR, withinMs: 25 * MINUTE });
const isPrompt = (schedule: RetrySchedule): PolicyProperty => firstRetryWithin({ schedule }, { withinMs: 10 * SECOND });
const spreads = (schedule: RetrySchedule): PolicyProperty => spreadsRetries({ schedule }, { share: 0.7 });
const isPersistent = (schedule: RetrySchedule): PolicyProperty => atLeastRounds({ schedule }, { rounds: 12 });

const WISHES = [survives, isBack, isPrompt, spreads, isPersistent];

/** The message with which `fc.assert` fails, and the smallest outage. */
function failureOf(property: PolicyProperty): { readonly message: string; readonly outage: LaneOutage | undefined } {
  const details = fc.check(property);
  return { message: fc.defaultReportMessage(details) ?? "it was not found", outage: details.counterexample?.[0] };
}

describe("a schedule without a flaw", () => {
  it("passes every wish", () => {
    const schedule: RetrySchedule = { name: "grows", next: grow };
    for (const wish of WISHES) fc.assert(wish(schedule));
  });
});

describe("a schedule with one flaw is found, with one endpoint and one answer", () => {
  it.each<[string, (input: ScheduleInput) => unknown, (schedule: RetrySchedule) => PolicyProperty, RegExp]>([
    [
      "gives up on 429",
      (input) => (has(input, 429) ? "give-up" : grow(input)),
      survives,
      /"gives":429.*, since down for .+: a call died after 1 try, the last one 0 ms after it came/,
    ],
    [
      "gives up on a timeout",
      (input) => (has(input, "timeout") ? "give-up" : grow(input)),
      survives,
      /"gives":"timeout".*, since down for .+: a call died after 1 try/,
    ],
    [
      "gives up on refusals",
      (input) => (input.attempts.every(({ verdict }) => verdict === "refused") ? "give-up" : grow(input)),
      survives,
      /, since down for .+: a call died after 2 tries/,
    ],
    [
      "waits for ever after 500",
      (input) => (has(input, 500) ? Number.MAX_SAFE_INTEGER : grow(input)),
      isBack,
      /"gives":500.*, since back after .+: the last call was delivered .+ later, not within 25 min/,
    ],
    [
      "waits long once it was asked to wait",
      (input) => ((input.heldUntil ?? 0) > input.now ? 7_200_000 : grow(input)),
      isBack,
      /"retryAfter".*, since back after .+: the last call was delivered/,
    ],
    [
      "waits a minute after a reset",
      (input) => (has(input, "connection-reset") ? 60_000 : grow(input)),
      isPrompt,
      /"connection-reset".*1 min|60 s/,
    ],
    [
      "sleeps at night",
      (input) => (new Date(input.now).getUTCHours() < 5 ? 6 * HOUR : grow(input)),
      isBack,
      /"startsAt":\d+.*, since back after/,
    ],
    [
      "has no jitter",
      (input) => grow({ ...input, draw: 0 }),
      spreads,
      /, since retry 1: 100 of 100 calls that failed together were tried again in one second, not at most 70/,
    ],
    [
      "waits an hour after a status that only a proxy sends",
      (input) => ([520, 521, 522, 523, 524, 525, 526].some((status) => has(input, status)) ? HOUR : grow(input)),
      isBack,
      /"gives":52\d.*, since back after/,
    ],
    [
      "waits through the last night of a month",
      (input) => (isLastDay(input.now) ? 8 * HOUR : grow(input)),
      isBack,
      /"startsAt":\d+.*, since back after/,
    ],
    [
      "adds no jitter to a hold, since holds have some",
      (input) =>
        isHeld(input) ? Math.max(Number(input.heldUntil) - input.now, grow({ ...input, draw: 0 })) : grow(input),
      spreads,
      /"retryAfter".*, since retry \d+: \d+ of 100 calls that failed together were tried again in one second/,
    ],
    [
      "waits an hour after six rounds",
      (input) => (input.rounds < 6 ? grow(input) : HOUR),
      isPersistent,
      /, since down for the whole window of 4 h: \d+ tries, not at least 12/,
    ],
  ])("%s", (name, next, wish, message) => {
    const found = failureOf(wish({ name, next: next as RetrySchedule["next"] }));
    expect(found.message).toMatch(message);
    expect(found.outage?.endpoints).toHaveLength(1);
    expect(found.outage?.endpoints[0]?.answers).toHaveLength(1);
  });
});

describe("a schedule that fails is found by each wish, with the question and the answer", () => {
  let calls = 0;
  const asked = new Map<number, number>();
  it.each<[string, (input: ScheduleInput) => unknown, RegExp]>([
    [
      "always throws",
      () => {
        throw new TypeError("no such table");
      },
      /the schedule always throws threw TypeError: no such table, asked with \{"rounds":1,/,
    ],
    [
      "throws on silence",
      (input) => {
        if (isSilent(input)) throw new RangeError("silence");
        return grow(input);
      },
      /threw RangeError: silence, asked with .*"kind":"silent"/,
    ],
    ["answers NaN on silence", (input) => (isSilent(input) ? NaN : grow(input)), /answered NaN, asked with .*"silent"/],
    [
      "answers nothing after a hundred rounds",
      (input) => (input.rounds > 100 ? undefined : grow(input)),
      /answered undefined, asked with \{"rounds":101,/,
    ],
    ["is asynchronous", (input) => Promise.resolve(grow(input)), /answered a value of type object, asked with/],
    ["answers a text", (input) => String(grow({ ...input, draw: 0 })), /answered "5000", asked with/],
    ["keeps state between calls", () => 5_000 * 2 ** calls++, /answered \d+ and then \d+, asked with \{"rounds":1,/],
    [
      "remembers whom it was asked about",
      (input) => {
        asked.set(input.rounds, (asked.get(input.rounds) ?? 0) + 1);
        return asked.get(input.rounds)! > 300 ? 60_000 : grow({ ...input, draw: 0 });
      },
      /answered 5000, and after other questions 60000, asked with \{"rounds":1,/,
    ],
    [
      "draws by itself",
      (input) => grow({ ...input, draw: Math.random() }),
      /answered [\d.]+ and then [\d.]+, asked with/,
    ],
    [
      "fails for two receivers that differ",
      (input) => (new Set(input.attempts.map(({ result }) => result.kind)).size > 1 ? -Infinity : grow(input)),
      /answered -Infinity, asked with .*"silent"/,
    ],
  ])("%s", (name, next, message) => {
    const schedule = { name, next: next as RetrySchedule["next"] };
    for (const wish of WISHES) expect(failureOf(wish(schedule)).message).toMatch(message);
  });

  it("is found by a played lane at the first question", () => {
    const schedule: RetrySchedule = { name: "broken", next: () => NaN };
    const endpoints = [{ answers: [{ gives: "timeout", tookMs: 5_000 }] }] as const;
    const outage: LaneOutage = { lastsMs: HOUR, endpoints, startsAt: 0, seed: 1 };
    expect(() => playLane({ ...DEFAULT_DELIVERY, schedule }, outage)).toThrow(
      /^the schedule broken answered NaN, asked with \{"attempts":\[\{"endpoint":"https:\/\/1.example\/"/,
    );
  });
});
