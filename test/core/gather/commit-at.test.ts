import type { MonoMs } from "@postrider/core";
import { commitAt, type PendingRows } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

const GATHER_MS = 3;
const mono = (ms: number): MonoMs => ms as MonoMs;
const gathered = (changes: Partial<PendingRows> = {}): PendingRows => ({ rows: 1, since: mono(100), ...changes });

describe("commitAt", () => {
  it("commits the very first at once", () => {
    expect(commitAt(gathered(), GATHER_MS)).toBe(100);
  });

  it("commits at once after a quiet period", () => {
    expect(commitAt(gathered({ lastEndedAt: mono(93.9) }), GATHER_MS)).toBe(100);
  });

  it("delays changes that come soon after a commit", () => {
    expect(commitAt(gathered({ lastEndedAt: mono(94) }), GATHER_MS)).toBe(103);
    expect(commitAt(gathered({ lastEndedAt: mono(100) }), GATHER_MS)).toBe(103);
  });

  it("commits at once what was gathered during a commit, if there are enough rows", () => {
    expect(commitAt(gathered({ lastEndedAt: mono(101), rows: 255 }), GATHER_MS)).toBe(103);
    expect(commitAt(gathered({ lastEndedAt: mono(101), rows: 256 }), GATHER_MS)).toBe(100);
  });

  it("never delays a change by more than gatherMs", () => {
    const instants = fc.double({ min: 0, max: 1e6, noNaN: true }).map(mono);
    const any = fc.record(
      { rows: fc.integer({ min: 1, max: 1_000 }), since: instants, lastEndedAt: instants },
      { requiredKeys: ["rows", "since"] },
    );
    fc.assert(
      fc.property(any, fc.nat(100), (one, gatherMs) => {
        const at = commitAt(one, gatherMs);
        expect(at).toBeGreaterThanOrEqual(one.since);
        expect(at).toBeLessThanOrEqual(one.since + gatherMs);
      }),
    );
  });
});
