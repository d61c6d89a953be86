// The start of turns of background work: laws over wakes, delays, stops and turns of any length.

import type { Clock } from "@postrider/core";
import { createManualClock, type ManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLoop, type Loop } from "../../packages/relay/src/loop.js";

const LAWS = [
  "never takes two turns at once",
  "takes a turn at its start, and after each wake: now, or right after the turn under way",
  "begins the next turn after the delay that the last one asked for",
  "takes no turn without a start, a wake or a delay before it",
  "takes no turn before its start or after its stop",
  "has stopped only once the turn under way has ended",
  "has one timer at most, and none while a turn is under way or after its stop",
] as const;
const [ALONE, WOKEN, DELAYED, CAUSED, WITHIN, WAITS, TIMERS] = LAWS;
type Law = (typeof LAWS)[number];

interface Turn {
  readonly takesMs: number;
  readonly wakesItself: boolean;
  readonly nextAfterMs: number | undefined;
}

interface Act {
  readonly atMs: number;
  readonly kind: "start" | "wake" | "stop";
}

interface Entry {
  readonly kind: Act["kind"] | "stopped" | "began" | "ended";
  readonly at: number;
  /** Set by the loop, and neither fired nor cancelled. */
  readonly timers: number;
  /** The delay that an ended turn has asked for. */
  readonly nextAfterMs?: number | undefined;
}

const IDLE: Turn = { takesMs: 0, wakesItself: false, nextAfterMs: undefined };

const anyMs = fc.integer({ min: 0, max: 12 });
const anyTurns: fc.Arbitrary<readonly Turn[]> = fc.array(
  fc.record({ takesMs: anyMs, wakesItself: fc.boolean(), nextAfterMs: fc.option(anyMs, { nil: undefined }) }),
  { maxLength: 12 },
);
const anyActs: fc.Arbitrary<readonly Act[]> = fc.array(
  fc.record({
    atMs: fc.integer({ min: 0, max: 60 }),
    kind: fc.constantFrom<Act["kind"][]>("start", "start", "wake", "wake", "wake", "stop"),
  }),
  { maxLength: 16 },
);

describe("a loop", () => {
  it.each(LAWS)("%s", (law) =>
    fc.assert(
      fc.asyncProperty(anyTurns, anyActs, async (turns, acts) => {
        expect(breachesOf(await play(turns, acts))).not.toContain(law);
      }),
    ),
  );

  it("begins its turn in the step of the wake", () => {
    const log: string[] = [];
    const loop = createLoop(createManualClock(), () => {
      log.push("turn");
      return Promise.resolve(undefined);
    });
    loop.start();
    log.push("started");
    expect(log).toEqual(["turn", "started"]);
  });

  it("takes a turn after a wake in any step of the end of another turn", async () => {
    for (let steps = 0; steps < 20; steps += 1) {
      let turns = 0;
      const loop = createLoop(createManualClock(), () => {
        turns += 1;
        return Promise.resolve(undefined);
      });
      loop.start();
      for (let step = 0; step < steps; step += 1) await Promise.resolve();
      loop.wake();
      await createManualClock().settle();
      expect(turns, `${String(steps)} steps later`).toBe(2);
    }
  });

  it("that a turn stops in its first step waits for that turn", async () => {
    const clock = createManualClock();
    const log: string[] = [];
    const loop = createLoop(clock, async () => {
      void loop.stop().then(() => log.push("stopped"));
      await clock.settle();
      log.push("ended");
      return undefined;
    });
    loop.start();
    await clock.advance(1);
    expect(log).toEqual(["ended", "stopped"]);
  });

  it.each([
    ["throws", (bug: Error): never => raise(bug)],
    ["rejects", (bug: Error): Promise<never> => Promise.reject(bug)],
  ])("takes no further turn once one %s, and its stop rejects with that", async (_how, fail) => {
    const clock = createManualClock();
    const bug = new Error("a bug");
    let turns = 0;
    const loop = createLoop(clock, () => {
      turns += 1;
      return turns === 1 ? Promise.resolve(5) : fail(bug);
    });
    loop.start();
    await clock.settle();
    loop.wake();
    // Microtasks only: after a turn of the event loop the rejection would be reported as unhandled.
    for (let step = 0; step < 10; step += 1) await Promise.resolve();
    loop.wake();
    expect([turns, clock.nextTimerAt()]).toEqual([2, undefined]);
    await expect(loop.stop()).rejects.toBe(bug);
  });
});

function raise(bug: Error): never {
  throw bug;
}

/**
 * Plays a loop whose turns follow a list, and do nothing after it; the loop is stopped at the end. Answers all that
 * happened.
 */
async function play(turns: readonly Turn[], acts: readonly Act[]): Promise<readonly Entry[]> {
  const clock = createManualClock();
  const { loop, log } = recordLoop(clock, turns);
  for (const { atMs, kind } of acts) clock.after(atMs, () => void loop[kind]());
  await clock.advance(1_000);
  await loop.stop();
  loop.wake();
  loop.start();
  await clock.advance(1_000);
  return log;
}

function recordLoop(clock: ManualClock, turns: readonly Turn[]): { readonly loop: Loop; readonly log: Entry[] } {
  const log: Entry[] = [];
  const timed = countTimers(clock);
  let turnCount = 0;
  const note = (kind: Entry["kind"], more: Partial<Entry> = {}): void => {
    log.push({ kind, at: clock.monotonic(), timers: timed.count(), ...more });
  };

  const loop = createLoop(timed, async () => {
    note("began");
    const { takesMs, wakesItself, nextAfterMs } = turns[turnCount] ?? IDLE;
    turnCount += 1;
    if (takesMs > 0) await new Promise<void>((resolve) => clock.after(takesMs, resolve));
    if (wakesItself) noted.wake();
    note("ended", { nextAfterMs });
    return nextAfterMs;
  });

  const noted: Loop = {
    ...loop,
    start: () => {
      note("start");
      loop.start();
    },
    wake: () => {
      note("wake");
      loop.wake();
    },
    stop: async () => {
      note("stop");
      await loop.stop();
      note("stopped");
    },
  };
  return { loop: noted, log };
}

function countTimers(clock: ManualClock): Pick<Clock, "after"> & { count(): number } {
  const live = new Set<object>();
  return {
    count: () => live.size,
    after: (delayMs, wake) => {
      const timer = {};
      live.add(timer);
      const cancel = clock.after(delayMs, () => {
        live.delete(timer);
        wake();
      });
      return () => {
        live.delete(timer);
        cancel();
      };
    },
  };
}

/** Compares the log with the event that must come next at each point. */
function breachesOf(log: readonly Entry[]): readonly Law[] {
  const broken: Law[] = [];
  let phase: "new" | "running" | "stopped" = "new";
  let isTurning = false;
  let isOwed = false;
  let dueAt: number | undefined;
  const demand = (law: Law, isKept: boolean): void => {
    if (!isKept) broken.push(law);
  };

  for (const { kind, at, timers, nextAfterMs } of log) {
    const isRunning: boolean = phase === "running";
    demand(WOKEN, !isOwed || isTurning || kind === "began");
    demand(DELAYED, dueAt === undefined || at <= dueAt);
    demand(TIMERS, timers <= (isTurning || phase === "stopped" || kind === "began" ? 0 : 1));
    switch (kind) {
      case "start":
        if (phase === "new") [phase, isOwed] = ["running", true];
        break;
      case "wake":
        isOwed ||= isRunning;
        break;
      case "stop":
        [phase, isOwed, dueAt] = ["stopped", false, undefined];
        break;
      case "began":
        demand(ALONE, !isTurning);
        demand(WITHIN, isRunning);
        demand(CAUSED, isOwed || at === dueAt);
        [isTurning, isOwed, dueAt] = [true, false, undefined];
        break;
      case "ended":
        isTurning = false;
        if (isRunning && !isOwed && nextAfterMs !== undefined) dueAt = at + nextAfterMs;
        break;
      case "stopped":
        demand(WAITS, !isTurning);
        break;
    }
  }
  return broken;
}
