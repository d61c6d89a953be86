// A watched schedule answers as before, and each of its mistakes is reported with the question and the answer.

import { DEFAULT_RETRY_POLICY, endpointId, epochMs, type RetrySchedule, type ScheduleInput } from "@postrider/core";
import { type ScheduleMistake, watchPolicy, watchSchedule } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";

const QUESTION: ScheduleInput = {
  rounds: 3,
  firstAttemptAt: epochMs(0),
  roundStartedAt: epochMs(10),
  attempts: [{ endpoint: endpointId("https://a.test/"), result: { kind: "answered", status: 503 }, verdict: "retry" }],
  windowEndsAt: epochMs(1_000),
  now: epochMs(20),
  draw: 0.5,
};

function watch(next: (input: ScheduleInput) => unknown): {
  readonly schedule: RetrySchedule;
  readonly mistakes: readonly ScheduleMistake[];
} {
  const mistakes: ScheduleMistake[] = [];
  const asGiven = { name: "ours", next: next as RetrySchedule["next"] };
  return { schedule: watchSchedule(asGiven, (mistake) => mistakes.push(mistake)), mistakes };
}

const TEXT = JSON.stringify(QUESTION);

describe("a schedule without a mistake", () => {
  it.each([5_000, 0.5, -1, "give-up"] as const)("answers %s, and nothing is reported", (answer) => {
    const { schedule, mistakes } = watch(() => answer);
    expect(schedule.name).toBe("ours");
    expect(schedule.next(QUESTION)).toBe(answer);
    expect(mistakes).toEqual([]);
  });

  it("cannot change the question of its second answer, nor that of the caller", () => {
    const { schedule, mistakes } = watch(({ attempts }) => {
      const [{ result } = { result: undefined }] = attempts;
      return Object.assign(result ?? {}, { status: 504 }).status;
    });
    expect(schedule.next(QUESTION)).toBe(504);
    expect(mistakes).toEqual([]);
    expect(JSON.stringify(QUESTION)).toBe(TEXT);
  });
});

describe("a mistake", () => {
  it.each<[unknown, string]>([
    [NaN, "NaN"],
    [Infinity, "Infinity"],
    [undefined, "undefined"],
    [null, "null"],
    [true, "true"],
    ["5000", '"5000"'],
    [{}, "a value of type object"],
    [10n, "a value of type bigint"],
  ])("%s is reported, and answered as it is", (answer, text) => {
    const { schedule, mistakes } = watch(() => answer);
    expect(schedule.next(QUESTION)).toBe(answer);
    expect(mistakes).toEqual([{ kind: "no-number", text: `the schedule ours answered ${text}, asked with ${TEXT}` }]);
  });

  it("of an error is reported, and the same error is thrown", () => {
    const error = new TypeError("no table");
    const { schedule, mistakes } = watch(() => {
      throw error;
    });
    expect(() => schedule.next(QUESTION)).toThrow(error);
    expect(mistakes).toEqual([
      { kind: "threw", text: `the schedule ours threw TypeError: no table, asked with ${TEXT}` },
    ]);
  });

  it.each<[string, (count: number) => unknown, string]>([
    ["another number", (count) => count, "answered 1 and then 2"],
    ["giving up", (count) => (count > 1 ? "give-up" : 1), "answered 1 and then give-up"],
  ])("of a second answer with %s is reported", (_, answer, text) => {
    let count = 0;
    const { schedule, mistakes } = watch(() => answer((count += 1)));
    expect(schedule.next(QUESTION)).toBe(1);
    expect(mistakes).toEqual([{ kind: "unsteady", text: `the schedule ours ${text}, asked with ${TEXT}` }]);
  });

  it("that only the second answer makes is reported too", () => {
    let count = 0;
    const { schedule, mistakes } = watch(() => ((count += 1) > 1 ? NaN : 1));
    expect(schedule.next(QUESTION)).toBe(1);
    expect(mistakes.map(({ kind }) => kind)).toEqual(["no-number"]);
  });
});

describe("a policy", () => {
  it("without a schedule stays as it is", () => {
    expect(watchPolicy(DEFAULT_RETRY_POLICY, ({ text }) => expect.unreachable(text))).toBe(DEFAULT_RETRY_POLICY);
  });

  it("with a schedule has a watched one", () => {
    const mistakes: ScheduleMistake[] = [];
    const schedule: RetrySchedule = { name: "ours", next: () => NaN };
    const policy = { ...DEFAULT_RETRY_POLICY, schedule };
    const watched = watchPolicy(policy, (mistake) => mistakes.push(mistake));
    expect(watched).toMatchObject(DEFAULT_RETRY_POLICY);
    expect(watched.schedule.next(QUESTION)).toBeNaN();
    expect(mistakes.map(({ kind }) => kind)).toEqual(["no-number"]);
  });
});
