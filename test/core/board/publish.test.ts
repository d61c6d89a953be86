import { endpointId, MAX_BOARD_HOLDS } from "@postrider/core";
import { isNews, nextRow, takeProbe } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { at, backoff, LANE, ME, NOTHING_KNOWN, OTHER, views, wall } from "./builders.js";

const NOW = at(1_000);
const endpoint = endpointId("https://a.example/");

describe("what the others must know", () => {
  it("is a limit that has moved by a quarter", () => {
    const limits = [24, 25, 32, 39, 40].map((limit) =>
      isNews({ ...NOTHING_KNOWN, pace: { ...NOTHING_KNOWN.pace, limit } }, NOW),
    );
    expect(limits).toEqual([true, false, false, false, true]);
  });

  it("is a hold of a second or more, and each change of it by as much", () => {
    const view = (until: number, known?: number) => ({
      ...NOTHING_KNOWN,
      holds: new Map([[endpoint, wall(until)]]),
      row: { lane: LANE, revision: 1, holds: known === undefined ? [] : [{ endpoint, until: wall(known) }] },
    });
    expect([view(1_999), view(2_000), view(9_000, 8_001), view(9_000, 8_000)].map((one) => isNews(one, NOW))).toEqual([
      ...[false, true, false, true],
    ]);
  });
});

describe("the next row", () => {
  it("makes no hold shorter that still lasts, and keeps the tokens that are left", () => {
    fc.assert(
      fc.property(views, (view) => {
        const row = nextRow(LANE, view, NOW);
        expect(row.revision).toBe((view.row?.revision ?? 0) + 1);
        expect(row.tokens).toEqual(view.row?.tokens);
        for (const { endpoint: held, until } of view.row?.holds ?? []) {
          const now = row.holds.find((one) => one.endpoint === held)?.until ?? 0;
          if (until > NOW.wall) expect(now).toBeGreaterThanOrEqual(until);
        }
      }),
    );
  });

  it("brings no probe forward that another process has taken or planned", () => {
    fc.assert(
      fc.property(views, (view) => {
        const before = view.row?.backoff;
        const after = nextRow(LANE, view, NOW).backoff;
        if (before === undefined || after === undefined || before.prober === ME) return;
        expect(after.probeAt).toBeGreaterThanOrEqual(before.probeAt);
        expect(after.probes).toBeGreaterThanOrEqual(before.probes);
      }),
    );
  });

  it("has what came of the probe that this process has taken", () => {
    const taken = { lane: LANE, revision: 4, holds: [], backoff: { probes: 1, probeAt: wall(30_000), prober: ME } };
    const view = { ...NOTHING_KNOWN, row: taken, isOwnBackoff: true };
    const failed = { ...view, pace: { ...view.pace, backoff: backoff(2, 21_000) } };
    expect(nextRow(LANE, failed, NOW).backoff).toEqual({ probes: 2, probeAt: wall(21_000) });
    expect(nextRow(LANE, view, NOW).backoff).toBeUndefined();
  });

  it("has the holds that last longest, if there are too many", () => {
    const holds = new Map(
      Array.from({ length: MAX_BOARD_HOLDS + 1 }, (_, nth) => [
        endpointId(`https://${String(nth)}.example/`),
        wall(5_000 + nth),
      ]),
    );
    const row = nextRow(LANE, { ...NOTHING_KNOWN, holds }, NOW);
    expect(row.holds).toHaveLength(MAX_BOARD_HOLDS);
    expect(Math.min(...row.holds.map(({ until }) => until))).toBe(wall(5_001));
  });
});

describe("a probe", () => {
  const held = { lane: LANE, revision: 1, holds: [], backoff: { probes: 0, probeAt: wall(1_000) } };
  const asked = { timeoutMs: 1_000, isHastened: false };

  it("is taken when it is due, for as long as the next delay and the answer may take", () => {
    expect(takeProbe(held, asked, at(999))).toBeUndefined();
    expect(takeProbe(held, asked, NOW)?.backoff).toEqual({ probes: 0, probeAt: wall(6_000), prober: ME });
    expect(takeProbe(held, { ...asked, timeoutMs: 30_000 }, NOW)?.backoff?.probeAt).toBe(wall(33_000));
    expect(takeProbe({ ...held, backoff: { ...held.backoff, probes: 9 } }, asked, NOW)?.backoff?.probeAt).toBe(
      wall(61_000),
    );
  });

  it("is taken before its time if it is hastened, and not where the lane is open", () => {
    const hastened = { ...asked, isHastened: true };
    expect(takeProbe(held, hastened, at(0, OTHER))?.backoff?.prober).toBe(OTHER);
    expect(takeProbe({ lane: LANE, revision: 1, holds: [] }, hastened, NOW)).toBeUndefined();
  });
});
