// Commands that end deliveries, bring them forward and sweep them. If more deliveries match than the limit, the store
// chooses which, and the model reads the choice from the store.

import type { DeliveryRecord, DeliveryStore, EndRequest, PullInRequest, SweepRequest } from "@postrider/core";
import fc from "fast-check";
import { expectEqual } from "../../check.js";
import { commandsOf, type Drawn, instants, type StoreCommand } from "./command.js";
import type { ModelDelivery } from "./model.js";
import { end, endable, sweepable, tooFarOff } from "./moves.js";
import { lanes } from "./names.js";

/** The largest limit is more than the deliveries of a run, so that all are taken. */
const limits = fc.constantFrom(1, 2, 500);

const endings: fc.Arbitrary<Drawn<EndRequest>> = fc
  .record(
    {
      plain: fc.record({ lane: lanes, reason: fc.constantFrom("expired", "destination-removed"), limit: limits }),
      firstAttemptBefore: instants(-2_000, 100),
      acceptedBefore: instants(-2_000, 100),
    },
    { requiredKeys: ["plain"] },
  )
  .map(({ plain, firstAttemptBefore, acceptedBefore }) => (there) => ({
    ...plain,
    ...(firstAttemptBefore === undefined ? {} : { firstAttemptBefore: firstAttemptBefore(there) }),
    ...(acceptedBefore === undefined ? {} : { acceptedBefore: acceptedBefore(there) }),
  }));

export const ENDING: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "end",
  drawn: endings,
  put: (store, asked, now) => store.end(asked, now),
  judge: async (model, { asked, answer, now, store }) => {
    const may = endable(model, asked, now);
    const ended = await chosen(store, may, (record) => record?.state === "dead");
    expectCount(answer, { may, chosen: ended, limit: asked.limit }, "ended");
    for (const delivery of ended) end(delivery, asked, now);
  },
});

const pullIns: fc.Arbitrary<Drawn<PullInRequest>> = fc
  .record({
    lane: lanes,
    dueAt: instants(-100, 200),
    dueAfter: instants(200, 1_200),
    limit: limits,
  })
  .map(({ lane, dueAt, dueAfter, limit }) => (there) => ({
    lane,
    dueAt: dueAt(there),
    dueAfter: dueAfter(there),
    limit,
  }));

export const PULLING_IN: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "pullIn",
  drawn: pullIns,
  put: (store, asked, now) => store.pullIn(asked, now),
  judge: async (model, { asked, answer, store }) => {
    const may = tooFarOff(model, asked);
    const pulled = await chosen(store, may, (record) => record?.dueAt === asked.dueAt);
    expectCount(answer, { may, chosen: pulled, limit: asked.limit }, "brought forward");
    for (const delivery of pulled) delivery.at = asked.dueAt;
  },
});

const sweeps: fc.Arbitrary<Drawn<SweepRequest>> = fc
  .record({ deliveredBefore: instants(-1_000, 100), deadBefore: instants(-1_000, 100), limit: limits })
  .map(({ deliveredBefore, deadBefore, limit }) => (there) => ({
    deliveredBefore: deliveredBefore(there),
    deadBefore: deadBefore(there),
    limit,
  }));

export const SWEEPING: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "sweep",
  drawn: sweeps,
  put: (store, asked, now) => store.sweep(asked, now),
  judge: async (model, { asked, answer, store }) => {
    const may = sweepable(model, asked);
    const swept = await chosen(store, may, (record) => record === undefined);
    expectCount(answer, { may, chosen: swept, limit: asked.limit }, "swept");
    for (const delivery of swept) delivery.isSwept = true;
  },
});

type IsChosen = (record: DeliveryRecord | undefined) => boolean;

async function chosen(
  store: DeliveryStore,
  may: readonly ModelDelivery[],
  isChosen: IsChosen,
): Promise<readonly ModelDelivery[]> {
  const records = await Promise.all(may.map(({ id }) => store.find(id)));
  return may.filter((_, index) => isChosen(records[index]));
}

interface Choice {
  readonly may: readonly ModelDelivery[];
  readonly chosen: readonly ModelDelivery[];
  readonly limit: number;
}

function expectCount(answer: number, { may, chosen: taken, limit }: Choice, what: string): void {
  expectEqual(answer, Math.min(may.length, limit), `how many were ${what}, as answered`);
  expectEqual(taken.length, answer, `how many were ${what}, as found`);
}
