// Cases of size: the largest commits, the longest lists, and a storage without room. They come last, since their data
// would slow the others down in a store that reads everything when it opens.

import {
  type Body,
  type DeliveryId,
  type NewMessage,
  destinationId,
  MAX_BATCH_CALLS,
  MAX_CLAIMED_DELIVERIES,
  MAX_CLAIMED_LANES,
  type CommitResult,
} from "@postrider/core";
import { expectEqual, expectPresent, expectThat, rejectionCodeOf } from "../check.js";
import { waitingDelivery, attempt, claimedDelivery, DELIVERED, bytes } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const LARGE_COMMIT_CASES: readonly StoreCase[] = [
  {
    name: "a commit of 2,500 messages is stored whole",
    async play(scene) {
      const ids = await acceptMany(scene);
      expectEqual(new Set(ids).size, MAX_BATCH_CALLS, "how many ids differ");
      const endRecords = [ids[0], ids.at(-1)].map((id) => scene.record(expectPresent(id, "the id of a delivery")));
      const messageIds = (await Promise.all(endRecords)).map(({ messageId }) => messageId);
      expectEqual(messageIds, ["many-1", `many-${String(MAX_BATCH_CALLS)}`], "the first message and the last");
      await scene.expectCounts({ accepted: MAX_BATCH_CALLS, waiting: MAX_BATCH_CALLS }, "after it");
      expectEqual(
        (await scene.claimIds({ limit: MAX_BATCH_CALLS + 1 })).length,
        MAX_BATCH_CALLS,
        "how many can be claimed",
      );
    },
  },
  {
    name: "a message id is remembered however many others follow, and makes none of them a duplicate",
    async play(scene) {
      await scene.accept({ messageId: "first" });
      const filtered = [{ destination: scene.lane, reason: "historical" }] as const;
      for (let commit = 0; commit < FOLLOWING_COMMITS; commit += 1) {
        const accept = manyMessages(scene, { deliveries: [], filtered }).map((message) => ({
          ...message,
          messageId: `${String(commit)}-${message.messageId}`,
        }));
        const { accepted } = await scene.commit({ accept });
        expectEqual(accepted.filter(({ kind }) => kind === "stored").length, accept.length, "how many are stored");
      }
      const { accepted } = await scene.commit({ accept: [scene.message({ messageId: "first" })] });
      expectEqual(accepted[0]?.kind, "duplicate", "the answer to the first id again");
    },
  },
  {
    name: "a commit of 2,500 messages is there whole after a crash",
    needs: ["restart"],
    async play(scene) {
      const ids = await acceptMany(scene);
      await scene.crash();
      await scene.expectCounts({ accepted: MAX_BATCH_CALLS, waiting: MAX_BATCH_CALLS }, "after the crash");
      const claimedIds = await scene.claimIds({ limit: MAX_BATCH_CALLS + 1 });
      expectEqual(claimedIds.toSorted(), ids.toSorted(), "what can be claimed");
    },
  },
  {
    name: "a second process sees all of a commit or nothing of it",
    needs: ["sharing"],
    async play(scene) {
      const otherStore = await scene.openAnother();
      const claim = () => {
        const lanes = [{ lane: scene.lane, limit: MAX_BATCH_CALLS + 1 }];
        return otherStore.claim({ token: scene.token("other"), leaseMs: LEASE_MS, lanes }, scene.now());
      };
      const [, firstClaim] = await Promise.all([acceptMany(scene), claim()]);
      const count = firstClaim.deliveries.length;
      expectThat(
        count === 0 || count === MAX_BATCH_CALLS,
        `the other process could claim ${String(count)} of ${String(MAX_BATCH_CALLS)}`,
      );
      expectEqual(count + (await claim()).deliveries.length, MAX_BATCH_CALLS, "how many it could claim in the end");
      await otherStore.close();
    },
  },
];

/** Enough for more ids than a cache of a store usually holds. */
const FOLLOWING_COMMITS = 5;

/** As many numbered messages as a batch may have, each with one delivery that is due. */
export function manyMessages(scene: Scene, fields: Partial<NewMessage> = {}): readonly NewMessage[] {
  const deliveries = [waitingDelivery(scene.lane, scene.now())];
  return Array.from({ length: MAX_BATCH_CALLS }, (_, index) =>
    scene.message({ messageId: `many-${String(index + 1)}`, deliveries, ...fields }),
  );
}

async function acceptMany(scene: Scene): Promise<readonly DeliveryId[]> {
  const { accepted } = await scene.commit({ accept: manyMessages(scene) });
  return accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
}

export const LIST_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "a claim takes from as many lanes as one claim may name, from each as many as there may be in all",
    async play(scene) {
      const lanes = Array.from({ length: MAX_CLAIMED_LANES }, (_, index) =>
        destinationId(`${scene.lane}-${String(index)}`),
      );
      await scene.accept({ deliveries: lanes.map((lane) => waitingDelivery(lane, scene.now())) });
      const request = {
        token: scene.token("many"),
        leaseMs: LEASE_MS,
        lanes: lanes.map((lane) => ({ lane, limit: 1 })),
      };
      const { deliveries, nextDueAt } = await scene.store().claim(request, scene.now());
      expectEqual(deliveries.map(({ lane }) => lane).toSorted(), lanes.toSorted(), "the lanes that were claimed from");
      expectEqual([...nextDueAt.keys()].toSorted(), lanes.toSorted(), "the lanes whose next delivery is told");

      const accept = Array.from({ length: MAX_CLAIMED_DELIVERIES + 1 }, () => scene.message());
      await scene.commit({ accept });
      const claimedIds = await scene.claimIds({ limit: MAX_CLAIMED_DELIVERIES });
      expectEqual(new Set(claimedIds).size, MAX_CLAIMED_DELIVERIES, "how many one lane hands out");
    },
  },
  {
    name: "a commit of 2,500 settlements, late attempts or replays carries out each",
    async play(scene) {
      const ids = await acceptClaimed(scene, MAX_BATCH_CALLS);
      const token = scene.commitToken();
      const attempts = [attempt(scene.now())];
      const settle = ids.map((id) => ({ id, token, outcome: DELIVERED, attempts, endpoints: [] }));
      const { settled } = await scene.commit({ settle });
      expectEqual(settled.filter((answer) => answer === "settled").length, MAX_BATCH_CALLS, "how many are settled");
      const lateAttempt = attempt(scene.later(1), { round: 2 });
      const { appended } = await scene.commit({ append: ids.map((id) => ({ id, attempt: lateAttempt })) });
      expectEqual(appended.filter((answer) => answer === "appended").length, MAX_BATCH_CALLS, "how many are appended");
      const { replayed } = await scene.commit({ replay: ids.map((of) => ({ of, start: { kind: "claimed" } })) });
      expectEqual(new Set(replayed).size, MAX_BATCH_CALLS, "how many are replayed");
      await scene.expectCounts(
        { accepted: 2 * MAX_BATCH_CALLS, delivered: MAX_BATCH_CALLS, claimed: MAX_BATCH_CALLS },
        "after it",
      );
      const lastRecord = await scene.record(expectPresent(ids.at(-1), "the id of the last delivery"));
      expectEqual(lastRecord.attempts, [...attempts, lateAttempt], "the attempts of the last");
    },
  },
];

async function acceptClaimed(scene: Scene, count: number): Promise<readonly DeliveryId[]> {
  const accept = Array.from({ length: count }, () => scene.message({ deliveries: [claimedDelivery(scene.lane)] }));
  const { accepted } = await scene.commit({ accept });
  return accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
}

/** The body with which `manyMessages` do not fit where there is little room. */
export const KIB: Body = bytes("x".repeat(1_024));

export const FILLING_CASES: readonly StoreCase[] = [
  {
    name: "a commit that does not fit rejects with `full`, and nothing of it is stored",
    needs: ["full", "restart"],
    async play(scene) {
      const { source } = scene;
      const deliveredId = await scene.finish(DELIVERED);
      const claimedId = await scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] });
      const token = scene.commitToken();
      await scene.reopenCramped();
      const viewBefore = await viewOf(scene);
      const code = await expectRejection(
        scene.commit({
          accept: manyMessages(scene, { body: KIB }),
          settle: [{ id: claimedId, token, outcome: DELIVERED, attempts: [attempt(scene.now())], endpoints: [] }],
          replay: [{ of: deliveredId, start: { kind: "waiting", dueAt: scene.now() } }],
          append: [{ id: deliveredId, attempt: attempt(scene.now()) }],
          tally: [{ source, refused: 1, suppressed: 1, shed: 1 }],
        }),
      );
      expectEqual(code, "full", "the code of the rejection");
      expectEqual(await viewOf(scene), viewBefore, "what is there after it");
      expectEqual(await scene.claimIds(), [], "what can be claimed after it");
      await scene.crash();
      expectEqual(await viewOf(scene), viewBefore, "what is there once there is room again");
      expectEqual(
        await scene.settle({ id: claimedId, token, outcome: DELIVERED }),
        "settled",
        "the settlement once more",
      );
    },
  },
  {
    name: "a message that did not fit is no duplicate when it comes again",
    needs: ["full", "restart"],
    async play(scene) {
      const accept = manyMessages(scene, { body: KIB });
      await scene.reopenCramped();
      expectEqual(await expectRejection(scene.commit({ accept })), "full", "the code of the rejection");
      await scene.crash();
      const repeated = [...accept.slice(0, 2), ...accept.slice(-1)];
      const { accepted } = await scene.commit({ accept: repeated });
      const kinds = accepted.map(({ kind }) => kind);
      expectEqual(kinds, ["stored", "stored", "stored"], "the answers once there is room");
      await scene.expectCounts({ accepted: 3, waiting: 3 }, "after it");
    },
  },
  {
    name: "settlements are stored although there is no room for messages",
    needs: ["full", "restart", "settlingWhenFull"],
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const token = scene.claimToken();
      await scene.reopenCramped();
      expectEqual(
        await expectRejection(scene.commit({ accept: manyMessages(scene, { body: KIB }) })),
        "full",
        "the code of the rejection",
      );
      const attempts = [attempt(scene.now())];
      expectEqual(await scene.settle({ id, token, outcome: DELIVERED, attempts }), "settled", "the settlement");
      await scene.crash();
      const { state, attemptCount } = await scene.record(id);
      expectEqual({ state, attemptCount }, { state: "delivered", attemptCount: 1 }, "the delivery after it");
    },
  },
];

/** The records and counters of what this scene stored. */
async function viewOf(scene: Scene): Promise<unknown> {
  const { deliveries } = await scene.store().list({ source: scene.source, limit: 10 });
  const records = await Promise.all(deliveries.map(({ id }) => scene.record(id)));
  const counts = (await scene.store().counts()).find(({ source }) => source === scene.source);
  return { records, counts };
}

/** Expects that a commit rejects, and returns the code. */
async function expectRejection(commit: Promise<CommitResult>): Promise<unknown> {
  const code = await rejectionCodeOf(commit);
  expectThat(code !== undefined, "a commit for which there is no room was answered");
  return code;
}
