// A deletion request at the same time as calls that store, hand out or replay deliveries of its user.

import { expectEqual, expectPresent } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import { raceCases } from "./race.js";
import { bytes, DEAD } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase, type StoreRace } from "./scene.js";

const DELETION_RACES: readonly StoreRace[] = [
  {
    name: "a request and a commit of its user's message at the same time: nothing stays within reach",
    needs: ["deletions"],
    async play(scene, { other, together }) {
      const { user, deletion, purge } = deletionScene(scene);
      const deletions = expectPresent(other.deletions, "a store that supports `deletions`");
      const { deletions: newest } = await deletions.list({ limit: 1 });
      const userIds = [user("ann")];
      const accept = [scene.message({ userIds }), scene.message({ userIds, asOf: newest[0]?.number ?? 0 })];
      const request = { id: deletion("1"), regulation: "suppress-with-delete", userIds, sources: null } as const;
      const [{ accepted }] = await together(
        () => scene.commit({ accept }),
        () => deletions.open(request, scene.now()),
      );
      const kinds = accepted.map(({ kind }) => kind).join();
      const isStored = kinds === "stored,stored";
      if (!isStored) expectEqual(kinds, "suppressed,outdated", "the answers, if the request was first");
      expectEqual(await scene.claimIds(), [], "what is handed out after it");
      await purge();
      const { deliveries } = await scene.store().list({ source: scene.source, limit: 5 });
      expectEqual(deliveries.length, isStored ? 2 : 0, "how many deliveries there are");
      for (const { id } of deliveries) await expectPurged(scene, id);
      await scene.expectCounts(isStored ? { accepted: 2, dead: 2 } : { suppressed: 1 }, "after it");
    },
  },
  {
    name: "a request and a claim of its user's delivery at the same time: it is handed out once, or is dead as purged",
    needs: ["deletions"],
    async play(scene, { other, together }) {
      const { user, deletion, purge } = deletionScene(scene);
      const deletions = expectPresent(other.deletions, "a store that supports `deletions`");
      const id = await scene.acceptOne({ userIds: [user("ann")] });
      const request = { id: deletion("1"), regulation: "delete-only", userIds: [user("ann")], sources: null } as const;
      const [claimed] = await together(
        () => scene.claimIds({ token: scene.token("one") }),
        () => deletions.open(request, scene.now()),
      );
      if (claimed.length > 0) {
        expectEqual(claimed, [id], "what is handed out");
        expectEqual((await scene.record(id)).state, "claimed", "the state of what is handed out");
      }
      await purge();
      await scene.advance(LEASE_MS);
      expectEqual(await scene.claimIds(), [], "what is handed out after its lease");
      await expectPurged(scene, id);
      await scene.expectCounts({ accepted: 1, dead: 1 }, "after it");
    },
  },
  {
    name: "a request and a replay of its user's delivery at the same time: nothing stays within reach",
    needs: ["deletions"],
    async play(scene, { other, together }) {
      const { user, deletion, purge } = deletionScene(scene);
      const deletions = expectPresent(other.deletions, "a store that supports `deletions`");
      const of = await scene.finish(DEAD, { userIds: [user("ann")], body: bytes("she lives here") });
      const request = { id: deletion("1"), regulation: "delete-only", userIds: [user("ann")], sources: null } as const;
      const replay = [{ of, start: { kind: "waiting", dueAt: scene.now() } as const }];
      await together(
        () => scene.commit({ replay }),
        () => deletions.open(request, scene.now()),
      );
      expectEqual(await scene.claimIds(), [], "what is handed out after it");
      await purge();
      const { deliveries } = await scene.store().list({ source: scene.source, limit: 5 });
      for (const { id } of deliveries) await expectPurged(scene, id);
      await scene.expectCounts({ accepted: deliveries.length, dead: deliveries.length }, "after it");
    },
  },
];

export const RACING_DELETION_CASES: readonly StoreCase[] = raceCases(DELETION_RACES);

async function expectPurged(scene: Scene, id: Parameters<Scene["record"]>[0]): Promise<void> {
  const { state, reason, body } = await scene.record(id);
  expectEqual({ state, reason, body }, { state: "dead", reason: "purged" }, "a delivery of the user after the purge");
}
