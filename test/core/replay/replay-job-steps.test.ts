// The steps of a replay job: whatever the pages and the processes, each delivery of a page is counted once.

import { type DeliveryId, epochMs, type ReplayJob, replayJobId } from "@postrider/core";
import {
  beginReplayStep,
  countReplayStep,
  endReplayJob,
  newReplayJob,
  releaseReplayJob,
  takeReplayJob,
} from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../property.js";

const NOW = epochMs(5_000);
const HOLDER = { owner: "one", aliveAt: NOW };

function fresh(filter: Partial<ReplayJob["filter"]> = {}): ReplayJob {
  const id = replayJobId("job");
  return newReplayJob({ id, createdAt: NOW, expected: 9, filter: { states: ["dead"], ...filter } });
}

describe("a new replay job", () => {
  it("replays nothing that is accepted from its creation on", () => {
    expect(fresh().filter).toEqual({ states: ["dead"], acceptedBefore: NOW });
    expect(fresh({ acceptedBefore: epochMs(9_000) }).filter.acceptedBefore).toBe(NOW);
    expect(fresh({ acceptedBefore: epochMs(4_999) }).filter.acceptedBefore).toBe(4_999);
  });

  it("is of revision 1, runs, and has counted nothing", () => {
    expect(fresh()).toMatchObject({ revision: 1, state: "running", expected: 9, replayed: 0, skipped: 0 });
  });
});

describe("a replay job", () => {
  const pages = fc.array(fc.record({ ids: fc.nat(5), skipped: fc.nat(3), replayed: fc.nat(5) }), {
    minLength: 1,
    maxLength: 6,
  });

  it("counts each delivery of its pages once, as replayed or as skipped, and is done with the last page", () => {
    fc.assert(
      fc.property(pages, (given) => {
        let job = takeReplayJob(fresh(), HOLDER);
        for (const [place, { ids, skipped }] of given.entries()) {
          const deliveries = Array.from({ length: ids }, (_, nth) => `${String(place)}-${String(nth)}` as DeliveryId);
          const next = place === given.length - 1 ? {} : { next: String(place) };
          expect(job.state).toBe("running");
          job = countReplayStep(beginReplayStep(job, { deliveries, skipped, ...next }), replayedOf(given[place]!), NOW);
          expect(job.step).toBeUndefined();
        }
        expect(job).toMatchObject({ state: "done", endedAt: NOW, holder: HOLDER });
        expect(job.replayed).toBe(sum(given.map(replayedOf)));
        expect(job.replayed + job.skipped).toBe(sum(given.map(({ ids, skipped }) => ids + skipped)));
      }),
    );
  });

  it("that has begun no page has none to count", () => {
    expect(countReplayStep(fresh(), 3, NOW)).toEqual(fresh());
  });

  it("goes on behind the page that was counted", () => {
    const begun = beginReplayStep(fresh(), { deliveries: ["1" as DeliveryId], skipped: 2, next: "cursor" });
    expect(countReplayStep(begun, 1, NOW)).toMatchObject({
      state: "running",
      after: "cursor",
      replayed: 1,
      skipped: 2,
    });
  });

  it("that was cancelled counts its last page, and stays cancelled since then", () => {
    const begun = beginReplayStep(fresh(), { deliveries: ["1" as DeliveryId], skipped: 0 });
    const cancelled = endReplayJob(begun, "cancelled", epochMs(6_000));
    expect(cancelled.step).toEqual(begun.step);
    const counted = countReplayStep(cancelled, 1, epochMs(7_000));
    expect(counted).toMatchObject({ state: "cancelled", endedAt: 6_000, replayed: 1 });
    expect(endReplayJob(counted, "done", epochMs(8_000))).toEqual(counted);
  });

  it("that is given up keeps its owner, whose lease has ended", () => {
    expect(releaseReplayJob(takeReplayJob(fresh(), HOLDER)).holder).toEqual({ owner: "one", aliveAt: 0 });
    expect(releaseReplayJob(fresh())).toEqual(fresh());
  });
});

function replayedOf({ ids, replayed }: { readonly ids: number; readonly replayed: number }): number {
  return Math.min(ids, replayed);
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0);
}
