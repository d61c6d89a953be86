// What is made of measurements: the ratio that costs allow, and which targets are met.

import { describe, expect, it } from "vitest";
import { rotated } from "../rounds.js";
import { ratioOf } from "./formula.js";
import { judgeTargets, missedGates } from "./targets.js";

/** A round of throughput in which a call costs this many microseconds, beside a POST of 10; the event loop is later than asked. */
function roundOf(us: number): object {
  const arm = (process: number, postsPerSecond: number): object => ({
    ...{ postsPerSecond, cpuUs: { process, servers: 0 }, loopDelayMs: { p99: 9, max: 20 } },
  });
  return { ours: arm(us, 5_000), "bare 32": arm(10, 10_000) };
}

function judged(...costs: readonly number[]): ReturnType<typeof judgeTargets> {
  return judgeTargets({ throughput: { arms: ["ours", "bare 32"], rounds: costs.map(roundOf) } });
}

describe("the formula", () => {
  it("is bounded by the cores that all share", () => {
    // Two cores of which 0.74 is used do 1.48 s of work a second, a call takes 152 µs of it, and a bare POST 17.5.
    expect(ratioOf({ S: 137, B: 17.5, R: 14, C: 1, M: 80 }, 0.74, 2)).toBeCloseTo((17.5 * 1.48) / 152, 10);
  });

  it("is bounded by the busiest thread where there are cores enough", () => {
    expect(ratioOf({ S: 65, B: 7.6, R: 6, C: 1.2, M: 36.5 }, 0.9, 64)).toBeCloseTo(7.6 / 36.5, 10);
  });
});

describe("a target", () => {
  it("is judged by the median of its rounds", () => {
    const [costs] = judged(39, 41, 30);
    expect(costs).toMatchObject({ what: "S/B, batches of 20", values: [3.9, 4.1, 3], isMet: true });
    expect(judged(39, 41, 42)[0]).toMatchObject({ isMet: false });
  });

  it("that asks for more is met by more", () => {
    expect(judged(40).find(({ what }) => what === "durable / bare")).toMatchObject({ values: [0.5], isMet: true });
  });

  it("has no values if what it needs was not run", () => {
    expect(judgeTargets({}).every(({ values, isMet }) => values.length === 0 && !isMet)).toBe(true);
  });

  it("fails the run only if it is a gate, ran and is missed", () => {
    expect(missedGates(judged(41)).map(({ what }) => what)).toEqual(["S/B, batches of 20"]);
    expect(missedGates(judged(39))).toEqual([]);
    expect(missedGates(judgeTargets({}))).toEqual([]);
  });
});

it("begins each round with another arm, and has each first as often", () => {
  const firsts = [0, 1, 2, 3, 4, 5].map((round) => rotated(["a", "b", "c"], round)[0]);
  expect(firsts).toEqual(["a", "b", "c", "a", "b", "c"]);
  expect(rotated(["a", "b", "c"], 1)).toEqual(["b", "c", "a"]);
});
