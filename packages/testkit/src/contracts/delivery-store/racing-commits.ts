// Cases of commits and claims at the same time as each other, as a sweep, and as calls that change which deliveries can
// be handed out: each takes effect and counts once.

import { destinationId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { raceCases } from "./race.js";
import { attempt, claimedDelivery, DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import { type StoreCase, type StoreRace, LEASE_MS, type Scene } from "./scene.js";

const COMMIT_RACES: readonly StoreRace[] = [
  {
    name: "a message id that two commits have at the same time is stored once, and is a duplicate once",
    async play(scene, { otherStore, together }) {
      const [firstMessage, secondMessage] = [
        scene.message({ messageId: "same" }),
        scene.message({ messageId: "same" }),
      ];
      const committed = await together(
        () => scene.commit({ accept: [firstMessage] }),
        () => scene.commit({ accept: [secondMessage] }, otherStore),
      );
      const kinds = committed.flatMap(({ accepted }) => accepted.map(({ kind }) => kind));
      expectEqual(kinds.toSorted(), ["duplicate", "stored"], "both answers");
      const { deliveries } = await scene.store().list({ source: scene.source, messageId: "same", limit: 5 });
      expectEqual(deliveries.length, 1, "how many deliveries there are");
      await scene.expectCounts({ accepted: 1, waiting: 1, duplicates: 1, received: 1 }, "after it");
    },
  },
  {
    name: "two commits at the same time are both counted in full",
    async play(scene, { otherStore, together }) {
      const [deliveredId, deadId] = [await scene.acceptOne(), await scene.acceptOne()];
      await scene.claim();
      const claimFields = { token: scene.claimToken(), attempts: [attempt(scene.now())], endpoints: [] };
      const tally = [{ source: scene.source, refused: 1, suppressed: 2, shed: 3 }];
      const [firstMessage, secondMessage] = [
        scene.message(),
        scene.message({ deliveries: [claimedDelivery(scene.lane)] }),
      ];
      await together(
        () =>
          scene.commit({
            accept: [firstMessage],
            settle: [{ id: deliveredId, outcome: DELIVERED, ...claimFields }],
            tally,
          }),
        () =>
          scene.commit(
            { accept: [secondMessage], settle: [{ id: deadId, outcome: DEAD, ...claimFields }], tally },
            otherStore,
          ),
      );
      const states = { waiting: 1, claimed: 1, delivered: 1, dead: 1 };
      await scene.expectCounts(
        { accepted: 4, received: 4, ...states, refused: 2, suppressed: 4, shed: 6 },
        "after both",
      );
      const after = destinationId(scene.lane.slice(0, -1));
      const { lanes } = await scene.store().lanes({ after, limit: 1 }, scene.now());
      expectEqual(lanes.find(({ lane }) => lane === scene.lane)?.deliveries, 2, "unfinished deliveries of the lane");
    },
  },
  {
    name: "two settlements of one claim at the same time: one settles, and one attempt is recorded",
    async play(scene, { otherStore, together }) {
      const id = await scene.acceptOne();
      await scene.claim({ token: scene.token("one") });
      const attempts = [attempt(scene.now())];
      const claimFields = { id, token: scene.token("one"), attempts };
      const answers = await together(
        () => scene.settle({ ...claimFields, outcome: DELIVERED }),
        () => scene.settle({ ...claimFields, outcome: DEAD, store: otherStore }),
      );
      expectEqual(answers.toSorted(), ["settled", "stale"], "both answers");
      const { state, attemptCount } = await scene.record(id);
      const expected = answers[0] === "settled" ? "delivered" : "dead";
      expectEqual({ state, attemptCount }, { state: expected, attemptCount: 1 }, "the delivery after it");
      await scene.expectCounts({ accepted: 1, [expected]: 1 }, "after it");
    },
  },
  {
    name: "a commit sees the commit that was answered before it, beside a call of another",
    async play(scene, { otherStore, together }) {
      const id = await scene.acceptOne();
      const token = scene.token("one");
      await scene.claim({ token });
      const [repeatedMessage, otherMessage] = [
        scene.message({ messageId: "again" }),
        scene.message({ messageId: "third" }),
      ];
      const [laterResult] = await together(
        async () => {
          const settle = [{ id, token, outcome: DEAD, attempts: [], endpoints: [] }];
          await scene.commit({ accept: [repeatedMessage], settle });
          const replay = [{ of: id, start: { kind: "waiting", dueAt: scene.now() } as const }];
          return scene.commit({ accept: [repeatedMessage], replay, append: [{ id, attempt: attempt(scene.now()) }] });
        },
        () => scene.commit({ accept: [otherMessage] }, otherStore),
      );
      expectEqual(laterResult.accepted, [{ kind: "duplicate" }], "the message of both commits");
      expectThat(
        laterResult.replayed[0] !== undefined,
        "what the first commit has finished is not replayed by the next",
      );
      expectEqual(laterResult.appended, ["appended"], "a late attempt of what the first commit has settled");
      await scene.expectCounts({ accepted: 4, waiting: 3, dead: 1, duplicates: 1 }, "after it");
    },
  },
];

export const RACING_COMMIT_CASES: readonly StoreCase[] = raceCases(COMMIT_RACES);

const CLAIM_RACES: readonly StoreRace[] = [
  {
    name: "two claims at the same time hand out each delivery once, and keep both limits",
    async play(scene, { otherStore, together }) {
      for (let message = 0; message < 6; message += 1) await scene.acceptOne();
      const [firstIds, otherIds] = await together(
        () => scene.claimIds({ limit: 4, token: scene.token("one") }),
        () => scene.claimIds({ limit: 3, token: scene.token("other"), store: otherStore }),
      );
      expectThat(
        firstIds.length <= 4 && otherIds.length <= 3,
        `limits of 4 and 3: ${sizes(firstIds, otherIds)} were handed out`,
      );
      expectThat(
        firstIds.length > 0 && otherIds.length > 0,
        `a claim came back empty: ${sizes(firstIds, otherIds)}, of 6 due`,
      );
      const remainingIds = await scene.claimIds();
      expectEqual(
        new Set([...firstIds, ...otherIds, ...remainingIds]).size,
        6,
        "how many different ones were handed out",
      );
      expectEqual([...firstIds, ...otherIds, ...remainingIds].length, 6, "how many were handed out");
      for (const id of firstIds) await expectSettles(scene, id, "one");
      for (const id of otherIds) await expectSettles(scene, id, "other");
      await scene.expectCounts(
        { accepted: 6, claimed: remainingIds.length, delivered: 6 - remainingIds.length },
        "after it",
      );
    },
  },
  {
    name: "a settlement at the end of a lease and a claim at the same time: exactly one of both gets the delivery",
    async play(scene, { otherStore, together }) {
      const id = await scene.acceptOne();
      await scene.claim({ token: scene.token("one") });
      await scene.advance(LEASE_MS);
      const [settlement, claimedIds] = await together(
        () => scene.settle({ id, outcome: DELIVERED, token: scene.token("one") }),
        () => scene.claimIds({ token: scene.token("other"), store: otherStore }),
      );
      const isSettled = settlement === "settled";
      expectEqual(
        claimedIds,
        isSettled ? [] : [id],
        `what is handed out beside a settlement that is ${String(settlement)}`,
      );
      expectEqual((await scene.record(id)).state, isSettled ? "delivered" : "claimed", "the state after it");
      await scene.expectCounts({ accepted: 1, [isSettled ? "delivered" : "claimed"]: 1 }, "after it");
      if (!isSettled) await expectSettles(scene, id, "other");
    },
  },
  {
    name: "ending deliveries and a claim at the same time: none is handed out and ended",
    async play(scene, { otherStore, together }) {
      for (let message = 0; message < 4; message += 1) await scene.acceptOne();
      const request = { lane: scene.lane, reason: "expired", limit: 10 } as const;
      const [endedCount, claimedIds] = await together(
        () => scene.store().end(request, scene.now()),
        () => scene.claimIds({ limit: 2, token: scene.token("other"), store: otherStore }),
      );
      const endedLater = await scene.store().end(request, scene.now());
      expectEqual(
        endedCount + endedLater + claimedIds.length,
        4,
        `${String(claimedIds.length)} handed out, and how many in all`,
      );
      const { length: count } = claimedIds;
      await scene.expectCounts({ accepted: 4, claimed: count, dead: 4 - count }, "after it");
      for (const id of claimedIds) await expectSettles(scene, id, "other");
    },
  },
  {
    name: "bringing forward and a claim at the same time: each delivery is handed out once",
    async play(scene, { otherStore, together }) {
      const dueId = await scene.acceptOne();
      const laterId = await scene.acceptOne({ deliveries: [waitingDelivery(scene.lane, scene.later(900_000))] });
      const request = { lane: scene.lane, dueAfter: scene.later(LEASE_MS + 5), dueAt: scene.now(), limit: 5 };
      const [changedCount, claimedIds] = await together(
        () => scene.store().pullIn(request, scene.now()),
        () => scene.claimIds({ token: scene.token("other"), store: otherStore }),
      );
      expectEqual(changedCount, 1, "how many were brought forward");
      const remainingIds = await scene.claimIds({ token: scene.token("rest") });
      expectEqual([...claimedIds, ...remainingIds].toSorted(), [dueId, laterId].toSorted(), "what was handed out");
      for (const id of claimedIds) await expectSettles(scene, id, "other");
      await scene.expectCounts({ accepted: 2, delivered: claimedIds.length, claimed: remainingIds.length }, "after it");
    },
  },
];

export const RACING_CLAIM_CASES: readonly StoreCase[] = raceCases(CLAIM_RACES);

async function expectSettles(scene: Scene, id: Parameters<Scene["record"]>[0], token: string): Promise<void> {
  const answer = await scene.settle({ id, outcome: DELIVERED, token: scene.token(token) });
  expectEqual(answer, "settled", `the settlement of what the claim "${token}" handed out`);
}

function sizes(firstIds: readonly unknown[], otherIds: readonly unknown[]): string {
  return `${String(firstIds.length)} and ${String(otherIds.length)}`;
}
