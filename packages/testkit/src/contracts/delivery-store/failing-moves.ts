// Claims and maintenance of a storage that fails at one access: at each in turn. They change all or nothing.

import { expectEqual } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { atEachAccess } from "./at-each-access.js";
import { attempt, DELIVERED, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";
import { sweepAll } from "./sweeping.js";

export const FAILING_MOVE_CASES: readonly StoreCase[] = [
  {
    name: "claims, ends, changes of due times and sweeps that fail as `busy` have changed nothing",
    needs: ["faults"],
    async play(scene) {
      for (const move of BUSY_MOVES) {
        await atEachAccess(scene, { code: "busy", at: "before" }, async (own, plan) => {
          await sweepAll(own);
          await own.accept({ deliveries: [waitingDelivery(own.lane, own.now())] });
          await own.accept({ deliveries: [waitingDelivery(own.lane, own.later(900_000))] });
          await own.finish(DELIVERED, { attempts: [attempt(own.now())] });
          await own.advance(1);
          const before = await all(own);
          const hasHappened = own.gates.plan(plan);
          const code = await rejectionCodeOf(move.call(own));
          const isFailed = hasHappened() && code !== undefined;
          if (!isFailed) return false;
          expectEqual(code, "busy", `the code with which \`${move.name}\` rejects`);
          expectEqual(await all(own), before, `what is there after \`${move.name}\` has failed`);
          expectEqual(await move.call(own), move.expected, `how many \`${move.name}\` changes when it is repeated`);
          return true;
        });
      }
    },
  },
  {
    name: "what a claim has taken whose answer was lost is handed out again after its lease",
    needs: ["faults", "restart"],
    async play(scene) {
      await atEachAccess(scene, { code: "unavailable", at: "after" }, async (own, plan) => {
        const id = await own.acceptOne();
        const hasHappened = own.gates.plan(plan);
        const code = await rejectionCodeOf(own.claimIds());
        const isFailed = hasHappened() && code !== undefined;
        await own.crash();
        const { state } = await own.record(id);
        await own.expectCounts({ accepted: 1, [state]: 1 }, "after the lost answer");
        await own.advance(LEASE_MS);
        expectEqual(await own.claimIds(), [id], "what is handed out after the lease");
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
      const now = scene.now();
      return scene.store().sweep({ deliveredBefore: now, deadBefore: now, limit: 1 }, now);
    },
    expected: 1,
  },
];

async function all(scene: Scene): Promise<unknown> {
  const { deliveries } = await scene.store().list({ source: scene.source, limit: 9 });
  const records = await Promise.all(deliveries.map(({ id }) => scene.record(id)));
  return { records, counts: (await scene.store().counts()).find(({ source }) => source === scene.source) };
}
