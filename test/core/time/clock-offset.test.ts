// How far a clock that is asked for its time is from the monotonic clock of the process that asks.

import { epochMs, monoMs } from "@postrider/core";
import { clockOffset } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const reading = fc.record({
  askedAt: fc.integer({ min: 0, max: 10 ** 9 }),
  takesMs: fc.integer({ min: 0, max: 60_000 }),
  share: fc.double({ min: 0, max: 1, noNaN: true }),
  trueOffsetMs: fc.integer({ min: 0, max: 2 * 10 ** 12 }),
});

function read({ askedAt, takesMs, share, trueOffsetMs }: typeof reading extends fc.Arbitrary<infer One> ? One : never) {
  const time = epochMs(Math.floor(askedAt + share * takesMs) + trueOffsetMs);
  return clockOffset({ askedAt: monoMs(askedAt), time, answeredAt: monoMs(askedAt + takesMs) });
}

describe("the offset of a clock that is asked", () => {
  it("is right within its error, whenever the clock was read between question and answer", () => {
    fc.assert(
      fc.property(reading, (one) => {
        const { offsetMs, errorMs } = read(one);
        expect(Math.abs(offsetMs - one.trueOffsetMs)).toBeLessThanOrEqual(errorMs + 1);
      }),
    );
  });

  it("may be wrong by half of the time that the answer took", () => {
    fc.assert(fc.property(reading, (one) => read(one).errorMs === one.takesMs / 2));
  });
});
