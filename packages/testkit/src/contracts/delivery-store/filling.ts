// A storage without room: nothing is stored of a commit that does not fit, and operations that need no room succeed.

import type { CommitResult } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { manyMessages } from "./large-commits.js";
import { attempt, bytes, claimedDelivery, DELIVERED } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

const KIB = bytes("x".repeat(1_024));

export const FILLING_CASES: readonly StoreCase[] = [
  {
    name: "a commit that does not fit rejects with `full`, and nothing of it is stored",
    needs: ["full", "restart"],
    async play(scene) {
      const { source } = scene;
      const done = await scene.finish(DELIVERED);
      const open = await scene.acceptOne({ deliveries: [claimedDelivery(scene.lane)] });
      const token = scene.commitToken();
      await scene.reopenCramped();
      const before = await all(scene);
      const rejected = await codeOfRejection(
        scene.commit({
          accept: manyMessages(scene, { body: KIB }),
          settle: [{ id: open, token, outcome: DELIVERED, attempts: [attempt(scene.now())], endpoints: [] }],
          replay: [{ of: done, start: { kind: "waiting", dueAt: scene.now() } }],
          append: [{ id: done, attempt: attempt(scene.now()) }],
          tally: [{ source, refused: 1, suppressed: 1, shed: 1 }],
        }),
      );
      expectEqual(rejected, "full", "the code of the rejection");
      expectEqual(await all(scene), before, "what is there after it");
      expectEqual(await scene.claimIds(), [], "what can be claimed after it");
      await scene.crash();
      expectEqual(await all(scene), before, "what is there once there is room again");
      expectEqual(await scene.settle({ id: open, token, outcome: DELIVERED }), "settled", "the settlement once more");
    },
  },
  {
    name: "a message that did not fit is no duplicate when it comes again",
    needs: ["full", "restart"],
    async play(scene) {
      const accept = manyMessages(scene, { body: KIB });
      await scene.reopenCramped();
      expectEqual(await codeOfRejection(scene.commit({ accept })), "full", "the code of the rejection");
      await scene.crash();
      const again = [...accept.slice(0, 2), ...accept.slice(-1)];
      const { accepted } = await scene.commit({ accept: again });
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
        await codeOfRejection(scene.commit({ accept: manyMessages(scene, { body: KIB }) })),
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
async function all(scene: Scene): Promise<unknown> {
  const { deliveries } = await scene.store().list({ source: scene.source, limit: 10 });
  const records = await Promise.all(deliveries.map(({ id }) => scene.record(id)));
  const counts = (await scene.store().counts()).find(({ source }) => source === scene.source);
  return { records, counts };
}

/** The code with which a commit rejects. */
async function codeOfRejection(commit: Promise<CommitResult>): Promise<unknown> {
  const rejected = await commit.then(
    () => undefined,
    (error: unknown) => ({ error }),
  );
  expectThat(rejected !== undefined, "a commit for which there is no room was answered");
  const { error } = rejected;
  return error instanceof Error && "code" in error ? error.code : error;
}
