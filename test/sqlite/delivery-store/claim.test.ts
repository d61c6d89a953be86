// A claim takes a share of retries and a share of first attempts; if one kind has fewer, it takes more of the other.

import type { DeliveryStore } from "@postrider/core";
import fc from "fast-check";
import { expect, it } from "vitest";
import { changes, CRM, LEASE, later, message, NOW, stored } from "../changes.js";
import { openStore } from "../files.js";

/** A store with waiting deliveries of both kinds, due at these times. Answers their ids, earliest due first. */
async function waiting(store: DeliveryStore, fresh: readonly number[], tried: readonly number[]) {
  const start = (ms: number) => [{ destination: CRM, start: { kind: "waiting", dueAt: later(ms) } as const }];
  const old = tried.map((_, index) => message(`tried ${String(index)}`));
  const triedIds = stored(await store.commit(changes({ accept: old }), NOW));
  await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit: 99 }] }, NOW);
  const settle = triedIds.map((id, index) => ({
    ...{ id, token: LEASE.token, endpoints: [], attempts: [ATTEMPT] },
    outcome: { kind: "rescheduled", dueAt: later(tried[index]!), detail: "503" } as const,
  }));
  await store.commit(changes({ settle }), NOW);
  const accept = fresh.map((ms, index) => message(`fresh ${String(index)}`, { deliveries: start(ms) }));
  const freshIds = stored(await store.commit(changes({ accept }), NOW));
  const byTime = (ids: readonly string[], times: readonly number[]) =>
    ids.map((id, index) => ({ id, at: times[index]! })).sort((one, other) => one.at - other.at);
  return { fresh: byTime(freshIds, fresh), tried: byTime(triedIds, tried) };
}

const ATTEMPT = {
  ...{ round: 1, endpoint: "https://a.test/" as never, startedAt: NOW, durationMs: 1 },
  ...{ result: { kind: "answered", status: 503 } as const, verdict: "retry" as const },
};

const inOrder = (one: number, other: number): number => one - other;

const times = fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 8 });

it("a claim takes its share of retries, and each kind fills the part that the other leaves", async () => {
  const shares = fc.nat({ max: 10 }).chain((limit) => fc.tuple(fc.constant(limit), fc.nat({ max: limit })));
  await fc.assert(
    fc.asyncProperty(times, times, shares, async (freshAt, triedAt, [limit, retries]) => {
      const store = openStore();
      const { fresh, tried } = await waiting(store, freshAt, triedAt);
      const [dueFresh, dueTried] = [fresh, tried].map((kind) => kind.filter(({ at }) => at <= 10));
      const share = Math.min(dueTried!.length, Math.max(retries, limit - dueFresh!.length));
      const expected = [...dueFresh!.slice(0, limit - share), ...dueTried!.slice(0, share)].map(({ at }) => at);
      const claimed = await store.claim({ ...LEASE, lanes: [{ lane: CRM, limit, retries }] }, later(10));
      await store.close();
      expect(claimed.deliveries.map(({ dueAt }) => dueAt - NOW).toSorted(inOrder)).toEqual(expected.toSorted(inOrder));
      expect(claimed.deliveries.filter(({ rounds }) => rounds > 0)).toHaveLength(share);
      const left = [...fresh.slice(expected.length - share), ...tried.slice(share)].map(({ at }) => later(at));
      const leased = expected.length > 0 ? [later(10 + LEASE.leaseMs)] : [];
      const next = Math.min(...left, ...leased);
      expect(claimed.nextDueAt.get(CRM)).toBe(next === Infinity ? undefined : next);
    }),
    { numRuns: 40 },
  );
});
