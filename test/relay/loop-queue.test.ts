// The bound on tasks that run between two returns to the event loop.

import { createManualClock } from "@postrider/memory";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { createLoopQueue } from "../../packages/relay/src/loop.js";

describe("a loop queue", () => {
  it("runs new tasks at once, up to its limit, and the rest in later turns, in order", async () => {
    const clock = createManualClock();
    const ran: number[] = [];
    const queue = createLoopQueue<number>(clock, { limit: 3, run: (task) => ran.push(task) });
    for (let task = 0; task < 8; task += 1) queue.add(task);
    expect(ran).toEqual([0, 1, 2]);
    await clock.advance(0);
    expect(ran).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
  });

  it("hands out the tasks that wait and have not run", () => {
    const ran: number[] = [];
    const queue = createLoopQueue<number>(createManualClock(), { limit: 1, run: (task) => ran.push(task) });
    for (let task = 0; task < 3; task += 1) queue.add(task);
    expect(queue.clear()).toEqual([1, 2]);
    expect(queue.clear()).toEqual([]);
    expect(ran).toEqual([0]);
  });

  it("runs each task once, in order, never more than its limit between two timers, whatever tasks add", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 5 }),
        fc.array(fc.integer({ min: 0, max: 3 }), { maxLength: 30 }),
        async (limit, children) => {
          const clock = createManualClock();
          const turns: number[] = [0];
          const countingClock = {
            after: (delayMs: number, wake: () => void) =>
              clock.after(delayMs, () => {
                turns.push(0);
                wake();
              }),
          };
          const ran: number[] = [];
          let next = children.length;
          const queue = createLoopQueue<number>(countingClock, {
            limit,
            run: (task) => {
              ran.push(task);
              turns[turns.length - 1] = (turns.at(-1) ?? 0) + 1;
              for (let child = 0; child < (children[task] ?? 0); child += 1) queue.add(next++);
            },
          });
          for (const task of children.keys()) queue.add(task);
          await clock.advance(0);
          const added = children.length + children.reduce((sum, count) => sum + count, 0);
          expect(ran.toSorted((a, b) => a - b)).toEqual(Array.from({ length: added }, (_, task) => task));
          expect(Math.max(...turns)).toBeLessThanOrEqual(limit);
        },
      ),
    );
  });
});
