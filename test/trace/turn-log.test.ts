// The record of a relay knows about how much memory it keeps in use, and shows the time of its turn, or the real one.

import { epochMs, monoMs } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createTurnLog, weightOf } from "../../packages/relay/src/trace/record/turn-log.js";

describe("the weight of a question or an answer", () => {
  const body = new Uint8Array(5_000);
  const rows = (count: number) => Array.from({ length: count }, () => ({ body }));

  it.each(["accept", "deliveries"])("has that of each body in its %s", (name) => {
    const none = weightOf({ [name]: [] });
    expect(weightOf({ [name]: rows(1) })).toBeGreaterThan(none + body.length);
    expect(weightOf({ [name]: rows(3) }) - none).toBe(3 * (weightOf({ [name]: rows(1) }) - none));
  });

  it("grows with the rows that it settles, and with the excerpt of an answer", () => {
    expect(weightOf({ settle: [{}, {}] })).toBeGreaterThan(weightOf({ settle: [{}] }));
    expect(weightOf({ excerpt: body })).toBe(weightOf({}) + body.length);
  });

  it("is small for what is no object", () => {
    for (const value of [undefined, null, 7, "text"]) expect(weightOf(value)).toBeLessThan(weightOf({}));
  });
});

describe("the clock of a record", () => {
  it("shows the time of the turn, and the real time in a look, also if that throws", () => {
    let now = 1;
    const log = createTurnLog({ wall: () => epochMs(now), monotonic: () => monoMs(now) }, () => undefined);
    const shown = () => [log.clock.wall(), log.clock.monotonic()];
    log.turn(["created"]);
    now = 2;
    expect([shown(), log.look(shown), shown()]).toEqual([
      [1, 1],
      [2, 2],
      [1, 1],
    ]);
    const fail = () => {
      throw new Error("a look fails");
    };
    expect(() => log.look(fail)).toThrow("a look fails");
    expect(shown()).toEqual([1, 1]);
  });
});
