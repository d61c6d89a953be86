import type { RetrySchedule, ScheduleInput } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createRig, HOUR, offsets, track } from "./rig.js";

const namedSchedule = (name: string, next: RetrySchedule["next"]): RetrySchedule => ({ name, next });

describe("a relay with a schedule of its host", () => {
  it("tries again when the schedule says, and gives up when it says so", async () => {
    const inputs: ScheduleInput[] = [];
    const schedule = namedSchedule("steady", (input) => {
      inputs.push(input);
      return input.rounds === 4 ? "give-up" : 120_000;
    });
    const rig = createRig({ receivers: { a: { status: 503, afterMs: 10 } }, delivery: { schedule } });
    await rig.accept(track());
    await rig.advance(HOUR);

    expect(offsets(rig.seen).map((ms) => Math.round(ms / 1_000))).toEqual([0, 120, 240, 360]);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "expired", detail: "503" });
    const results = inputs.map(({ attempts }) => attempts.map(({ result, verdict }) => ({ ...result, verdict })));
    expect(results).toEqual(Array.from({ length: 4 }, () => [{ kind: "answered", status: 503, verdict: "retry" }]));
    expect(new Set(inputs.map(({ firstAttemptAt }) => firstAttemptAt)).size).toBe(1);
    expect(new Set(inputs.map(({ draw }) => draw)).size).toBe(4);
  });

  it("waits for a Retry-After first, whatever the schedule says", async () => {
    const receiver = { status: 503, retryAfter: "100" };
    const rig = createRig({ receivers: { a: receiver }, delivery: { schedule: namedSchedule("hasty", () => 0) } });
    await rig.accept(track());
    await rig.advance(130_000);
    expect(rig.seen).toHaveLength(2);
    expect(offsets(rig.seen)[1]).toBeGreaterThanOrEqual(100_000);
  });

  it("goes on by the numbers of the policy if the schedule fails, reports each time and logs once for each name", async () => {
    const failing = (name: string): RetrySchedule =>
      namedSchedule(name, () => {
        throw new Error("CANARY");
      });
    const rig = createRig({ receivers: { a: { status: 503 } }, delivery: { schedule: failing("ours") } });
    await rig.accept(track());
    await rig.advance(60_000);
    expect(rig.seen.length).toBeGreaterThanOrEqual(4);

    const { delivery, ...rest } = rig.relay().workspace();
    const useless = namedSchedule("useless", () => NaN);
    rig
      .relay()
      .configure({ ...rest, delivery: { ...delivery, schedule: useless } })
      ._unsafeUnwrap();
    await rig.advance(HOUR);

    const events = rig.events.filter(({ kind }) => kind === "schedule-fault");
    expect(events.length).toBeGreaterThan(8);
    const logged = rig.logged.filter(([, { code }]) => code === "schedule-fault");
    expect(logged.map(([level, { detail }]) => [level, detail])).toEqual([
      ["warning", "the schedule ours threw: the numbers of the policy decide instead; this is logged once"],
      [
        "warning",
        "the schedule useless answered no finite number: the numbers of the policy decide instead; this is logged once",
      ],
    ]);
    expect(JSON.stringify([rig.logged, rig.events])).not.toContain("CANARY");
  });

  it("is not asked for the try that follows a first refusal, and is asked after that", async () => {
    const inputs: ScheduleInput[] = [];
    const schedule = namedSchedule("steady", (input) => {
      inputs.push(input);
      return 600_000;
    });
    const rig = createRig({ receivers: { a: { status: 404 } }, delivery: { schedule } });
    await rig.accept(track());
    await rig.advance(60_000);
    expect(offsets(rig.seen)).toHaveLength(2);
    expect(offsets(rig.seen)[1]).toBeLessThan(46_000);
    await rig.advance(700_000);
    expect(offsets(rig.seen)[2]).toBeGreaterThanOrEqual(600_000);
    expect(inputs.map(({ rounds }) => rounds)).toEqual([2, 3]);
  });

  it("tries a message that is refused once more although its host gives up at once", async () => {
    const schedule = namedSchedule("hopeless", () => "give-up");
    const rig = createRig({ receivers: { a: { status: 404 } }, delivery: { schedule } });
    await rig.accept(track());
    await rig.advance(60_000);
    expect(await rig.only()).toMatchObject({ state: "dead", reason: "refused", detail: "404", attemptCount: 2 });
  });

  it("delivers across hours, since a due time within the window shows no clock that was set back", async () => {
    const schedule = namedSchedule("patient", () => 3 * HOUR);
    const rig = createRig({
      receivers: { a: ({ nth }) => ({ status: nth === 1 ? 503 : 200 }) },
      delivery: { schedule },
    });
    await rig.accept(track());
    await rig.advance(4 * HOUR);
    expect(offsets(rig.seen).map((ms) => Math.round(ms / HOUR))).toEqual([0, 3]);
    expect(rig.events.filter(({ kind }) => kind === "pulled-in")).toEqual([]);
  });

  const noSchedules: readonly unknown[] = [
    { next: (): number => 1 },
    { name: " ", next: (): number => 1 },
    { name: 7, next: (): number => 1 },
    { name: "a", next: 1 },
    null,
    "a",
  ];

  it.each(noSchedules)("refuses what is no schedule: %j", (schedule) => {
    const create = (): unknown => createRig({ delivery: { schedule: schedule as RetrySchedule } });
    expect(create).toThrow(
      "workspace.delivery.schedule: expected a schedule: an object with a name and a function next",
    );
  });
});
