// Cases of commits, reads, claims and maintenance on a storage that fails at one access, each in turn, or for good:
// they change all or nothing, a read that fails never looks empty, and what is repeated counts once.

import type { DeliveryId } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import { atEachAccess, expectReadsOrRejections } from "./faults.js";
import { type Scene, type StoreCase, LEASE_MS } from "./scene.js";
import { prepareWholeCommit, callsOfEachMethod } from "./each-method.js";
import { attempt, DELIVERED, waitingDelivery } from "./samples.js";
import { sweepInSlices } from "./sweep.js";

export const FAILING_CASES: readonly StoreCase[] = [
  {
    name: "the harness fails accesses: a commit rejects as what its first access fails as",
    needs: ["faults"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) {
        const hasHappened = scene.gates.plan({ code, at: "before", spared: 0 });
        const rejectionCode = await rejectionCodeOf(scene.commit({ accept: [scene.message()] }));
        expectThat(hasHappened(), "a commit had no access for which the harness asked the gate for a fault");
        expectThat(
          rejectionCode === undefined || rejectionCode === code,
          `a storage that is ${code}: the commit rejected as ${String(rejectionCode)}`,
        );
      }
    },
  },
  {
    name: "a commit that fails as `busy` or `full` at any access has written nothing, and is stored when it is repeated",
    needs: ["faults"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) {
        await atEachAccess(scene, { code, at: "before" }, async (newScene, plan) => {
          const { changes, expectThere } = await prepareWholeCommit(newScene);
          const hasHappened = newScene.gates.plan(plan);
          const rejectionCode = await rejectionCodeOf(newScene.commit(changes));
          const isFailed = hasHappened() && rejectionCode !== undefined;
          if (isFailed) expectEqual(rejectionCode, code, "the code of the rejection");
          await expectThere(!isFailed, `after an answer (${String(rejectionCode)})`);
          if (isFailed) await newScene.commit(changes);
          await expectThere(true, "after the commit once more");
          return isFailed;
        });
      }
    },
  },
  {
    name: "a commit that fails as `unavailable` is there whole or not at all, and is not counted twice when it is repeated",
    needs: ["faults", "restart"],
    async play(scene) {
      for (const at of ["before", "after"] as const) {
        await atEachAccess(scene, { code: "unavailable", at }, async (newScene, plan) => {
          const { changes, isThere } = await prepareWholeCommit(newScene);
          const hasHappened = newScene.gates.plan(plan);
          const rejectionCode = await rejectionCodeOf(newScene.commit(changes));
          const isFailed = hasHappened() && rejectionCode !== undefined;
          if (isFailed) expectEqual(rejectionCode, "unavailable", "the code of the rejection");
          await newScene.crash();
          const wasThere = await isThere();
          expectThat(wasThere || isFailed, "a commit that was answered is not there");
          const { accepted, settled } = await newScene.commit({ accept: changes.accept, settle: changes.settle });
          const kinds = accepted.map(({ kind }) => kind);
          const expected = wasThere ? ["duplicate", "duplicate", "stale"] : ["stored", "stored", "settled"];
          expectEqual([...kinds, ...settled], expected, "the answers to messages and settlement once more");
          const counts = wasThere ? { accepted: 6, waiting: 4, duplicates: 2 } : { accepted: 5, waiting: 3 };
          await newScene.expectCounts({ ...counts, delivered: 2, received: 4 }, "after the repeated commit");
          return isFailed;
        });
      }
    },
  },
];

function findSeen(scene: Scene, messageId: string): ReturnType<ReturnType<Scene["store"]>["seen"]> {
  return scene.store().seen({ messageId, source: scene.source }, scene.now());
}

export const FAILING_FOR_GOOD_CASES: readonly StoreCase[] = [
  {
    name: "after a call that fails as `corrupt` all methods reject, and the commit is there whole or not at all",
    needs: ["faults", "restart"],
    async play(scene) {
      await atEachAccess(scene, { code: "corrupt", at: "before" }, async (newScene, plan) => {
        const { changes, isThere } = await prepareWholeCommit(newScene);
        const hasHappened = newScene.gates.plan(plan);
        const rejectionCode = await rejectionCodeOf(newScene.commit(changes));
        if (!hasHappened()) return false;
        expectEqual(rejectionCode, "corrupt", "the code of the rejection");
        for (const { name, call } of callsOfEachMethod(newScene, newScene.store(), "any" as DeliveryId)) {
          const code = await rejectionCodeOf(call());
          const isRejected = code === "corrupt" || code === "unavailable";
          expectThat(isRejected, `\`${name}\` after a fault that is corrupt: ${String(code)}`);
        }
        await newScene.store().close();
        await newScene.crash();
        await isThere();
        return true;
      });
    },
  },
  {
    name: "a read that fails rejects: it never answers as if the storage were empty",
    needs: ["faults"],
    async play(scene) {
      const id = await scene.acceptOne({ messageId: "there" });
      const { source } = scene;
      const reads = [
        { name: "find", read: async () => (await scene.store().find(id))?.messageId },
        { name: "list", read: async () => (await scene.store().list({ source, limit: 1 })).deliveries[0]?.id },
        { name: "lanes", read: async () => (await scene.store().lanes({ limit: 1 }, scene.now())).lanes.length },
        { name: "seen", read: async () => (await findSeen(scene, "there")).length },
        { name: "counts", read: async () => (await scene.store().counts()).find((row) => row.source === source) },
      ];
      await expectReadsOrRejections(scene, reads);
    },
  },
];

export const FAILING_MOVE_CASES: readonly StoreCase[] = [
  {
    name: "claims, ends, changes of due times and sweeps that fail as `busy` have changed nothing",
    needs: ["faults"],
    async play(scene) {
      for (const move of BUSY_MOVES) {
        await atEachAccess(scene, { code: "busy", at: "before" }, async (newScene, plan) => {
          await sweepInSlices(newScene);
          await newScene.accept({ deliveries: [waitingDelivery(newScene.lane, newScene.now())] });
          await newScene.accept({ deliveries: [waitingDelivery(newScene.lane, newScene.later(900_000))] });
          await newScene.finish(DELIVERED, { attempts: [attempt(newScene.now())] });
          await newScene.advance(1);
          const viewBefore = await viewOf(newScene);
          const hasHappened = newScene.gates.plan(plan);
          const code = await rejectionCodeOf(move.call(newScene));
          const isFailed = hasHappened() && code !== undefined;
          if (!isFailed) return false;
          expectEqual(code, "busy", `the code with which \`${move.name}\` rejects`);
          expectEqual(await viewOf(newScene), viewBefore, `what is there after \`${move.name}\` has failed`);
          expectEqual(
            await move.call(newScene),
            move.expected,
            `how many \`${move.name}\` changes when it is repeated`,
          );
          return true;
        });
      }
    },
  },
  {
    name: "what a claim has taken whose answer was lost is handed out again after its lease",
    needs: ["faults", "restart"],
    async play(scene) {
      await atEachAccess(scene, { code: "unavailable", at: "after" }, async (newScene, plan) => {
        const id = await newScene.acceptOne();
        const hasHappened = newScene.gates.plan(plan);
        const code = await rejectionCodeOf(newScene.claimIds());
        const isFailed = hasHappened() && code !== undefined;
        await newScene.crash();
        const { state } = await newScene.record(id);
        await newScene.expectCounts({ accepted: 1, [state]: 1 }, "after the lost answer");
        await newScene.advance(LEASE_MS);
        expectEqual(await newScene.claimIds(), [id], "what is handed out after the lease");
        return isFailed;
      });
    },
  },
];

interface BusyMove {
  readonly name: string;
  readonly call: (scene: Scene) => Promise<number>;
  readonly expected: number;
}

const BUSY_MOVES: readonly BusyMove[] = [
  { name: "claim", call: async (scene) => (await scene.claim()).deliveries.length, expected: 1 },
  {
    name: "end",
    call: (scene) => scene.store().end({ lane: scene.lane, reason: "expired", limit: 9 }, scene.now()),
    expected: 2,
  },
  {
    name: "pullIn",
    call: (scene) => {
      const request = { lane: scene.lane, dueAfter: scene.later(5), dueAt: scene.now(), limit: 9 };
      return scene.store().pullIn(request, scene.now());
    },
    expected: 1,
  },
  {
    name: "sweep",
    call: (scene) => {
      const nowMs = scene.now();
      return scene.store().sweep({ deliveredBefore: nowMs, deadBefore: nowMs, limit: 1 }, nowMs);
    },
    expected: 1,
  },
];

async function viewOf(scene: Scene): Promise<unknown> {
  const { deliveries } = await scene.store().list({ source: scene.source, limit: 9 });
  const records = await Promise.all(deliveries.map(({ id }) => scene.record(id)));
  return { records, counts: (await scene.store().counts()).find(({ source }) => source === scene.source) };
}
