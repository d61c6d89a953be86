// Claims on any lanes. Which of several that are due at the same time are handed out is left to the store, and so is the
// order in which lanes follow one another.

import type { Claimed, ClaimedDelivery, ClaimRequest, DestinationId, EpochMs } from "@postrider/core";
import fc from "fast-check";
import { expectEqual, expectThat } from "../../check.js";
import { commandsOf, type StoreCommand } from "./command.js";
import { earliest, type Model, type ModelDelivery, unfinishedIn } from "./model.js";
import { claim, claimable } from "./moves.js";
import { lanes, leasesMs, tokens } from "./names.js";

const limited = fc.record({ lane: lanes, limit: fc.integer({ min: 1, max: 4 }) });

const claims: fc.Arbitrary<ClaimRequest> = fc.record({
  token: tokens,
  leaseMs: leasesMs,
  lanes: fc.uniqueArray(limited, { selector: ({ lane }) => lane, minLength: 1 }),
});

export const CLAIMING: fc.Arbitrary<StoreCommand> = commandsOf({
  name: "claim",
  drawn: claims.map((request) => () => request),
  put: (store, asked, now) => store.claim(asked, now),
  judge: (model, { asked, answer, now }) => {
    const { deliveries, nextDueAt } = answer;
    const handedOut = asked.lanes.map(({ lane, limit }) => {
      const ofLane = deliveries.filter((claimed) => claimed.lane === lane);
      followLane(model, { request: asked, lane, limit, claimed: ofLane }, now);
      return ofLane.length;
    });
    const total = handedOut.reduce((sum, count) => sum + count, 0);
    expectEqual(deliveries.length, total, "how many of the deliveries claimed are of lanes that were named");
    expectEqual(inOrder(nextDueAt), dueNext(model, asked), "when the lanes are due next");
  },
});

interface LaneClaim {
  readonly request: ClaimRequest;
  readonly lane: DestinationId;
  readonly limit: number;
  readonly claimed: readonly ClaimedDelivery[];
}

function followLane(model: Model, { request, lane, limit, claimed }: LaneClaim, now: EpochMs): void {
  const due = claimable(model, lane, now);
  const dueTimes = due.slice(0, limit).map(({ at }) => at);
  expectEqual(
    claimed.map(({ dueAt }) => dueAt),
    dueTimes,
    `since when the deliveries claimed of lane ${lane} were due`,
  );
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

function shownAsClaimed(delivery: ModelDelivery): Omit<ClaimedDelivery, "leaseUntil"> {
  const { id, destination, message, acceptedAt, at, rounds, firstAttemptAt, endpoints } = delivery;
  const { source, type, messageId, body } = message;
  const begun = firstAttemptAt === undefined ? {} : { firstAttemptAt };
  const shown = { id, lane: destination, source, type, messageId, acceptedAt, dueAt: at, body };
  return { ...shown, rounds, endpoints, ...begun };
}

function inOrder(nextDueAt: Claimed["nextDueAt"]): unknown {
  return [...nextDueAt].sort(([one], [other]) => (one < other ? -1 : 1));
}

function dueNext(model: Model, { lanes: named }: ClaimRequest): unknown {
  const held = named.map(({ lane }) => [lane, unfinishedIn(model, lane)] as const);
  const due = held.filter(([, left]) => left.length > 0).map(([lane, left]) => [lane, earliest(left)] as const);
  return inOrder(new Map(due));
}

function spoil({ body, endpoints }: ClaimedDelivery): void {
  body.fill(0xee);
  for (const { excerpt } of endpoints) excerpt?.fill(0xee);
}
