// The deadlines of work: each comes once and on time unless its work has ended, with one timer for all of the same length.

import type { MonoMs } from "@postrider/core";
import { createDeadlines, type Deadline } from "@postrider/core/engine";
import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../property.js";

const LENGTHS = [50, 200];

/** A clock that counts its pending timers. */
function countedClock() {
  const clock = createManualClock();
  let pending = 0;
  return {
    pending: () => pending,
    advance: (ms: number) => clock.advance(ms),
    monotonic: () => clock.monotonic(),
    after: (delayMs: number, wake: () => void) => {
      pending += 1;
      let isPending = true;
      const end = (): void => {
        if (isPending) pending -= 1;
        isPending = false;
      };
      const cancel = clock.after(delayMs, () => {
        end();
        wake();
      });
      return () => {
        end();
        cancel();
      };
    },
  };
}

interface Work {
  readonly deadline: Deadline;
  readonly dueAt: number;
  readonly expiredAt: number[];
  hasEnded: boolean;
}

const anySteps = fc.array(
  fc.oneof(
    fc.record({ kind: fc.constant("begin" as const), afterMs: fc.constantFrom(...LENGTHS) }),
    fc.record({ kind: fc.constant("end" as const), of: fc.nat() }),
    fc.record({ kind: fc.constant("wait" as const), ms: fc.integer({ min: 1, max: 120 }) }),
  ),
  { maxLength: 60, size: "max" },
);

describe("deadlines", () => {
  it("come once, on time, unless the work has ended, and no timer is pending without one", async () => {
    await fc.assert(
      fc.asyncProperty(anySteps, async (steps) => {
        const clock = countedClock();
        const deadlines = createDeadlines(clock);
        const all: Work[] = [];
        const isOpen = ({ hasEnded, dueAt }: Work): boolean => !hasEnded && dueAt > clock.monotonic();
        for (const step of steps) {
          const work = step.kind === "end" ? all[step.of % all.length] : undefined;
          if (step.kind === "begin") {
            const expiredAt: number[] = [];
            const deadline = deadlines.begin(step.afterMs, () => expiredAt.push(clock.monotonic()));
            all.push({ deadline, dueAt: clock.monotonic() + step.afterMs, expiredAt, hasEnded: false });
          } else if (step.kind === "wait") {
            await clock.advance(step.ms);
          } else if (work !== undefined) {
            deadlines.end(work.deadline);
            work.hasEnded ||= isOpen(work);
          }
          const open = all.filter(isOpen);
          expect(clock.pending()).toBe(new Set(open.map(({ deadline }) => deadline.line)).size);
        }
        await clock.advance(1_000);
        for (const { hasEnded, dueAt, expiredAt } of all) expect(expiredAt).toEqual(hasEnded ? [] : [dueAt]);
      }),
    );
  });

  it("may begin further work as they come", async () => {
    const clock = countedClock();
    const deadlines = createDeadlines(clock);
    const came: number[] = [];
    const again = (): void => {
      came.push(clock.monotonic());
      if (came.length < 3) deadlines.begin(50, again);
    };
    const start = clock.monotonic();
    deadlines.begin(50, again);
    await clock.advance(1_000);
    expect(came.map((at) => at - start)).toEqual([50, 100, 150]);
    expect(clock.pending()).toBe(0);
  });

  it("share one timer also if the work that was left has ended as one of them came, and other work has begun", async () => {
    const clock = countedClock();
    const deadlines = createDeadlines(clock);
    const came: string[] = [];
    deadlines.begin(50, () => {
      came.push("first");
      deadlines.end(second);
      deadlines.begin(50, () => came.push("third"));
    });
    const second = deadlines.begin(50, () => came.push("second"));
    await clock.advance(60);
    deadlines.begin(50, () => came.push("fourth"));
    expect(clock.pending()).toBe(1);
    await clock.advance(1_000);
    expect(came).toEqual(["first", "third", "fourth"]);
  });

  it("need one timer even if time goes on while the first one is set", () => {
    let now = 0;
    const timers: { readonly at: number; readonly wake: () => void }[] = [];
    const deadlines = createDeadlines({
      monotonic: () => (now += 0.01) as MonoMs,
      after: (delayMs, wake) => {
        timers.push({ at: now + delayMs, wake });
        now += 1;
        return () => undefined;
      },
    });
    let expired = 0;
    deadlines.begin(50, () => (expired += 1));
    for (const { at, wake } of timers.slice(0, 1)) {
      now = at;
      wake();
    }
    expect([expired, timers.length]).toEqual([1, 1]);
  });
});
