import { createManualClock } from "@postrider/memory";
import type { EpochMs } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it, onTestFinished } from "vitest";

const WALL = 1_000_000 as EpochMs;

describe("the manual clock", () => {
  it("stands still until `advance` is called, then moves both clocks", async () => {
    const clock = createManualClock({ wall: WALL });
    expect([clock.wall(), clock.monotonic()]).toEqual([1_000_000, 0]);
    await clock.advance(250);
    expect([clock.wall(), clock.monotonic()]).toEqual([1_000_250, 250]);
  });

  it("shows the wall clock in whole milliseconds", async () => {
    const clock = createManualClock({ wall: WALL });
    await clock.advance(0.75);
    expect(clock.wall()).toBe(1_000_000);
    await clock.advance(0.75);
    expect(clock.wall()).toBe(1_000_001);
  });

  it("fires timers in order, each at its instant", async () => {
    const clock = createManualClock({ wall: WALL });
    const fired: [string, number][] = [];
    for (const [name, delayMs] of [
      ["late", 30],
      ["early", 10],
      ["twin", 10],
      ["never", 41],
    ] as const) {
      clock.after(delayMs, () => fired.push([name, clock.monotonic()]));
    }
    await clock.advance(40);
    expect(fired).toEqual([
      ["early", 10],
      ["twin", 10],
      ["late", 30],
    ]);
    expect(clock.nextTimerAt()).toBe(41);
  });

  it("fires timers that were set by timers, within the same move", async () => {
    const clock = createManualClock();
    const fired: number[] = [];
    const again = (): void => {
      fired.push(clock.monotonic());
      clock.after(10, again);
    };
    clock.after(10, again);
    await clock.advance(35);
    expect(fired).toEqual([10, 20, 30]);
  });

  it("settles chains of promises between timers", async () => {
    const clock = createManualClock();
    const order: string[] = [];
    const chain = async (): Promise<void> => {
      for (let step = 0; step < 40; step += 1) await Promise.resolve();
      order.push(`chain at ${String(clock.monotonic())}`);
      clock.after(5, () => order.push(`follow-up at ${String(clock.monotonic())}`));
    };
    clock.after(10, () => void chain());
    clock.after(20, () => order.push("second"));
    await clock.advance(30);
    expect(order).toEqual(["chain at 10", "follow-up at 15", "second"]);
  });

  it("lets work that began before the move set its timers first", async () => {
    const clock = createManualClock();
    let wokeAt = -1;
    const sleep = async (): Promise<void> => {
      await Promise.resolve();
      clock.after(7, () => (wokeAt = clock.monotonic()));
    };
    void sleep();
    await clock.advance(20);
    expect(wokeAt).toBe(7);
  });

  it("waits between timers for as long as the host says", async () => {
    let turns = 0;
    const settle = (): Promise<void> => {
      turns += 1;
      return Promise.resolve();
    };
    const clock = createManualClock({ settle });
    clock.after(1, () => undefined);
    clock.after(2, () => undefined);
    await clock.advance(5);
    expect(turns).toBe(3);
  });

  it("cancels a timer, before it fires, after it fired, and twice", async () => {
    const clock = createManualClock();
    const fired: string[] = [];
    const done = clock.after(1, () => fired.push("done"));
    const withdrawn = clock.after(5, () => fired.push("withdrawn"));
    clock.after(6, () => fired.push("one"));
    clock.after(7, () => fired.push("other"));
    await clock.advance(2);
    done();
    withdrawn();
    withdrawn();
    done();
    await clock.advance(10);
    expect(fired).toEqual(["done", "one", "other"]);
    expect(clock.nextTimerAt()).toBeUndefined();
  });

  it("takes a delay below 0 as 0, and fires it with the next move, however short", async () => {
    const clock = createManualClock();
    const fired: string[] = [];
    clock.after(0, () => fired.push("none"));
    clock.after(-50, () => fired.push("less than none"));
    expect(fired).toEqual([]);
    await clock.advance(0);
    expect(fired).toEqual(["none", "less than none"]);
    expect(clock.monotonic()).toBe(0);
  });

  it("holds delays of more than 2^31 ms", async () => {
    const clock = createManualClock();
    let firedAt = -1;
    clock.after(3_000_000_000, () => (firedAt = clock.monotonic()));
    await clock.advance(2_999_999_999);
    expect(firedAt).toBe(-1);
    await clock.advance(1);
    expect(firedAt).toBe(3_000_000_000);
  });

  it("steps the wall clock alone: timers do not move", async () => {
    const clock = createManualClock({ wall: WALL });
    let fired = 0;
    clock.after(10, () => (fired += 1));
    clock.stepWall(-5_000);
    expect([clock.wall(), clock.monotonic()]).toEqual([995_000, 0]);
    clock.stepWall(18_000_000);
    await clock.advance(9);
    expect(fired).toBe(0);
    await clock.advance(1);
    expect(fired).toBe(1);
  });

  it("fires all timers by their time, then by their order, whichever are cancelled", async () => {
    const timers = fc.array(fc.record({ delayMs: fc.nat(50), isWithdrawn: fc.boolean() }), {
      minLength: 20,
      maxLength: 80,
    });
    await fc.assert(
      fc.asyncProperty(timers, async (given) => {
        const clock = createManualClock({ settle: () => Promise.resolve() });
        const fired: number[] = [];
        const cancels = given.map(({ delayMs }, index) => clock.after(delayMs, () => fired.push(index)));
        given.forEach(({ isWithdrawn }, index) => {
          if (isWithdrawn) cancels[index]?.();
        });
        await clock.advance(50);
        const indexed = given.map((timer, index) => ({ ...timer, index })).filter((timer) => !timer.isWithdrawn);
        const expected = indexed.toSorted((one, other) => one.delayMs - other.delayMs || one.index - other.index);
        expect(fired).toEqual(expected.map((timer) => timer.index));
      }),
    );
  });
});

describe("the manual clock where there is no setImmediate, as in a browser", () => {
  it("runs what waits for promises before the next timer", async () => {
    const { setImmediate } = globalThis;
    Reflect.deleteProperty(globalThis, "setImmediate");
    onTestFinished(() => void Reflect.set(globalThis, "setImmediate", setImmediate));
    const clock = createManualClock();
    const seen: string[] = [];
    clock.after(1, () => {
      seen.push("first");
      void Promise.resolve()
        .then(() => undefined)
        .then(() => seen.push("what waited"));
    });
    clock.after(2, () => seen.push("second"));
    await clock.advance(2);
    expect(seen).toEqual(["first", "what waited", "second"]);
  });
});
