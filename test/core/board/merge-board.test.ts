import { endpointId, type BoardRow } from "@postrider/core";
import { confirmBoard, mergeBoard, nextRow } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, backoff, LANE, ME, NOTHING_KNOWN, OTHER, rows, views, wall } from "./builders.js";

const NOW = at(1_000);
const A = endpointId("https://a.example/");
const EMPTY: BoardRow = { lane: LANE, revision: 1, holds: [] };

describe("a row that is merged", () => {
  it("has the same effect twice as once", () => {
    fc.assert(
      fc.property(views, rows, (view, row) => {
        const once = mergeBoard(view, row, NOW);
        expect(mergeBoard(once, row, NOW)).toEqual(once);
      }),
    );
  });

  it("makes no hold of an endpoint shorter, whichever row comes first", () => {
    fc.assert(
      fc.property(views, rows, rows, (view, one, other) => {
        const known = mergeBoard(mergeBoard(view, one, NOW), other, NOW).holds;
        expect(mergeBoard(mergeBoard(view, other, NOW), one, NOW).holds).toEqual(known);
        for (const [endpoint, until] of view.holds) expect(known.get(endpoint)).toBeGreaterThanOrEqual(until);
      }),
    );
  });

  it("gives the limit that all have found together, whatever this process has found meanwhile", () => {
    const pace = { ...NOTHING_KNOWN.pace, limit: 40 };
    expect(mergeBoard({ ...NOTHING_KNOWN, pace }, { ...EMPTY, limit: 60 }, NOW).pace.limit).toBe(68);
    expect(mergeBoard({ ...NOTHING_KNOWN, pace }, { ...EMPTY, limit: 510 }, NOW).pace.limit).toBe(512);
    expect(mergeBoard({ ...NOTHING_KNOWN, pace }, { ...EMPTY, limit: 1 }, NOW).pace.limit).toBe(9);
  });

  it("holds the lane, and only the prober counts what ends before the next probe", () => {
    const held = (prober = OTHER) => ({ ...EMPTY, backoff: { probes: 2, probeAt: wall(9_000), prober } });
    expect(mergeBoard(NOTHING_KNOWN, held(), NOW).pace.backoff).toEqual(backoff(2, 9_000));
    expect(mergeBoard(NOTHING_KNOWN, held(ME), NOW).pace.backoff).toEqual({ ...backoff(2, 9_000), freshAt: 1_000 });
  });

  it("opens the lane with the limit that was told, if the receiver has answered another process", () => {
    const row = { ...EMPTY, backoff: { probes: 1, probeAt: wall(5_000) } };
    const held = mergeBoard(NOTHING_KNOWN, row, NOW);
    const open = { ...EMPTY, revision: 2, limit: 3 };
    expect(mergeBoard(held, open, NOW).pace).toMatchObject({ backoff: undefined, limit: 3 });
    // A probe of this process that failed meanwhile does not hold it again.
    const further = { ...held, pace: { ...held.pace, backoff: backoff(2, 20_000) }, isOwnBackoff: true };
    expect(mergeBoard(further, open, NOW)).toMatchObject({ pace: { backoff: undefined }, isOwnBackoff: false });
  });

  it("does not end what this process has learnt and not told yet, nor a block, which is its own", () => {
    const own = { ...NOTHING_KNOWN, pace: { ...NOTHING_KNOWN.pace, backoff: backoff(0, 6_000) }, isOwnBackoff: true };
    expect(mergeBoard(own, EMPTY, NOW)).toMatchObject({ pace: own.pace, isOwnBackoff: true });
    const blocked = { ...NOTHING_KNOWN, pace: { ...NOTHING_KNOWN.pace, backoff: backoff(0, 6_000, "blocked") } };
    expect(mergeBoard(blocked, EMPTY, NOW).pace).toEqual(blocked.pace);
  });

  it("leaves out a hold that is over", () => {
    const row = { ...EMPTY, holds: [{ endpoint: A, until: wall(999) }] };
    expect(mergeBoard(NOTHING_KNOWN, row, NOW).holds.size).toBe(0);
  });
});

describe("a row that is written", () => {
  it("leaves nothing to tell, unless more was learnt meanwhile", () => {
    const told = { ...NOTHING_KNOWN, pace: { ...NOTHING_KNOWN.pace, backoff: backoff(0, 6_000) }, isOwnBackoff: true };
    const row = nextRow(LANE, told, NOW);
    expect(confirmBoard(told, { row, pace: told.pace }, NOW)).toMatchObject({ row, isOwnBackoff: false });
    const later = { ...told, pace: { ...told.pace, limit: 20, backoff: backoff(1, 9_000) } };
    expect(confirmBoard(later, { row, pace: told.pace }, NOW)).toEqual({ ...later, row });
  });

  it("has been merged with itself: to read it again changes nothing", () => {
    fc.assert(
      fc.property(views, (view) => {
        const row = nextRow(LANE, view, NOW);
        const known = confirmBoard(view, { row, pace: view.pace }, NOW);
        const { pace, holds } = mergeBoard(known, row, NOW);
        expect({ limit: pace.limit, isHeld: pace.backoff === undefined }).toEqual({
          limit: known.pace.limit,
          isHeld: known.pace.backoff === undefined,
        });
        for (const [endpoint, until] of known.holds) expect(holds.get(endpoint)).toBeGreaterThanOrEqual(until);
      }),
    );
  });
});
