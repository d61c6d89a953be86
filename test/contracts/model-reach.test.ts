// A model that meets few situations proves little: random commands must cause every answer that the port can give, and
// often.

import type { DeliveryStore } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { type DeliveryStoreHarness, deliveryStoreModelContract } from "@postrider/testkit/contracts";
import { expect, it } from "vitest";
import { overOneDisk } from "./broken/storage.js";

const ALONE = { reason: "not looked at here" };

/** What a store answered, and how often in 50 runs. */
const seen = new Map<string, number>();

it("the commands of the model bring about every answer, at least ten times in fifty runs", async () => {
  const [plain] = deliveryStoreModelContract(watched, { runs: 50, seed: 4 });
  await plain?.run();
  const often = [...seen].filter(([, times]) => times >= 10).map(([what]) => what);
  expect(often.sort()).toEqual(
    [
      ...["message stored", "message duplicate", "replay made", "replay not made"],
      ...["settlement of delivered settled", "settlement of dead settled"],
      ...["settlement of rescheduled settled", "settlement of released settled"],
      ...["settlement of delivered stale", "settlement of dead stale"],
      ...["settlement of rescheduled stale", "settlement of released stale"],
      ...["late attempt appended", "late attempt gone"],
      ...["claimed one never tried", "claimed one tried before", "claimed one under a lease that ended"],
      ...["claim cut short", "claim of a lane with nothing due"],
      ...["some ended", "ending cut short", "some brought forward", "pulling in cut short"],
      ...["some swept", "sweep cut short", "page with a next one", "page behind a cursor"],
      ...["seen with deliveries", "seen with none", "nothing seen"],
    ].sort(),
  );
});

function watched(): DeliveryStoreHarness {
  const clock = createManualClock();
  const storage = overOneDisk(watch);
  return {
    open: storage.open,
    now: () => clock.wall(),
    advance: (ms) => clock.advance(ms),
    supports: { restart: ALONE, sharing: ALONE, days: ALONE },
  };
}

function note(what: string, times = 1): void {
  seen.set(what, (seen.get(what) ?? 0) + times);
}

function watch(store: DeliveryStore): DeliveryStore {
  const leased = new Set<string>();
  return {
    ...store,
    commit: async (changes, now) => {
      const committed = await store.commit(changes, now);
      for (const { kind } of committed.accepted) note(`message ${kind}`);
      for (const id of committed.replayed) note(id === undefined ? "replay not made" : "replay made");
      for (const kind of committed.appended) note(`late attempt ${kind}`);
      for (const [index, { id, outcome }] of changes.settle.entries()) {
        const answer = committed.settled[index] ?? "";
        if (answer === "settled") leased.delete(id);
        note(`settlement of ${outcome.kind} ${answer}`);
      }
      return committed;
    },
    claim: async (request, now) => {
      const claimed = await store.claim(request, now);
      for (const { id, firstAttemptAt } of claimed.deliveries) {
        note(firstAttemptAt === undefined ? "claimed one never tried" : "claimed one tried before");
        if (leased.has(id)) note("claimed one under a lease that ended");
        leased.add(id);
      }
      for (const { lane, limit } of request.lanes) {
        const count = claimed.deliveries.filter((one) => one.lane === lane).length;
        if (count === 0) note("claim of a lane with nothing due");
        if (count === limit && (claimed.nextDueAt.get(lane) ?? Infinity) <= now) note("claim cut short");
      }
      return claimed;
    },
    end: async (request, now) => {
      const ended = await store.end(request, now);
      if (ended > 0) note("some ended");
      if (ended === request.limit) note("ending cut short");
      return ended;
    },
    pullIn: async (request, now) => {
      const pulled = await store.pullIn(request, now);
      if (pulled > 0) note("some brought forward");
      if (pulled === request.limit) note("pulling in cut short");
      return pulled;
    },
    sweep: async (request, now) => {
      const swept = await store.sweep(request, now);
      if (swept > 0) note("some swept");
      if (swept === request.limit) note("sweep cut short");
      return swept;
    },
    seen: async (query, now) => {
      const seen = await store.seen(query, now);
      if (seen.length === 0) note("nothing seen");
      for (const { deliveries } of seen) note(deliveries === 0 ? "seen with none" : "seen with deliveries");
      return seen;
    },
    list: async (query) => {
      const page = await store.list(query);
      if (page.next !== undefined) note("page with a next one");
      if (query.after !== undefined && page.deliveries.length > 0) note("page behind a cursor");
      return page;
    },
  };
}
