// Claims on any lanes. The store may choose among deliveries that are due at the same time, and the order of lanes.

import type { ClaimResult, ClaimedDelivery, ClaimRequest, EpochMs, LaneClaim } from "@postrider/core";
import fc from "fast-check";
import { expectEqual, expectThat } from "../../check.js";
import { commandsOf, type StoreCommand } from "./command.js";
import { earliestAt, type Model, type ModelDelivery, unfinishedIn } from "./model.js";
import { claim, claimableDeliveries } from "./moves.js";
import { lanes, leasesMs, tokens } from "./names.js";

const limited: fc.Arbitrary<LaneClaim> = fc
  .record({ lane: lanes, limit: fc.integer({ min: 1, max: 4 }), share: fc.option(fc.nat(4), { nil: undefined }) })
  .map(({ share, ...claim }) => (share === undefined ? claim : { ...claim, retries: Math.min(share, claim.limit) }));

const claims: fc.Arbitrary<ClaimRequest> = fc.record({
  token: tokens,
  leaseMs: leasesMs,
  lanes: fc.uniqueArray(limited, { selector: ({ lane }) => lane, minLength: 1 }),
});

export const CLAIM_COMMANDS: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "claim",
  drawn: claims.map((request) => () => request),
  send: (store, asked, now) => store.claim(asked, now),
  checkAnswer: (model, { asked, answer, now }) => {
    const { deliveries, nextDueAt } = answer;
    const handedOut = asked.lanes.map((named) => {
      const ofLane = deliveries.filter((claimed) => claimed.lane === named.lane);
      followLane(model, { request: asked, named, claimed: ofLane }, now);
      return ofLane.length;
    });
    const total = handedOut.reduce((sum, count) => sum + count, 0);
    expectEqual(deliveries.length, total, "how many of the deliveries claimed are of lanes that were named");
    expectEqual(inOrder(nextDueAt), dueNext(model, asked), "when the lanes are due next");
  },
});

interface Claiming {
  readonly request: ClaimRequest;
  readonly named: LaneClaim;
  readonly claimed: readonly ClaimedDelivery[];
}

function followLane(model: Model, { request, named, claimed }: Claiming, now: EpochMs): void {
  const { lane } = named;
  const due = claimableDeliveries(model, lane, now);
  expectDueTimes(claimed, handedOut(due, named), named);
  for (const one of claimed) {
    const delivery = due.find(({ id }) => id === one.id);
    expectThat(delivery !== undefined, `${one.id} is claimed, which is not due in lane ${lane}`);
    expectThat(delivery.at === one.dueAt, `${one.id} is claimed twice, or was due at another time`);
    const expected = shownAsClaimed(delivery);
    claim(delivery, request, now);
    expectEqual(one, { ...expected, leaseUntil: delivery.at }, `what a claim shows of ${one.id}`);
    spoil(one);
  }
}

/** Compares each kind separately if the claim has `retries`: the store may choose the order of kinds. */
function expectDueTimes(
  claimed: readonly ClaimedDelivery[],
  expected: readonly ModelDelivery[],
  { lane, retries }: LaneClaim,
): void {
  const what = `since when the deliveries claimed of lane ${lane} were due`;
  for (const kind of retries === undefined ? [() => true] : [isTried, isUntried]) {
    const times = claimed.filter(kind).map(({ dueAt }) => dueAt);
    expectEqual(
      times,
      expected.filter(kind).map(({ at }) => at),
      what,
    );
  }
}

function handedOut(due: readonly ModelDelivery[], { limit, retries }: LaneClaim): readonly ModelDelivery[] {
  if (retries === undefined) return due.slice(0, limit);
  const [tried, untried] = [due.filter(isTried), due.filter(isUntried)];
  const ofTried = Math.min(tried.length, Math.max(retries, limit - untried.length));
  return [...tried.slice(0, ofTried), ...untried.slice(0, limit - ofTried)];
}

function isTried({ rounds }: { readonly rounds: number }): boolean {
  return rounds > 0;
}

function isUntried({ rounds }: { readonly rounds: number }): boolean {
  return rounds === 0;
}

function shownAsClaimed(delivery: ModelDelivery): Omit<ClaimedDelivery, "leaseUntil"> {
  const { id, destination, message, acceptedAt, at, rounds, firstAttemptAt, endpoints } = delivery;
  const { source, type, messageId, body } = message;
  const begun = firstAttemptAt === undefined ? {} : { firstAttemptAt };
  const shown = { id, lane: destination, source, type, messageId, acceptedAt, dueAt: at, body };
  return { ...shown, rounds, endpoints, ...begun };
}

function inOrder(nextDueAt: ClaimResult["nextDueAt"]): unknown {
  return [...nextDueAt].sort(([one], [other]) => (one < other ? -1 : 1));
}

function dueNext(model: Model, { lanes: named }: ClaimRequest): unknown {
  const held = named.map(({ lane }) => [lane, unfinishedIn(model, lane)] as const);
  const due = held.filter(([, left]) => left.length > 0).map(([lane, left]) => [lane, earliestAt(left)] as const);
  return inOrder(new Map(due));
}

function spoil({ body, endpoints }: ClaimedDelivery): void {
  body.fill(0xee);
  for (const { excerpt } of endpoints) excerpt?.fill(0xee);
}
