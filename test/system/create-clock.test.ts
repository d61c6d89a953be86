import { spawnSync } from "node:child_process";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { createSystemClock } from "@postrider/system";

const MAX_TIMER_MS = 2 ** 31 - 1;

// Vitest replaces the platform's timers; the clock over them is the real one.
describe("the timers of the system clock", () => {
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "performance", "Date"] });
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  function wakesOf(delayMs: number): { readonly count: number; readonly cancel: () => void } {
    let count = 0;
    const cancel = createSystemClock().after(delayMs, () => (count += 1));
    return {
      get count() {
        return count;
      },
      cancel,
    };
  }

  it("wake once, when the delay is over and not before", () => {
    const seen = wakesOf(1_000);
    vi.advanceTimersByTime(999);
    expect(seen.count).toBe(0);
    vi.advanceTimersByTime(1);
    expect(seen.count).toBe(1);
    vi.advanceTimersByTime(10_000);
    expect(seen.count).toBe(1);
  });

  it("wake in time after a delay that the platform cannot take at once", () => {
    const seen = wakesOf(3 * MAX_TIMER_MS + 5);
    vi.advanceTimersByTime(3 * MAX_TIMER_MS + 4);
    expect(seen.count).toBe(0);
    vi.advanceTimersByTime(1);
    expect(seen.count).toBe(1);
  });

  it("never wake for an endless delay", () => {
    const seen = wakesOf(Number.POSITIVE_INFINITY);
    vi.advanceTimersByTime(3 * MAX_TIMER_MS);
    expect(seen.count).toBe(0);
    seen.cancel();
    expect(vi.getTimerCount()).toBe(0);
  });

  it("take a delay below 0 as 0, and still wake only after the caller is done", () => {
    const seen = wakesOf(-5);
    expect(seen.count).toBe(0);
    vi.advanceTimersByTime(0);
    expect(seen.count).toBe(1);
  });

  it("can be cancelled in any part of a long delay, any number of times", () => {
    const seen = wakesOf(2 * MAX_TIMER_MS);
    vi.advanceTimersByTime(MAX_TIMER_MS + 1);
    seen.cancel();
    seen.cancel();
    vi.advanceTimersByTime(2 * MAX_TIMER_MS);
    expect(seen.count).toBe(0);
    expect(vi.getTimerCount()).toBe(0);
  });
});

describe("the system clock", () => {
  it("tells the wall clock in whole milliseconds since 1970", () => {
    const before = Date.now();
    const wall = createSystemClock().wall();
    expect(Number.isInteger(wall)).toBe(true);
    expect(wall).toBeGreaterThanOrEqual(before);
    expect(wall).toBeLessThanOrEqual(Date.now());
  });

  it("has a monotonic clock that never goes back", () => {
    const clock = createSystemClock();
    const times = Array.from({ length: 1_000 }, () => clock.monotonic());
    expect(times.toSorted((left, right) => left - right)).toEqual(times);
  });

  it("never wakes early by its own monotonic clock, on the real platform", async () => {
    const clock = createSystemClock();
    const delays = Array.from({ length: 40 }, (_, index) => index / 2);
    const early = await Promise.all(
      delays.map((delayMs) => {
        const startedAt = clock.monotonic();
        return new Promise<boolean>((resolve) => {
          clock.after(delayMs, () => {
            resolve(clock.monotonic() - startedAt < delayMs);
          });
        });
      }),
    );
    expect(early).not.toContain(true);
  });
});

describe("a pending timer", () => {
  const program = (options: string): string =>
    `import { createSystemClock } from "@postrider/system"; createSystemClock(${options}).after(200, () => console.log("woke"));`;
  const run = (options: string) =>
    spawnSync(process.execPath, ["--input-type=module", "--eval", program(options)], {
      cwd: new URL("../../packages/client", import.meta.url),
      encoding: "utf8",
    });

  it("keeps the process up, unless it is told not to", () => {
    expect(run("{ keepsProcess: false }")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(run("")).toMatchObject({ status: 0, stdout: "woke\n", stderr: "" });
  });
});
