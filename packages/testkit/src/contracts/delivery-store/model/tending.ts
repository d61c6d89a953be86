// Commands that end deliveries, bring them forward and sweep them. If more deliveries match than the limit, the store
// chooses which, and the model reads the choice from the store.

import type { DeliveryRecord, DeliveryStore, EndRequest, PullInRequest, SweepRequest } from "@postrider/core";
import fc from "fast-check";
import { expectEqual } from "../../check.js";
import { commandsOf, type Drawn, nearbyInstants, type StoreCommand } from "./command.js";
import type { ModelDelivery } from "./model.js";
import { end, endableDeliveries, sweepableDeliveries, deliveriesDueTooLate } from "./moves.js";
import { lanes } from "./names.js";

/** Limits of one command. The largest is more than all deliveries of a run. */
const limits = fc.constantFrom(1, 2, 500);

const endings: fc.Arbitrary<Drawn<EndRequest>> = fc
  .record(
    {
      plain: fc.record({
        lane: lanes,
        reason: fc.constantFrom("expired", "refused", "destination-removed"),
        limit: limits,
      }),
      detail: fc.constantFrom("forbidden-address", "410"),
      firstAttemptBefore: nearbyInstants(-2_000, 100),
      acceptedBefore: nearbyInstants(-2_000, 100),
    },
    { requiredKeys: ["plain"] },
  )
  .map(({ plain, detail, firstAttemptBefore, acceptedBefore }) => (there) => ({
    ...plain,
    ...(detail === undefined ? {} : { detail }),
    ...(firstAttemptBefore === undefined ? {} : { firstAttemptBefore: firstAttemptBefore(there) }),
    ...(acceptedBefore === undefined ? {} : { acceptedBefore: acceptedBefore(there) }),
  }));

export const END_COMMANDS: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "end",
  drawn: endings,
  send: (store, asked, now) => store.end(asked, now),
  checkAnswer: async (model, { asked, answer, now, store }) => {
    const may = endableDeliveries(model, asked, now);
    const ended = await chosen(store, may, (record) => record?.state === "dead");
    expectCount(answer, { may, chosen: ended, limit: asked.limit }, "ended");
    for (const delivery of ended) end(delivery, asked, now);
  },
});

const pullIns: fc.Arbitrary<Drawn<PullInRequest>> = fc
  .record({
    lane: lanes,
    dueAt: nearbyInstants(-100, 200),
    dueAfter: nearbyInstants(200, 1_200),
    limit: limits,
  })
  .map(({ lane, dueAt, dueAfter, limit }) => (there) => ({
    lane,
    dueAt: dueAt(there),
    dueAfter: dueAfter(there),
    limit,
  }));

export const PULL_IN_COMMANDS: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "pullIn",
  drawn: pullIns,
  send: (store, asked, now) => store.pullIn(asked, now),
  checkAnswer: async (model, { asked, answer, store }) => {
    const may = deliveriesDueTooLate(model, asked);
    const pulled = await chosen(store, may, (record) => record?.dueAt === asked.dueAt);
    expectCount(answer, { may, chosen: pulled, limit: asked.limit }, "brought forward");
    for (const delivery of pulled) delivery.at = asked.dueAt;
  },
});

const sweeps: fc.Arbitrary<Drawn<SweepRequest>> = fc
  .record({ deliveredBefore: nearbyInstants(-1_000, 100), deadBefore: nearbyInstants(-1_000, 100), limit: limits })
  .map(({ deliveredBefore, deadBefore, limit }) => (there) => ({
    deliveredBefore: deliveredBefore(there),
    deadBefore: deadBefore(there),
    limit,
  }));

export const SWEEP_COMMANDS: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "sweep",
  drawn: sweeps,
  send: (store, asked, now) => store.sweep(asked, now),
  checkAnswer: async (model, { asked, answer, store }) => {
    const may = sweepableDeliveries(model, asked);
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
