// Timers with a turn of the loop after each, and the large bodies that are parsed by them.

import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { createParseCapacity } from "../../../packages/http/src/ingest/parse-capacity.js";
import { withLoopTurns } from "../../../packages/postrider/src/timing/run-in-slices.js";

const BODIES = 3;
const STEPS = 3;
const LARGE = 100_000;
/** Longer than the shortest timer, so that one is due whenever another has done its work. */
const WORK_MS = 3;

function work(): void {
  for (const until = performance.now() + WORK_MS; performance.now() < until;);
}

describe("timers with turns", () => {
  it("let the event loop poll its sockets between any two steps of large bodies", async () => {
    const looks: number[] = [];
    let look = 0;
    let next = setImmediate(count);
    function count(): void {
      look += 1;
      next = setImmediate(count);
    }
    const capacity = createParseCapacity(withLoopTurns(createSystemClock()));
    await Promise.all(Array.from({ length: BODIES }, parse));
    clearImmediate(next);
    expect(looks).toHaveLength(BODIES * STEPS);
    expect(new Set(looks).size).toBe(BODIES * STEPS);

    async function parse(): Promise<void> {
      const reservation = await capacity.reserve(LARGE, () => ({ name: "a", isKeyed: true }));
      for (let step = 0; step < STEPS; step += 1) {
        looks.push(look);
        work();
        await reservation?.nextTurn?.();
      }
      reservation?.release();
    }
  });

  it("do not fire after a cancellation, even one between the timer and the turn", async () => {
    const woken: string[] = [];
    const due: (() => void)[] = [];
    const timers = withLoopTurns({
      after: (_, wake) => {
        due.push(wake);
        return () => undefined;
      },
    });
    timers.after(0, () => woken.push("kept"));
    const cancel = timers.after(0, () => woken.push("cancelled"));
    for (const wake of due) wake();
    cancel();
    await new Promise((resolve) => setImmediate(resolve));
    expect(woken).toEqual(["kept"]);
  });
});
