// Commands that claim on any lanes. A claim must take the earliest due of each kind; the store may choose among
// deliveries due at the same time, and end its claim after it has met deliveries that are out of reach.

import type { ClaimedDelivery, ClaimRequest, ClaimResult, EpochMs, LaneClaim } from "@postrider/core";
import fc from "fast-check";
import { expectEqual, expectThat } from "../../check.js";
import { type Drawn, type Question, questionsOf, freeToken } from "./command.js";
import { type Model, type ModelDelivery, unfinishedIn } from "./model.js";
import { claim, claimableDeliveries, lapse } from "./moves.js";
import { lanes, LARGE_LIMIT, leasesMs, limits, tokens } from "./names.js";
import type { Snapshot } from "./snapshot.js";
import { endAsPurged, isOutOfReach } from "./users.js";
import { earliestAt } from "./compare.js";

const limited: fc.Arbitrary<LaneClaim> = fc
  .record({ lane: lanes, limit: limits, share: fc.option(fc.nat(4), { nil: undefined }) })
  .map(({ share, ...claim }) => (share === undefined ? claim : { ...claim, retries: Math.min(share, claim.limit) }));

const claims: fc.Arbitrary<Drawn<ClaimRequest>> = fc
  .record({
    token: tokens,
    leaseMs: leasesMs,
    lanes: fc.uniqueArray(limited, { selector: ({ lane }) => lane, minLength: 1 }),
  })
  .map((drawn) => (there) => {
    const request = { ...drawn, token: freeToken(drawn.token, there) };
    if (!there.isShared || !there.hasUsers) return request;
    // Otherwise it could not be told which deliveries out of reach this claim has ended, and which another command.
    return { ...request, lanes: request.lanes.map(({ lane }) => ({ lane, limit: LARGE_LIMIT })) };
  });

export const CLAIM_QUESTIONS: fc.Arbitrary<Question> = questionsOf<ClaimRequest, ClaimResult>({
  name: "claim",
  drawn: claims,
  send: async (store, request, now) => {
    const answer = await store.claim(request, now);
    const copy = structuredClone(answer);
    spoil(answer);
    return copy;
  },
  follow: (model, { request, answer, now, seen }) => {
    const { deliveries, nextDueAt } = answer;
    const handedOut = request.lanes.map((laneClaim) => {
      const ofLane = deliveries.filter((claimed) => claimed.lane === laneClaim.lane);
      followLane(model, { request, named: laneClaim, claimed: ofLane, seen }, now);
      return ofLane.length;
    });
    const total = handedOut.reduce((sum, count) => sum + count, 0);
    expectEqual(deliveries.length, total, "how many of the deliveries claimed are of lanes that were named");
    expectEqual(inOrder(nextDueAt), dueNext(model, request), "when the lanes are due next");
  },
});

interface Claiming {
  readonly request: ClaimRequest;
  readonly named: LaneClaim;
  readonly claimed: readonly ClaimedDelivery[];
  readonly seen: Snapshot;
}

function followLane(model: Model, { request, named, claimed, seen }: Claiming, now: EpochMs): void {
  const dueDeliveries = claimableDeliveries(model, named.lane, now);
  const reachable = dueDeliveries.filter((delivery) => !isOutOfReach(model, delivery));
  // The store chooses the others that the claim has met, within the bounds that `expectDue` checks.
  const ended = dueDeliveries.filter(
    (one) => !reachable.includes(one) && seen.records.get(one.id)?.state !== one.state,
  );
  const claimedDeliveries = claimed.map((one) => findClaimed(reachable, one));
  expectDue({ due: dueDeliveries, claimed: claimedDeliveries, ended }, named);
  for (const delivery of ended) {
    lapse(delivery, now);
    endAsPurged(delivery, now);
  }
  for (const [index, delivery] of claimedDeliveries.entries()) {
    const claimedRow = claimed[index];
    expectThat(delivery.at === claimedRow?.dueAt, `${delivery.id} is claimed twice, or was due at another time`);
    const expected = shownAsClaimed(delivery);
    claim(delivery, request, now);
    expectEqual(claimedRow, { ...expected, leaseUntil: delivery.at }, `what a claim shows of ${delivery.id}`);
  }
}

function findClaimed(due: readonly ModelDelivery[], { id, lane }: ClaimedDelivery): ModelDelivery {
  const delivery = due.find((one) => one.id === id);
  expectThat(delivery !== undefined, `${id} is claimed, which is not due in lane ${lane}, or is out of reach`);
  return delivery;
}

function shownAsClaimed(delivery: ModelDelivery): Omit<ClaimedDelivery, "leaseUntil"> {
  const { id, destination, message, acceptedAt, at, rounds, firstAttemptAt, endpoints } = delivery;
  const { source, type, messageId, body } = message;
  const begun = firstAttemptAt === undefined ? {} : { firstAttemptAt };
  const summary = { id, lane: destination, source, type, messageId, acceptedAt, dueAt: at, body };
  return { ...summary, rounds, endpoints, ...begun };
}

function inOrder(nextDueAt: ClaimResult["nextDueAt"]): unknown {
  return [...nextDueAt].sort(([one], [other]) => (one < other ? -1 : 1));
}

function dueNext(model: Model, { lanes: named }: ClaimRequest): unknown {
  const unfinishedByLane = named.map(({ lane }) => [lane, unfinishedIn(model, lane)] as const);
  const dueTimes = unfinishedByLane
    .filter(([, left]) => left.length > 0)
    .map(([lane, left]) => [lane, earliestAt(left)] as const);
  return inOrder(new Map(dueTimes));
}

function spoil({ deliveries }: ClaimResult): void {
  for (const { body, endpoints } of deliveries) {
    body.fill(0xee);
    for (const { excerpt } of endpoints) excerpt?.fill(0xee);
  }
}

interface TakenDeliveries {
  /** All that could be claimed of the lane, earliest due first. */
  readonly due: readonly ModelDelivery[];
  readonly claimed: readonly ModelDelivery[];
  /** Those out of reach that became dead instead. */
  readonly ended: readonly ModelDelivery[];
}

/** Compares each kind separately if the claim has `retries`: the store may choose the order of kinds. */
function expectDue({ due, claimed, ended }: TakenDeliveries, { lane, limit, retries }: LaneClaim): void {
  const label = `since when the deliveries claimed of lane ${lane} were due`;
  expectThat(claimed.length <= limit, `a claim of lane ${lane} has more deliveries than its limit`);
  const least = Math.min(due.length, limit);
  const met = [...claimed, ...ended];
  const isFull = ended.length === 0 ? met.length === least : met.length >= least;
  expectThat(isFull, `${String(met.length)} deliveries of lane ${lane} were claimed, not ${String(least)}`);
  for (const { of, share } of kindsOf(due, limit, retries)) {
    const metOfKind = met.filter(of);
    const expected = due.filter(of).slice(0, metOfKind.length);
    expectEqual(timesOf(metOfKind).toSorted(ascending), timesOf(expected), label);
    expectEqual(timesOf(claimed.filter(of)), timesOf(claimed.filter(of)).toSorted(ascending), `the order of ${label}`);
    expectThat(
      metOfKind.length >= share,
      `${String(metOfKind.length)} of a kind are claimed, whose share is ${String(share)}`,
    );
  }
}

interface Kind {
  readonly of: (delivery: ModelDelivery) => boolean;
  /** The least number of deliveries of the kind that the claim meets. */
  readonly share: number;
}

function kindsOf(due: readonly ModelDelivery[], limit: number, retries: number | undefined): readonly Kind[] {
  if (retries === undefined) return [{ of: () => true, share: 0 }];
  const count = (of: Kind["of"]): number => due.filter(of).length;
  return [
    { of: isTried, share: Math.min(count(isTried), retries) },
    { of: isUntried, share: Math.min(count(isUntried), limit - retries) },
  ];
}

function isTried({ rounds }: ModelDelivery): boolean {
  return rounds > 0;
}

function isUntried({ rounds }: ModelDelivery): boolean {
  return rounds === 0;
}

function timesOf(deliveries: readonly ModelDelivery[]): readonly number[] {
  return deliveries.map(({ at }) => at);
}

function ascending(one: number, other: number): number {
  return one - other;
}
