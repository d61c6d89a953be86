// Commands that end deliveries, bring them forward and sweep them. If more deliveries match than the limit, the store
// chooses which, and the model reads the choice from the store.

import { defined } from "@postrider/core/engine";
import type { DeliveryRecord, EndRequest, PullInRequest, SweepRequest } from "@postrider/core";
import fc from "fast-check";
import { expectEqual } from "../../check.js";
import { type Drawn, type DrawContext, nearbyInstants, type Question, questionsOf } from "./command.js";
import type { ModelDelivery } from "./model.js";
import { deliveriesDueTooLate, end, endableDeliveries, sweepableDeliveries } from "./moves.js";
import { lanes, LARGE_LIMIT, limits } from "./names.js";
import type { Snapshot } from "./snapshot.js";

const endings: fc.Arbitrary<Drawn<EndRequest>> = fc
  .record({
    plain: fc.record({
      lane: lanes,
      reason: fc.constantFrom("expired", "refused", "destination-removed"),
      limit: limits,
    }),
    detail: fc.constantFrom("forbidden-address", "410", undefined),
    firstAttemptBefore: rarely(nearbyInstants(-2_000, 100)),
    acceptedBefore: rarely(nearbyInstants(-2_000, 100)),
  })
  .map(({ plain, detail, firstAttemptBefore, acceptedBefore }) => (there) => ({
    ...plain,
    limit: limitOf(plain.limit, there),
    ...defined({
      detail,
      firstAttemptBefore: firstAttemptBefore?.(there),
      acceptedBefore: acceptedBefore?.(there),
    }),
  }));

function rarely<T>(arbitrary: fc.Arbitrary<T>): fc.Arbitrary<T | undefined> {
  return fc.option(arbitrary, { freq: 1, nil: undefined });
}

export const END_QUESTIONS: fc.Arbitrary<Question> = questionsOf<EndRequest, number>({
  name: "end",
  drawn: endings,
  send: (store, request, now) => store.end(request, now),
  follow: (model, { request, answer, now, seen }) => {
    const candidates = endableDeliveries(model, request, now);
    const chosen = selectChanged({ candidates, limit: request.limit, seen }, (record) => record?.state === "dead");
    expectCount(answer, { candidates, chosen, limit: request.limit }, "ended");
    for (const delivery of chosen) end(model, delivery, request, now);
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
    limit: limitOf(limit, there),
  }));

export const PULL_IN_QUESTIONS: fc.Arbitrary<Question> = questionsOf<PullInRequest, number>({
  name: "pullIn",
  drawn: pullIns,
  send: (store, request, now) => store.pullIn(request, now),
  follow: (model, { request, answer, seen }) => {
    const candidates = deliveriesDueTooLate(model, request);
    const chosen = selectChanged(
      { candidates, limit: request.limit, seen },
      (record) => record?.dueAt === request.dueAt,
    );
    expectCount(answer, { candidates, chosen, limit: request.limit }, "brought forward");
    for (const delivery of chosen) delivery.at = request.dueAt;
  },
});

const sweeps: fc.Arbitrary<Drawn<SweepRequest>> = fc
  .record({ deliveredBefore: nearbyInstants(-1_000, 100), deadBefore: nearbyInstants(-1_000, 100), limit: limits })
  .map(({ deliveredBefore, deadBefore, limit }) => (there) => ({
    deliveredBefore: deliveredBefore(there),
    deadBefore: deadBefore(there),
    limit: limitOf(limit, there),
  }));

/** If sweeps are not exact, the model reads from the store which of the candidates are gone. */
export function sweepQuestions(isExact: boolean): fc.Arbitrary<Question> {
  return questionsOf<SweepRequest, number>({
    name: "sweep",
    drawn: sweeps,
    send: (store, request, now) => store.sweep(request, now),
    follow: (model, { request, answer, seen }) => {
      const candidates = sweepableDeliveries(model, request);
      const limit = isExact ? request.limit : 0;
      const chosen = selectChanged({ candidates, limit, seen }, (record) => record === undefined);
      if (isExact) expectCount(answer, { candidates, chosen, limit }, "swept");
      for (const delivery of candidates) delivery.isToBeSwept = !isExact;
      for (const delivery of chosen) delivery.isSwept = true;
    },
  });
}

/** Beside other commands a limit leaves no choice: the store's choice could not be told from the effects of these. */
function limitOf(limit: number, { isShared }: DrawContext): number {
  return isShared ? LARGE_LIMIT : limit;
}

type IsChosen = (record: DeliveryRecord | undefined) => boolean;

interface Offer {
  readonly candidates: readonly ModelDelivery[];
  readonly limit: number;
  readonly seen: Snapshot;
}

function selectChanged({ candidates, limit, seen }: Offer, isChosen: IsChosen): readonly ModelDelivery[] {
  return candidates.length <= limit ? candidates : candidates.filter(({ id }) => isChosen(seen.records.get(id)));
}

interface Choice {
  readonly candidates: readonly ModelDelivery[];
  readonly chosen: readonly ModelDelivery[];
  readonly limit: number;
}

function expectCount(answer: number, { candidates, chosen, limit }: Choice, what: string): void {
  expectEqual(answer, Math.min(candidates.length, limit), `how many were ${what}, as answered`);
  expectEqual(chosen.length, answer, `how many were ${what}, as found`);
}
