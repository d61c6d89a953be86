// The health of a store by its answers and faults, the reports of both, and the time after which a store counts as stalled.

import type { DeliveryStore, StoreErrorCode } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  COMMIT_WINDOW_MS,
  FULL_FADES_MS,
  MIN_FAILED_COMMITS,
  STALL_PROBE_MS,
  STALL_SLACK_MS,
} from "../../../packages/relay/src/limits.js";
import type { EventFacts } from "../../../packages/relay/src/relay-event.js";
import { createStoreClock } from "../../../packages/relay/src/fleet/clock.js";
import { createStallWatch } from "../../../packages/relay/src/commits/stall.js";
import { createStorage } from "../../../packages/relay/src/commits/storage.js";
import { storeError } from "../rig.js";

const STALL_MS = 3_000;
const HEALTHY = { kind: "healthy" };

function sick(reason: string): object {
  return { kind: "unhealthy", reason };
}

function open() {
  const clock = createManualClock();
  const events: EventFacts[] = [];
  let end: (why: string) => void = () => undefined;
  const store = { onEnd: (listener: (why: string) => void) => (end = listener) } as unknown as DeliveryStore;
  const storage = createStorage(store, {
    clock: createStoreClock(clock),
    emit: (event) => events.push(event),
    stallMs: STALL_MS,
  });
  const fail = async (error: unknown): Promise<unknown> =>
    (await storage.ask(() => Promise.reject(error as Error)))._unsafeUnwrapErr().code;
  const answer = async (): Promise<unknown> => (await storage.ask(() => Promise.resolve("yes"))).unwrapOr("no");
  /** A request that is under way until it is answered. */
  const begin = () => {
    let finish: () => void = () => undefined;
    const pending = storage.ask(() => new Promise<void>((resolve) => (finish = resolve)));
    return async (): Promise<void> => {
      finish();
      (await pending)._unsafeUnwrap();
    };
  };
  return {
    clock,
    events,
    storage,
    fail,
    answer,
    begin,
    end: (why: string): void => {
      end(why);
    },
  };
}

describe("the health of a store", () => {
  it.each([
    ["unavailable", sick("unavailable")],
    ["corrupt", sick("corrupt")],
    ["full", sick("full")],
    ["busy", HEALTHY],
  ] as const)("after a fault `%s` says so, and the fault is reported", async (code: StoreErrorCode, health) => {
    const { storage, fail, events } = open();
    expect(await fail(storeError(code))).toBe(code);
    expect(storage.health()).toEqual(health);
    expect(events).toEqual([{ kind: "store-fault", code, ...(code === "corrupt" ? { why: code } : {}) }]);
  });

  it("is unavailable after an error without a code, which is reported with its words", async () => {
    const { storage, fail, events } = open();
    expect(await fail(new Error("no such table"))).toBe("unavailable");
    expect(await fail("no error at all")).toBe("unavailable");
    expect(storage.health()).toEqual(sick("unavailable"));
    expect(events).toEqual([
      { kind: "store-fault", code: "unavailable", why: "no such table" },
      { kind: "store-fault", code: "unavailable" },
    ]);
  });

  it("stays unavailable once the store has ended, whatever it answers to what was asked before a fault and the end", async () => {
    const { storage, fail, begin, end } = open();
    const finish = begin();
    await fail(storeError("busy"));
    end("the thread is gone");
    await finish();
    expect(storage.health()).toEqual(sick("unavailable"));
  });

  it("is good again once the store answers", async () => {
    const { storage, fail, answer } = open();
    await fail(storeError("unavailable"));
    expect(await answer()).toBe("yes");
    expect(storage.health()).toEqual(HEALTHY);
  });

  it("is not good again by an answer to a request that was made before a fault, of the store or of its process", async () => {
    const { storage, fail, begin } = open();
    const before = begin();
    await fail(storeError("unavailable"));
    await before();
    expect(storage.health()).toEqual(sick("unavailable"));
    const ended = open();
    const last = ended.begin();
    ended.end("its thread");
    await last();
    expect(ended.storage.health()).toEqual(sick("unavailable"));
    expect(await ended.answer()).toBe("no");
  });

  it("is not good again by an answer to a request that another fault has overtaken, of whatever kind", async () => {
    const { storage, fail, begin } = open();
    await fail(storeError("unavailable"));
    const between = begin();
    await fail(storeError("busy"));
    await between();
    expect(storage.health()).toEqual(sick("unavailable"));
  });

  it("does not suffer from a request that fails after a later one was answered, as over one silent connection", async () => {
    const { storage, answer } = open();
    let fail: (error: Error) => void = () => undefined;
    const silent = storage.ask(() => new Promise((_, reject) => (fail = reject)));
    await answer();
    fail(storeError("unavailable"));
    expect((await silent).isErr()).toBe(true);
    expect(storage.health()).toEqual(HEALTHY);
  });

  it("stays corrupt whatever follows, and a corrupt store is not asked again", async () => {
    const { storage, fail, answer, begin, end } = open();
    const [one, other] = [begin(), begin()];
    await fail(storeError("corrupt"));
    await one();
    expect(await answer()).toBe("no");
    expect(await fail(storeError("busy"))).toBe("corrupt");
    end("its thread");
    await other();
    expect(storage.health()).toEqual(sick("corrupt"));
  });

  it("after a full store is good again after a time, or once something new is stored, but not by a read", async () => {
    const { clock, storage, fail, answer } = open();
    await fail(storeError("full"));
    await answer();
    await clock.advance(FULL_FADES_MS - 1);
    expect(storage.health()).toEqual(sick("full"));
    await clock.advance(1);
    expect(storage.health()).toEqual(HEALTHY);
    await fail(storeError("full"));
    storage.noteNotFull();
    expect(storage.health()).toEqual(HEALTHY);
  });

  it("is stalled while the oldest request is without an answer for too long", async () => {
    const { clock, storage, events, begin } = open();
    const finish = begin();
    await clock.advance(STALL_MS - 1);
    expect(storage.health()).toEqual(HEALTHY);
    await clock.advance(1);
    expect(storage.health()).toEqual(sick("stalled"));
    await clock.advance(500);
    await finish();
    expect(storage.health()).toEqual(HEALTHY);
    expect(events).toEqual([
      { kind: "store-stalled", forMs: STALL_MS },
      { kind: "store-answers", afterMs: STALL_MS + 500 },
    ]);
  });
});

describe("the health of a store whose commits fail", () => {
  const BUSY = { code: "busy" } as const;

  it("is red within seconds once more than half of them do, though all else is answered, and good again when they succeed", async () => {
    const { clock, storage, answer } = open();
    for (let commit = 0; commit < 40; commit += 1) {
      storage.beginCommit()(commit % 4 === 0 ? undefined : BUSY);
      await answer();
      await clock.advance(250);
    }
    expect(storage.health()).toEqual(sick("unavailable"));
    for (let commit = 0; commit < 40; commit += 1) {
      storage.beginCommit()();
      await clock.advance(250);
    }
    expect(storage.health()).toEqual(HEALTHY);
  });

  it("says so exactly if more than half of those of the last seconds have failed, and enough of them", () =>
    fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ isMade: fc.boolean(), afterMs: fc.nat({ max: 1_500 }) }), { maxLength: 60 }),
        async (commits) => {
          const { clock, storage } = open();
          const ended: { readonly at: number; readonly isMade: boolean }[] = [];
          for (const { isMade, afterMs } of commits) {
            await clock.advance(afterMs);
            storage.beginCommit()(isMade ? undefined : BUSY);
            ended.push({ at: clock.monotonic(), isMade });
          }
          const since = (ms: number) => ended.filter(({ at }) => at > clock.monotonic() - ms);
          const fails = (of: typeof ended) => {
            const failed = of.filter(({ isMade }) => !isMade).length;
            return failed >= MIN_FAILED_COMMITS && failed * 2 > of.length;
          };
          // A commit at the edge of the window may be counted or not.
          const [all, inner] = [fails(since(COMMIT_WINDOW_MS)), fails(since(COMMIT_WINDOW_MS - 1_000))];
          if (all === inner) expect(storage.health()).toEqual(all ? sick("unavailable") : HEALTHY);
        },
      ),
    ));

  it("stays green for faults that are told otherwise, and for few", () => {
    const { storage } = open();
    for (let commit = 0; commit < 10; commit += 1) storage.beginCommit()({ code: "full" });
    for (let commit = 1; commit < MIN_FAILED_COMMITS; commit += 1) storage.beginCommit()(BUSY);
    expect(storage.health()).toEqual(HEALTHY);
  });
});

/** A watch, and what it has reported with the time of it. */
function openWatch() {
  const clock = createManualClock();
  const reports: string[] = [];
  const startedAt = clock.monotonic();
  const say = (what: string): void => void reports.push(`${what} at ${String(clock.monotonic() - startedAt)}`);
  const watch = createStallWatch({
    clock,
    stallMs: STALL_MS,
    onStalled: () => {
      say("stalled");
    },
    onAnswers: (waitedMs) => {
      say(`answers after ${String(waitedMs)}`);
    },
  });
  return { clock, told: reports, watch };
}

describe("a watch for stalls", () => {
  it("reports the next stall at the time at which the oldest request that is left is old enough", async () => {
    const { clock, told, watch } = openWatch();
    const first = watch.begin();
    await clock.advance(2_000);
    watch.begin();
    await clock.advance(1_500);
    first(true);
    expect(watch.isStalled()).toBe(false);
    await clock.advance(10_000);
    expect(told).toEqual(["stalled at 3000", "answers after 3500 at 3500", "stalled at 5000"]);
  });

  it("stays stalled while another request is old enough too, and reports the wait of the oldest", async () => {
    const { clock, told, watch } = openWatch();
    const [first, second] = [watch.begin(), watch.begin()];
    await clock.advance(STALL_MS);
    first(true);
    expect(watch.isStalled()).toBe(true);
    await clock.advance(1_000);
    second(true);
    expect(watch.isStalled()).toBe(false);
    expect(told).toEqual(["stalled at 3000", "answers after 4000 at 4000"]);
  });

  it("looks again for the request that is the oldest once the one before is answered", async () => {
    const { clock, told, watch } = openWatch();
    const first = watch.begin();
    await clock.advance(1_000);
    watch.begin();
    first(true);
    await clock.advance(STALL_MS);
    expect(told).toEqual(["stalled at 4000"]);
  });

  it("reports no answer if a request ended without one", async () => {
    const { clock, told, watch } = openWatch();
    const first = watch.begin();
    await clock.advance(STALL_MS);
    first(false);
    expect(watch.isStalled()).toBe(false);
    expect(told).toEqual(["stalled at 3000"]);
  });

  it("calls a listener at the next stall only, and not once it is cancelled", async () => {
    const { clock, watch } = openWatch();
    let [heard, other] = [0, 0];
    watch.onStall(() => (heard += 1));
    const cancel = watch.onStall(() => (other += 1));
    cancel();
    for (let stall = 0; stall < 2; stall += 1) {
      const end = watch.begin();
      await clock.advance(STALL_MS);
      end(true);
    }
    expect([heard, other]).toEqual([1, 0]);
  });

  it("has no timer while no request is open", async () => {
    const { clock, told, watch } = openWatch();
    watch.begin()(true);
    await clock.advance(2_000);
    const second = watch.begin();
    await clock.advance(1_500);
    expect(watch.isStalled()).toBe(false);
    second(true);
    await clock.advance(STALL_MS);
    expect(told).toEqual([]);
  });

  it("waits for whole milliseconds, although its clock has fractions", async () => {
    for (let offset = 0.01; offset < 1; offset += 0.01) {
      const clock = createManualClock();
      const delays: number[] = [];
      const after = (delayMs: number, wake: () => void) => {
        delays.push(delayMs);
        return clock.after(delayMs, wake);
      };
      const watch = createStallWatch({ clock: { ...clock, after }, stallMs: STALL_MS });
      const first = watch.begin();
      await clock.advance(offset);
      watch.begin();
      first(true);
      await clock.advance(2 * STALL_MS);
      expect(delays.filter((delayMs) => !Number.isInteger(delayMs))).toEqual([]);
      expect(watch.isStalled()).toBe(true);
    }
  });

  it("that was asleep itself looks once more before it reports a stall", async () => {
    for (const [lateMs, isStalled] of [
      [STALL_SLACK_MS, true],
      [STALL_SLACK_MS + 1, false],
    ] as const) {
      const clock = createManualClock();
      const wakes: (() => void)[] = [];
      const after = (delayMs: number, wake: () => void) => clock.after(delayMs, () => wakes.push(wake));
      const watch = createStallWatch({ clock: { ...clock, after }, stallMs: STALL_MS });
      watch.begin();
      await clock.advance(STALL_MS + lateMs);
      wakes.pop()?.();
      expect(watch.isStalled()).toBe(isStalled);
      await clock.advance(STALL_SLACK_MS);
      wakes.pop()?.();
      expect(watch.isStalled()).toBe(true);
    }
  });
});

/** A watch of a store that answers side by side, and how often it was asked whether it does. */
function openProbingWatch() {
  const clock = createManualClock();
  const startedAt = clock.monotonic();
  const reports: string[] = [];
  const say = (what: string): void => void reports.push(`${what} at ${String(clock.monotonic() - startedAt)}`);
  let answersProbes = true;
  const watch = createStallWatch({
    clock,
    stallMs: STALL_MS,
    probe: () => {
      say("asked");
      const end = watch.begin();
      if (answersProbes) end(true);
    },
    onStalled: () => {
      say("stalled");
    },
    onAnswers: (waitedMs) => {
      say(`answers after ${String(waitedMs)}`);
    },
  });
  const hang = (): void => {
    answersProbes = false;
  };
  return { clock, told: reports, watch, hang };
}

describe("a watch for stalls of a store that answers side by side", () => {
  it("takes one request that hangs for no stall, whatever else is asked", async () => {
    const { clock, told, watch } = openProbingWatch();
    watch.begin();
    await clock.advance(60_000);
    expect(watch.isStalled()).toBe(false);
    expect(told.every((what) => what.startsWith("asked"))).toBe(true);
  });

  it("reports a stall once nothing was answered for its time, and the end of it with the first answer", async () => {
    const { clock, told, watch, hang } = openProbingWatch();
    hang();
    watch.begin();
    const endOther = watch.begin();
    await clock.advance(5_000);
    endOther(true);
    expect(watch.isStalled()).toBe(false);
    expect(told).toEqual(["asked at 1000", "asked at 2000", "stalled at 3000", "answers after 5000 at 5000"]);
  });

  it("reports a stall when no commit comes back, whatever else is answered, and none while one of them does", async () => {
    const { clock, told, watch } = openProbingWatch();
    const [first, second] = [watch.beginCommit(), watch.beginCommit()];
    await clock.advance(STALL_MS - 1);
    second(true);
    await clock.advance(STALL_MS - 1);
    expect(watch.isStalled()).toBe(false);
    await clock.advance(1);
    expect(watch.isStalled()).toBe(true);
    watch.begin()(true);
    expect(watch.isStalled()).toBe(true);
    first(true);
    expect(watch.isStalled()).toBe(false);
    expect(told.filter((what) => !what.startsWith("asked"))).toEqual([
      `stalled at ${String(2 * STALL_MS - 1)}`,
      `answers after ${String(STALL_MS)} at ${String(2 * STALL_MS - 1)}`,
    ]);
  });

  it("asks nothing while answers come", async () => {
    const { clock, told, watch } = openProbingWatch();
    watch.begin();
    for (let step = 0; step < 20; step += 1) {
      watch.begin()(true);
      await clock.advance(STALL_PROBE_MS - 1);
    }
    expect(told).toEqual([]);
  });

  it("has no timer while nothing is open", async () => {
    const { clock, watch } = openProbingWatch();
    watch.begin()(true);
    watch.beginCommit()(true);
    expect(clock.nextTimerAt()).toBeUndefined();
    await clock.advance(STALL_MS);
    expect(watch.isStalled()).toBe(false);
  });
});
