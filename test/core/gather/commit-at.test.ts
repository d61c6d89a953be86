import type { MonoMs } from "@postrider/core";
import { commitAt, type PendingRows } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const GATHER_MS = 3;
const mono = (ms: number): MonoMs => ms as MonoMs;
const gathered = (changes: Partial<PendingRows> = {}): PendingRows => ({
  rows: 1,
  since: mono(100),
  isAwaited: false,
  ...changes,
});

describe("commitAt", () => {
  it("commits at once what a caller waits for", () => {
    expect(commitAt(gathered({ isAwaited: true }), GATHER_MS)).toBe(100);
  });

  it("delays what no caller waits for", () => {
    expect(commitAt(gathered(), GATHER_MS)).toBe(103);
  });

  it("delays nothing once there are enough rows", () => {
    expect(commitAt(gathered({ rows: 255 }), GATHER_MS)).toBe(103);
    expect(commitAt(gathered({ rows: 256 }), GATHER_MS)).toBe(100);
  });

  it("never delays a change by more than gatherMs", () => {
    const any = fc.record({
      rows: fc.integer({ min: 1, max: 1_000 }),
      since: fc.double({ min: 0, max: 1e6, noNaN: true }).map(mono),
      isAwaited: fc.boolean(),
    });
    fc.assert(
      fc.property(any, fc.nat(100), (one, gatherMs) => {
        const at = commitAt(one, gatherMs);
        expect(at).toBeGreaterThanOrEqual(one.since);
        expect(at).toBeLessThanOrEqual(one.since + gatherMs);
      }),
    );
  });
});
