// Cases of `claim`: it hands out the due deliveries of a lane and no others, and divides its limit between those that
// were tried before and those never tried.

import { type DeliveryId, type DestinationId, destinationId, deliveryId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { attempt, bytes, endpointState, refusingOnce, rescheduledOutcome, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const CLAIMING_CASES: readonly StoreCase[] = [
  {
    name: "a claim hands out what is due, earliest due first",
    async play(scene) {
      const [late, early, middle] = await acceptDue(scene, [-1, -9, -5]);
      expectEqual(await scene.claimIds(), [early, middle, late], "the deliveries claimed");
      const [last, first] = await acceptDue(scene, [-1, -9]);
      expectEqual(await scene.claimIds({ limit: 1 }), [first], "a claim of one");
      expectEqual(await scene.claimIds({ limit: 1 }), [last], "the next claim of one");
    },
  },
  {
    name: "nothing is claimed before it is due, and everything as soon as it is",
    async play(scene) {
      const [id] = await acceptDue(scene, [500]);
      expectEqual(await scene.claimIds(), [], "what is claimed at once");
      await scene.advance(499);
      expectEqual(await scene.claimIds(), [], "what is claimed 1 ms too early");
      await scene.advance(1);
      expectEqual(await scene.claimIds(), [id], "what is claimed when it is due");
    },
  },
  {
    name: "a claim never hands out more than its limit",
    async play(scene) {
      const ids = await acceptDue(scene, [-5, -4, -3, -2, -1]);
      expectEqual(await scene.claimIds({ limit: 2 }), ids.slice(0, 2), "a claim of two");
      expectEqual(await scene.claimIds({ limit: 2 }), ids.slice(2, 4), "the next claim of two");
      expectEqual(await scene.claimIds({ limit: 2 }), ids.slice(4), "the last claim of two");
    },
  },
  {
    name: "a claim takes from the named lanes, up to the limit of each, and from no other",
    async play(scene) {
      const { lane, otherLane, source } = scene;
      const thirdLane = destinationId(`${lane}-third`);
      for (const destination of [lane, lane, otherLane, otherLane, thirdLane]) await acceptFor(scene, destination);
      const lanes = [
        { lane, limit: 1 },
        { lane: otherLane, limit: 5 },
      ];
      const { deliveries } = await scene
        .store()
        .claim({ token: scene.token("x"), leaseMs: LEASE_MS, lanes }, scene.now());
      const claimedLanes = deliveries.map((claimed) => claimed.lane).toSorted();
      expectEqual(claimedLanes, [lane, otherLane, otherLane].toSorted(), "the lanes of what was claimed");
      const page = await scene.store().list({ source, states: ["waiting"], limit: 10 });
      const destinations = page.deliveries.map((delivery) => delivery.destination);
      expectEqual(destinations.toSorted(), [lane, thirdLane].toSorted(), "the lanes of what still waits");
    },
  },
  {
    name: "a claim of an empty lane is empty",
    async play(scene) {
      const { deliveries, nextDueAt } = await scene.claim();
      expectEqual(deliveries, [], "the deliveries");
      expectThat(!nextDueAt.has(scene.lane), "an empty lane has a due time");
    },
  },
  {
    name: "a claimed delivery is not handed out again while its lease is valid",
    async play(scene) {
      await acceptDue(scene, [0, 0, 0]);
      const firstIds = await scene.claimIds({ limit: 2 });
      const secondIds = await scene.claimIds({ token: scene.token("second") });
      expectEqual(firstIds.length + secondIds.length, 3, "how many were handed out");
      expectEqual(new Set([...firstIds, ...secondIds]).size, 3, "how many different ones");
      expectEqual(await scene.claimIds(), [], "what a third claim gets");
    },
  },
  {
    name: "claims made at the same time never hand out the same delivery",
    async play(scene) {
      await acceptDue(scene, [0, 0, 0, 0, 0, 0]);
      const tokens = ["one", "two", "three"].map(scene.token);
      const claims = await Promise.all(tokens.map((token) => scene.claimIds({ token, limit: 4 })));
      const handedOut = claims.flat();
      expectEqual(handedOut.length, 6, "how many were handed out");
      expectEqual(new Set(handedOut).size, 6, "how many different ones");
    },
  },
  {
    name: "a claimed delivery carries all that a round needs",
    async play(scene) {
      const { source, lane } = scene;
      const receivedAt = scene.later(-3);
      const id = await scene.acceptOne({ messageId: "round", type: "page", receivedAt, body: bytes("{}") });
      const leaseUntil = scene.later(LEASE_MS);
      const message = { id, lane, source, type: "page", messageId: "round", acceptedAt: receivedAt } as const;
      const untried = { ...message, body: bytes("{}"), dueAt: scene.now(), rounds: 0, endpoints: [], leaseUntil };
      expectEqual(await scene.claimOne(), untried, "a delivery on its first claim");

      const endpoints = [
        endpointState("a", true),
        endpointState("b", false, bytes("busy")),
        refusingOnce("c", scene.now()),
      ];
      const attempts = [attempt(scene.later(5)), attempt(scene.later(4), { verdict: "refused" })];
      await scene.settle({ id, outcome: rescheduledOutcome(scene.later(-1)), attempts, endpoints });
      const triedOnce = { ...untried, dueAt: scene.later(-1), rounds: 1, firstAttemptAt: scene.later(4), endpoints };
      expectEqual(await scene.claimOne(), triedOnce, "a delivery that was tried before");
    },
  },
  {
    name: "a claim says when each named lane is due next",
    async play(scene) {
      const { lane, otherLane } = scene;
      const dueAt = scene.later(300);
      await scene.accept({ deliveries: [waitingDelivery(lane, scene.now()), waitingDelivery(otherLane, scene.now())] });
      await scene.accept({ deliveries: [waitingDelivery(lane, dueAt)] });
      const lanes = [lane, otherLane].map((namedLane) => ({ lane: namedLane, limit: 5 }));
      const { nextDueAt } = await scene
        .store()
        .claim({ token: scene.token("x"), leaseMs: LEASE_MS, lanes }, scene.now());
      expectEqual(nextDueAt.get(lane), dueAt, "when the lane is due in which one still waits");
      expectEqual(
        nextDueAt.get(otherLane),
        scene.later(LEASE_MS),
        "when the lane is due whose only lease must end first",
      );
    },
  },
  {
    name: "a claim that reached its limit says that the rest is due at once",
    async play(scene) {
      await acceptDue(scene, [-2, -1]);
      const { nextDueAt } = await scene.claim({ limit: 1 });
      expectEqual(nextDueAt.get(scene.lane), scene.later(-1), "when the lane is due next");
    },
  },
];

function acceptFor(scene: Scene, destination: DestinationId): Promise<DeliveryId> {
  return scene.acceptOne({ deliveries: [waitingDelivery(destination, scene.now())] });
}

/** Stores deliveries that were never tried, due after these milliseconds. */
async function acceptDue(scene: Scene, offsetsMs: readonly number[]): Promise<readonly DeliveryId[]> {
  const ids: DeliveryId[] = [];
  for (const offsetMs of offsetsMs) {
    ids.push(await scene.acceptOne({ deliveries: [waitingDelivery(scene.lane, scene.later(offsetMs))] }));
  }
  return ids;
}

export const CLAIM_SHARE_CASES: readonly StoreCase[] = [
  {
    name: "a claim with a number of retries hands out that many retries; the rest were never tried",
    async play(scene) {
      const tried = await acceptTried(scene, [-9, -8, -7]);
      const untried = await acceptDue(scene, [-4, -3, -2, -1]);
      await expectClaimed(scene, { limit: 3, retries: 1 }, [...tried.slice(0, 1), ...untried.slice(0, 2)]);
      await expectClaimed(scene, { limit: 1, retries: 0 }, untried.slice(2, 3));
      await expectClaimed(scene, { limit: 3, retries: 2 }, [...tried.slice(1), ...untried.slice(3)]);
    },
  },
  {
    name: "each kind gets its share, whichever is due first",
    async play(scene) {
      const untried = await acceptDue(scene, [-9, -8, -7]);
      const tried = await acceptTried(scene, [-3, -2, -1]);
      await expectClaimed(scene, { limit: 2, retries: 1 }, [...tried.slice(0, 1), ...untried.slice(0, 1)]);
      await expectClaimed(scene, { limit: 1, retries: 0 }, untried.slice(1, 2));
      await expectClaimed(scene, { limit: 1, retries: 1 }, tried.slice(1, 2));
    },
  },
  {
    name: "if fewer of one kind are due than its share, the other kind gets the rest",
    async play(scene) {
      const tried = await acceptTried(scene, [-9]);
      const untried = await acceptDue(scene, [-8, -7, -6]);
      await expectClaimed(scene, { limit: 3, retries: 2 }, [...tried, ...untried.slice(0, 2)]);
      const moreTried = await acceptTried(scene, [-5, -4]);
      await expectClaimed(scene, { limit: 3, retries: 1 }, [...moreTried, ...untried.slice(2)]);
      await acceptDue(scene, [60_000]);
      await acceptTried(scene, [60_000]);
      await expectClaimed(scene, { limit: 3, retries: 1 }, []);
    },
  },
  {
    name: "a claim without a number of retries hands out what is due first",
    async play(scene) {
      const [tried] = await acceptTried(scene, [-8]);
      const [first, second] = await acceptDue(scene, [-9, -7]);
      expectEqual(await scene.claimIds({ limit: 2 }), [first, tried], "a claim of two");
      expectEqual(await scene.claimIds({ limit: 2 }), [second], "the next one");
    },
  },
  {
    name: "a delivery that was claimed and never tried counts as never tried, also after its lease",
    async play(scene) {
      const [released] = await acceptDue(scene, [-9]);
      await scene.claimOne();
      await scene.settle({ id: released ?? deliveryId(""), outcome: { kind: "released", dueAt: scene.later(-5) } });
      const tried = await acceptTried(scene, [-7, -6]);
      await expectClaimed(scene, { limit: 2, retries: 1 }, [...tried.slice(0, 1), ...(released ? [released] : [])]);
    },
  },
];

/** Expects these deliveries in any order: the store may choose which kind comes first. */
async function expectClaimed(
  scene: Scene,
  share: { readonly limit: number; readonly retries: number },
  expected: readonly DeliveryId[],
): Promise<void> {
  const claimedIds = await scene.claimIds(share);
  const label = `a claim of ${String(share.limit)} with ${String(share.retries)} retries`;
  expectEqual(claimedIds.toSorted(), expected.toSorted(), label);
}

/** Stores deliveries that had one round, due again after these milliseconds. */
async function acceptTried(scene: Scene, offsetsMs: readonly number[]): Promise<readonly DeliveryId[]> {
  const ids: DeliveryId[] = [];
  for (const offsetMs of offsetsMs) {
    const attempts = [attempt(scene.now())];
    ids.push(await scene.finish(rescheduledOutcome(scene.later(offsetMs)), { attempts }));
  }
  return ids;
}
