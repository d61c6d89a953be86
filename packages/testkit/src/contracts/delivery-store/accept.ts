// Cases of new messages: how a `commit` stores them, and the `traceparent` that links the spans of their rounds to the
// span in which they were accepted.

import type { ClaimedDelivery } from "@postrider/core";
import { expectEqual, expectThat, expectPresent } from "../check.js";
import {
  bytes,
  claimedDelivery,
  DELIVERED,
  laneFullDelivery,
  rescheduledOutcome,
  waitingDelivery,
  attempt,
  DEAD,
} from "./samples.js";
import { LEASE_MS, type StoreCase } from "./scene.js";

export const ACCEPTING_CASES: readonly StoreCase[] = [
  {
    name: "a message gets a delivery for each of its destinations, in their order",
    async play(scene) {
      const { lane, otherLane } = scene;
      const ids = await scene.accept({
        deliveries: [waitingDelivery(otherLane, scene.now()), waitingDelivery(lane, scene.now())],
      });
      const destinations = await Promise.all(ids.map(async (id) => (await scene.record(id)).destination));
      expectEqual(destinations, [otherLane, lane], "the destinations of the deliveries answered");
    },
  },
  {
    name: "a new delivery has the fields of its message, and no others",
    async play(scene) {
      const { source, lane } = scene;
      const receivedAt = scene.later(-5);
      const dueAt = scene.later(700);
      const fields = { messageId: "said", type: "identify", receivedAt, body: bytes('{"said":true}') } as const;
      const id = await scene.acceptOne({ ...fields, deliveries: [waitingDelivery(lane, dueAt)] });
      const summary = { id, state: "waiting", source, destination: lane, dueAt, attemptCount: 0 } as const;
      const { messageId, type, body } = fields;
      const content = { messageId, type, body, acceptedAt: receivedAt, attempts: [], endpoints: [] };
      expectEqual(await scene.record(id), { ...summary, ...content }, "a new delivery");
    },
  },
  {
    name: "answers come in the order of the messages, duplicates included",
    async play(scene) {
      await scene.accept({ messageId: "known" });
      const accept = ["first", "known", "second"].map((messageId) => scene.message({ messageId }));
      const { accepted } = await scene.commit({ accept });
      const kinds = accepted.map((answer) => answer.kind);
      expectEqual(kinds, ["stored", "duplicate", "stored"], "the answers");
      const ids = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
      const messageIds = await Promise.all(ids.map(async (id) => (await scene.record(id)).messageId));
      expectEqual(messageIds, ["first", "second"], "the messages behind the deliveries answered");
    },
  },
  {
    name: "no delivery id is given twice",
    async play(scene) {
      const ids = [
        await scene.acceptOne(),
        await scene.acceptOne(),
        ...(await scene.accept()),
        await scene.acceptOne(),
      ];
      expectEqual(new Set(ids).size, ids.length, "how many ids differ");
    },
  },
  {
    name: "a delivery stored claimed belongs to the lease of its commit",
    async play(scene) {
      const id = await scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] });
      const { state, dueAt } = await scene.record(id);
      expectEqual({ state, dueAt }, { state: "claimed", dueAt: scene.later(LEASE_MS) }, "a delivery stored claimed");
      expectEqual(await scene.claimIds(), [], "what another claim gets while that lease lives");
      const answer = await scene.settle({ id, token: scene.commitToken(), outcome: DELIVERED });
      expectEqual(answer, "settled", "its settlement under the commit's token");
    },
  },
  {
    name: "a unit of a full lane is stored as dead, with its body, and never claimed",
    async play(scene) {
      const body = bytes('{"full":true}');
      const id = await scene.acceptOne({ body, deliveries: [laneFullDelivery(scene.lane)] });
      const record = await scene.record(id);
      expectEqual(record.state, "dead", "its state");
      expectEqual(record.reason, "lane-full", "its reason");
      expectEqual(record.body, body, "its body");
      expectThat(record.dueAt === undefined, "a dead delivery has a due time");
      expectEqual(await scene.claimIds(), [], "what a claim gets");
    },
  },
  {
    name: "a filtered unit is counted and has no row",
    async play(scene) {
      const { source, lane, otherLane } = scene;
      const filtered = [{ destination: otherLane, reason: "integrations" }] as const;
      await scene.accept({ deliveries: [waitingDelivery(lane, scene.now())], filtered });
      await scene.accept({ deliveries: [], filtered: [{ destination: null, reason: "no-destination" }] });
      await scene.expectCounts({ accepted: 3, filtered: 2, waiting: 1 }, "after three units");
      const { deliveries } = await scene.store().list({ source, limit: 10 });
      expectEqual(deliveries.length, 1, "how many deliveries are listed");
    },
  },
  {
    name: "an empty commit answers with empty lists",
    async play(scene) {
      const nothing = { accepted: [], replayed: [], settled: [], appended: [] };
      expectEqual(await scene.commit({}), nothing, "the answer");
    },
  },
  {
    name: "one commit takes messages, settlements, late attempts, replays and tallies together",
    async play(scene) {
      const [finishedId, claimedId] = [await scene.finish(DELIVERED), await scene.acceptOne()];
      await scene.claimOne();
      const outcome = rescheduledOutcome(scene.later(500));
      const committed = await scene.commit({
        accept: [scene.message()],
        settle: [{ id: claimedId, token: scene.claimToken(), outcome, attempts: [], endpoints: [] }],
        replay: [{ of: finishedId, start: { kind: "waiting", dueAt: scene.now() } }],
        tally: [{ source: scene.source, refused: 1, suppressed: 0, shed: 0 }],
      });
      expectEqual(committed.settled, ["settled"], "the settlements");
      expectEqual(committed.accepted.length + committed.replayed.length, 2, "how many new deliveries");
      await scene.expectCounts({ accepted: 4, waiting: 3, delivered: 1, refused: 1 }, "after it");
    },
  },
];

const TRACEPARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

const OTHER_TRACEPARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** Each of these cases needs `traceparents`, which `LINKING_CASES` adds. */
const LINKING: readonly StoreCase[] = [
  {
    name: "a `traceparent` comes back with each delivery of its message, and a message without one has none",
    async play(scene) {
      const { lane, otherLane } = scene;
      const deliveries = [lane, otherLane].map((destination) => waitingDelivery(destination, scene.now()));
      const links = [{ traceparent: TRACEPARENT }, {}, { traceparent: OTHER_TRACEPARENT }];
      const messages = links.map((link, index) =>
        scene.message({ messageId: `linked ${String(index)}`, deliveries, ...link }),
      );
      await scene.commit({ accept: messages });
      const expected = [`linked 0 ${TRACEPARENT}`, "linked 1 none", `linked 2 ${OTHER_TRACEPARENT}`];
      for (const claimedLane of [lane, otherLane]) {
        const claimedDeliveries = (await scene.claim({ lane: claimedLane })).deliveries;
        expectEqual(claimedDeliveries.map(showTraceparent).toSorted(), expected, "what is claimed");
      }
    },
  },
  {
    name: "a `traceparent` comes back in each round of a delivery, and after the lease of one that was stored as claimed",
    async play(scene) {
      await scene.acceptOne({ traceparent: TRACEPARENT, deliveries: [claimedDelivery(scene.lane)] });
      await scene.advance(LEASE_MS);
      for (const round of ["first", "second", "third"]) {
        const { id, traceparent } = await scene.claimOne();
        expectEqual(traceparent, TRACEPARENT, `what is claimed for the ${round} round`);
        await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts: [attempt(scene.now())] });
      }
    },
  },
  {
    name: "a replay has the `traceparent` of its message, and so has the replay of a replay",
    async play(scene) {
      let replayedId = await scene.finish(DEAD, { traceparent: TRACEPARENT });
      const start = { kind: "waiting", dueAt: scene.now() } as const;
      for (const label of ["replay", "replay of the replay"]) {
        const { replayed } = await scene.commit({ replay: [{ of: replayedId, start }] });
        replayedId = expectPresent(replayed[0], `the ${label}`);
        expectEqual((await scene.claimOne()).traceparent, TRACEPARENT, `the \`traceparent\` of the ${label}`);
        await scene.settle({ id: replayedId, outcome: DEAD, attempts: [attempt(scene.now())] });
      }
    },
  },
  {
    name: "a `traceparent` survives a crash",
    needs: ["restart"],
    async play(scene) {
      await scene.acceptOne({ traceparent: TRACEPARENT });
      await scene.crash();
      expectEqual((await scene.claimOne()).traceparent, TRACEPARENT, "what is claimed after the crash");
    },
  },
];

export const LINKING_CASES: readonly StoreCase[] = LINKING.map(({ needs = [], ...storeCase }) => {
  return { ...storeCase, needs: [...needs, "traceparents"] as const };
});

function showTraceparent({ messageId, traceparent = "none" }: ClaimedDelivery): string {
  return `${messageId} ${traceparent}`;
}
