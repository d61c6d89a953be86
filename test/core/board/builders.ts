// Views, rows and moments of a shared lane.

import {
  type BoardRow,
  destinationId,
  type EndpointId,
  endpointId,
  type EpochMs,
  epochMs,
  monoMs,
  processId,
} from "@postrider/core";
import { type BackoffReason, type Backoff, type BoardMoment, initialPace, type LaneView } from "@postrider/core/engine";
import fc from "fast-check";

export const LANE = destinationId("crm");
export const ME = processId("me");
export const OTHER = processId("other");
/** The two clocks differ by this. */
const OFFSET_MS = 1_000_000;

export function at(ms: number, process = ME): BoardMoment {
  return { process, wall: epochMs(OFFSET_MS + ms), monotonic: monoMs(ms) };
}

export function wall(ms: number): EpochMs {
  return at(ms).wall;
}

export const NOTHING_KNOWN: LaneView = {
  pace: initialPace(0),
  holds: new Map(),
  row: undefined,
  isOwnBackoff: false,
};

export function backoff(probes: number, probeAt: number, reason: BackoffReason = "failing"): Backoff {
  return { reason, probes, probeAt: monoMs(probeAt), freshAt: monoMs(probeAt) };
}

const instants = fc.integer({ min: -10_000, max: 100_000 });
const endpoints = fc.constantFrom("https://a.example/", "https://b.example/", "https://c.example/").map(endpointId);

/** Any row that processes may have written. */
export const rows: fc.Arbitrary<BoardRow> = fc
  .record(
    {
      revision: fc.integer({ min: 1, max: 9 }),
      limit: fc.integer({ min: 1, max: 512 }),
      backoff: fc.record(
        { probes: fc.nat(9), probeAt: instants.map(wall), prober: fc.constantFrom(ME, OTHER) },
        { requiredKeys: ["probes", "probeAt"] },
      ),
      tokens: fc.record({ left: fc.nat(9), at: instants.map(wall) }),
      holds: fc.uniqueArray(fc.record({ endpoint: endpoints, until: instants.map(wall) }), {
        selector: ({ endpoint }) => endpoint,
      }),
    },
    { requiredKeys: ["revision", "holds"] },
  )
  .map((row) => ({ ...row, lane: LANE }));

/** Any view of a process. A backoff that the row does not have, or has alone, was changed here. */
export const views: fc.Arbitrary<LaneView> = fc
  .record({
    pace: fc
      .record({
        limit: fc.integer({ min: 1, max: 512 }),
        backoff: fc.option(
          fc
            .tuple(fc.nat(9), instants, fc.constantFrom("failing", "refusing", "blocked"))
            .map((all) => backoff(...all)),
          { nil: undefined },
        ),
      })
      .map((given) => ({ ...initialPace(0.5), ...given })),
    holds: fc
      .uniqueArray(fc.tuple(endpoints, instants.map(wall)), { selector: ([endpoint]) => endpoint })
      .map((held): ReadonlyMap<EndpointId, EpochMs> => new Map(held)),
    row: fc.option(rows, { nil: undefined }),
    isOwnBackoff: fc.boolean(),
  })
  .map((view) => {
    const { backoff: known } = view.pace;
    const isHeld = known !== undefined && known.reason !== "blocked";
    return { ...view, isOwnBackoff: view.isOwnBackoff || isHeld !== (view.row?.backoff !== undefined) };
  });
