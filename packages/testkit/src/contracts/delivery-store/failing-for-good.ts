// Storage that cannot be trusted or read.

import type { DeliveryId } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { atEachAccess } from "./at-each-access.js";
import { callsOfEachMethod } from "./each-method.js";
import { seen } from "./failing.js";
import { expectReadsOrRejections } from "./failing-reads.js";
import type { StoreCase } from "./scene.js";
import { prepareWholeCommit } from "./whole-commit.js";

export const FAILING_FOR_GOOD_CASES: readonly StoreCase[] = [
  {
    name: "after a call that fails as `corrupt` all methods reject, and the commit is there whole or not at all",
    needs: ["faults", "restart"],
    async play(scene) {
      await atEachAccess(scene, { code: "corrupt", at: "before" }, async (own, plan) => {
        const { changes, isThere } = await prepareWholeCommit(own);
        const hasHappened = own.gates.plan(plan);
        const seen = await rejectionCodeOf(own.commit(changes));
        if (!hasHappened()) return false;
        expectEqual(seen, "corrupt", "the code of the rejection");
        for (const { name, call } of callsOfEachMethod(own, own.store(), "any" as DeliveryId)) {
          const code = await rejectionCodeOf(call());
          const isRejected = code === "corrupt" || code === "unavailable";
          expectThat(isRejected, `\`${name}\` after a fault that is corrupt: ${String(code)}`);
        }
        await own.store().close();
        await own.crash();
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
        { name: "seen", read: async () => (await seen(scene, "there")).length },
        { name: "counts", read: async () => (await scene.store().counts()).find((row) => row.source === source) },
      ];
      await expectReadsOrRejections(scene, reads);
    },
  },
];
