// Cases of replays: each is a new, independent delivery of the same message. That a delivery has been replayed stays a
// fact about it when the replay is gone, and a replay that is to be made once heeds it.

import { type DeliveryId, deliveryId, type InitialState, type Replay, epochMs } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { attempt, bytes, DEAD, DELIVERED, endpointState, laneFullDelivery, releasedOutcome } from "./samples.js";
import { raceCases } from "./race.js";
import { LEASE_MS, type Scene, type StoreCase, type StoreRace } from "./scene.js";

export const REPLAYING_CASES: readonly StoreCase[] = [
  {
    name: "a replay is a new delivery of the same bytes that points at the old one",
    async play(scene) {
      const { source, lane } = scene;
      const fields = { messageId: "again", type: "group", body: bytes('{"again":true}') } as const;
      const oldId = await scene.finish(DEAD, fields);
      await scene.advance(50);
      const id = expectPresent(await replay(scene, oldId), "the new delivery");
      expectThat(id !== oldId, "a replay has the id of the old delivery");
      const nowMs = scene.now();
      const summary = {
        id,
        state: "waiting",
        dueAt: nowMs,
        acceptedAt: nowMs,
        attemptCount: 0,
        replayOf: oldId,
      } as const;
      const content = { ...fields, source, destination: lane, attempts: [], endpoints: [] };
      expectEqual(await scene.record(id), { ...summary, ...content }, "the new delivery");
      expectEqual((await scene.claimOne()).body, fields.body, "its body as claimed");
    },
  },
  {
    name: "a replay has a new window, and the old delivery stays as it was",
    async play(scene) {
      const attempts = [attempt(scene.now())];
      const oldId = await scene.finish(DELIVERED, { attempts, endpoints: [endpointState("a", true)] });
      const oldRecord = await scene.record(oldId);
      await replay(scene, oldId);
      const { rounds, firstAttemptAt, endpoints } = await scene.claimOne();
      expectEqual({ rounds, endpoints }, { rounds: 0, endpoints: [] }, "the rounds and endpoints of the new one");
      expectThat(firstAttemptAt === undefined, "the window of the new one has begun");
      expectEqual(await scene.record(oldId), oldRecord, "the old delivery");
    },
  },
  {
    name: "only delivered or dead deliveries are replayed",
    async play(scene) {
      const [waitingId, claimedId] = [await scene.acceptOne(), await scene.acceptOne()];
      await scene.claim();
      await scene.settle({ id: waitingId, outcome: releasedOutcome(scene.later(900)) });
      const start = { kind: "waiting", dueAt: scene.now() } as const;
      const unknown = deliveryId("no such delivery");
      const { replayed } = await scene.commit({ replay: [waitingId, claimedId, unknown].map((of) => ({ of, start })) });
      expectEqual(replayed.filter((id) => id !== undefined).length, 0, "how many were replayed");
      expectEqual(replayed.length, 3, "how many answers came");
      await scene.expectCounts({ accepted: 2, waiting: 1, claimed: 1 }, "after it");
    },
  },
  {
    name: "a unit of a full lane can be replayed",
    async play(scene) {
      const body = bytes('{"later":true}');
      const id = await scene.acceptOne({ body, deliveries: [laneFullDelivery(scene.lane)] });
      await replay(scene, id);
      expectEqual((await scene.claimOne()).body, body, "the body as claimed");
    },
  },
  {
    name: "a replay is counted as accepted and in its state, and not as a duplicate",
    async play(scene) {
      const id = await scene.finish(DELIVERED);
      await replay(scene, id);
      await replay(scene, id, { kind: "claimed" });
      await replay(scene, id, { kind: "dead", reason: "lane-full" });
      await scene.expectCounts({ accepted: 4, waiting: 1, claimed: 1, delivered: 1, dead: 1 }, "after three replays");
    },
  },
  {
    name: "a replay stored claimed belongs to the lease of its commit",
    async play(scene) {
      const oldId = await scene.finish(DEAD);
      const id = expectPresent(await replay(scene, oldId, { kind: "claimed" }), "the new delivery");
      expectEqual((await scene.record(id)).dueAt, scene.later(LEASE_MS), "the end of its lease");
      expectEqual(await scene.claimIds(), [], "what another claim gets");
      const answer = await scene.settle({ id, token: scene.commitToken(), outcome: DELIVERED });
      expectEqual(answer, "settled", "its settlement under the commit's token");
    },
  },
  {
    name: "a list can leave out replayed deliveries; the replays stay in it",
    async play(scene) {
      const { source } = scene;
      const [oldId, otherId] = [await scene.finish(DEAD), await scene.finish(DEAD)];
      const replayId = await replay(scene, oldId);
      const page = await scene.store().list({ source, limit: 10 });
      expectEqual(
        page.deliveries.map((delivery) => delivery.id),
        [replayId, otherId, oldId],
        "all of them",
      );
      const filteredPage = await scene.store().list({ source, notReplayed: true, limit: 10 });
      expectEqual(
        filteredPage.deliveries.map((delivery) => delivery.id),
        [replayId, otherId],
        "those not replayed",
      );
      const deadPage = await scene.store().list({ source, states: ["dead"], notReplayed: true, limit: 10 });
      expectEqual(
        deadPage.deliveries.map((delivery) => delivery.id),
        [otherId],
        "the dead ones not replayed",
      );
    },
  },
  {
    name: "a replay that is to be made once is made unless an earlier one was, of whichever kind",
    async play(scene) {
      const ids = [await scene.finish(DEAD), await scene.finish(DELIVERED), await scene.finish(DEAD)] as const;
      const [fresh, known, other] = ids;
      await replay(scene, known);
      const asked = [
        { of: fresh, once: true },
        { of: fresh, once: true },
        { of: fresh, once: false },
        { of: known, once: true },
        { of: other },
        { of: other, once: true },
      ];
      expectEqual(await areReplayed(scene, asked), [true, false, true, false, true, false], "which of them were made");
      expectEqual(await areReplayed(scene, asked.slice(3)), [false, true, false], "which were made by the next commit");
      await scene.expectCounts({ accepted: 8, waiting: 5, delivered: 1, dead: 2 }, "after both");
    },
  },
];

/** Asks for replays in one commit. */
async function areReplayed(scene: Scene, asked: readonly Pick<Replay, "of" | "once">[]): Promise<readonly boolean[]> {
  const start = { kind: "waiting", dueAt: scene.now() } as const;
  const { replayed } = await scene.commit({ replay: asked.map((one) => ({ ...one, start })) });
  return replayed.map((id) => id !== undefined);
}

async function replay(scene: Scene, of: DeliveryId, start?: InitialState): Promise<DeliveryId | undefined> {
  const dueNow: InitialState = { kind: "waiting", dueAt: scene.now() };
  return (await scene.commit({ replay: [{ of, start: start ?? dueNow }] })).replayed[0];
}

export const REPLAYED_FOR_GOOD_CASES: readonly StoreCase[] = [
  {
    name: "a delivery has been replayed for good, also once its replay was swept",
    async play(scene) {
      const { source } = scene;
      const oldId = await scene.finish(DELIVERED);
      const { start } = laneFullDelivery(scene.lane);
      const [replay] = (await scene.commit({ replay: [{ of: oldId, start }] })).replayed;
      await scene.advance(1);
      const request = { deliveredBefore: epochMs(0), deadBefore: scene.now(), limit: 10_000 };
      await scene.store().sweep(request, scene.now());
      const listedIds = (await scene.store().list({ source, limit: 5 })).deliveries.map(({ id }) => id);
      expectEqual(
        [listedIds.includes(oldId), replay !== undefined && listedIds.includes(replay)],
        [true, false],
        "what is left",
      );
      const { deliveries } = await scene.store().list({ source, notReplayed: true, limit: 5 });
      expectEqual(deliveries, [], "the deliveries that have not been replayed");
      expectEqual(await areReplayed(scene, [{ of: oldId, once: true }]), [false], "whether it is replayed once more");
    },
  },
];

const REPLAY_RACES: readonly StoreRace[] = [
  {
    name: "two replays at the same time that are to be made once: one is made",
    async play(scene, { otherStore, together }) {
      const id = await scene.finish(DEAD);
      const replay = [{ of: id, start: { kind: "waiting", dueAt: scene.now() } as const, once: true }];
      const committed = await together(
        () => scene.commit({ replay }),
        () => scene.commit({ replay }, otherStore),
      );
      const replays = committed.flatMap(({ replayed }) => replayed).filter((made) => made !== undefined);
      expectEqual(replays.length, 1, "how many were made");
      await scene.expectCounts({ accepted: 2, dead: 1, waiting: 1 }, "after both");
    },
  },
  {
    name: "a replay and a sweep at the same time: a replay with its body, or none",
    async play(scene, { otherStore, together }) {
      const body = bytes('{"kept":true}');
      const id = await scene.finish(DEAD, { body });
      await scene.advance(1);
      const nowMs = scene.now();
      const replay = [{ of: id, start: { kind: "waiting", dueAt: nowMs } as const }];
      const [{ replayed }] = await together(
        () => scene.commit({ replay }),
        () => otherStore.sweep({ deliveredBefore: nowMs, deadBefore: nowMs, limit: 1_000 }, nowMs),
      );
      const { deliveries } = await scene.claim();
      expectEqual(
        deliveries.map((claimed) => [claimed.id, claimed.body]),
        replayed[0] === undefined ? [] : [[replayed[0], body]],
        "what is handed out after it",
      );
      if (replayed[0] !== undefined) expectEqual((await scene.record(replayed[0])).body, body, "the body as found");
      const count = deliveries.length;
      await scene.expectCounts({ accepted: 1 + count, dead: 1, claimed: count }, "after it");
    },
  },
];

export const RACING_REPLAY_CASES: readonly StoreCase[] = raceCases(REPLAY_RACES);
