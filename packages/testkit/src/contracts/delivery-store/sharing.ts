// Several processes on one storage.

import type { DeliveryStore } from "@postrider/core";
import { expectEqual } from "../check.js";
import { DEAD, DELIVERED } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const SHARING_CASES: readonly StoreCase[] = [
  {
    name: "a process finds, claims and settles what another process has stored",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (store) => {
        const id = await scene.acceptOne();
        expectEqual((await scene.claimOne({ store })).id, id, "what the other claims");
        expectEqual(await scene.settle({ id, outcome: DELIVERED, store }), "settled", "what the other settles");
        expectEqual((await scene.record(id)).state, "delivered", "the state as the first sees it");
      }),
  },
  {
    name: "claims of two processes never overlap",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (store) => {
        for (let message = 0; message < 6; message += 1) await scene.acceptOne();
        const claims = [
          await scene.claimIds({ limit: 2 }),
          await scene.claimIds({ limit: 3, store, token: scene.token("other") }),
          await scene.claimIds({ limit: 9 }),
        ];
        expectEqual(
          claims.map((ids) => ids.length),
          [2, 3, 1],
          "how many each claim got",
        );
        expectEqual(new Set(claims.flat()).size, 6, "how many different ones");
      }),
  },
  {
    name: "a process that was frozen past its lease cannot settle what another has claimed since",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (store) => {
        const id = await scene.acceptOne();
        await scene.claimOne();
        const token = scene.claimToken();
        await scene.advance(LEASE_MS);
        await scene.claimOne({ store, token: scene.token("other") });
        expectEqual(await scene.settle({ id, token, outcome: DEAD }), "stale", "the settlement of the sleeper");
        const other = await scene.settle({ id, outcome: DELIVERED, store, token: scene.token("other") });
        expectEqual(other, "settled", "the settlement of the other");
        expectEqual((await scene.record(id)).state, "delivered", "the state in the end");
      }),
  },
  {
    name: "a message that one process stored is a duplicate to another; it is counted once as accepted, and as one duplicate",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (store) => {
        await scene.accept({ messageId: "both" });
        const lease = { token: scene.token("other"), leaseMs: LEASE_MS };
        const accept = [scene.message({ messageId: "both" }), scene.message({ messageId: "only the other" })];
        const changes = { accept, replay: [], settle: [], append: [], tally: [], lease };
        const { accepted } = await store.commit(changes, scene.now());
        expectEqual(
          accepted.map((answer) => answer.kind),
          ["duplicate", "stored"],
          "the answers of the other",
        );
        await scene.expectCounts({ accepted: 2, waiting: 2, duplicates: 1 }, "as the first sees them");
      }),
  },
];

/** Plays with a second process on the same storage. */
async function beside(scene: Scene, play: (other: DeliveryStore) => Promise<void>): Promise<void> {
  const other = await scene.openAnother();
  try {
    await play(other);
  } finally {
    await other.close();
  }
}
