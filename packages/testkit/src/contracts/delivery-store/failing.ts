// Commits and reads of a storage that fails at one access: at each in turn. Nothing is half-written, a read never looks empty,
// and what is repeated counts once.

import { expectEqual, expectThat } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { atEachAccess } from "./at-each-access.js";
import type { Scene, StoreCase } from "./scene.js";
import { prepareWholeCommit } from "./whole-commit.js";

export const FAILING_CASES: readonly StoreCase[] = [
  {
    name: "the harness fails accesses: a commit rejects as what its first access fails as",
    needs: ["faults"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) {
        const hasHappened = scene.gates.plan({ code, at: "before", spared: 0 });
        const seen = await rejectionCodeOf(scene.commit({ accept: [scene.message()] }));
        expectThat(hasHappened(), "a commit had no access for which the harness asked the gate for a fault");
        expectThat(
          seen === undefined || seen === code,
          `a storage that is ${code}: the commit rejected as ${String(seen)}`,
        );
      }
    },
  },
  {
    name: "a commit that fails as `busy` or `full` at any access has written nothing, and is stored when it is repeated",
    needs: ["faults"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) {
        await atEachAccess(scene, { code, at: "before" }, async (own, plan) => {
          const { changes, expectThere } = await prepareWholeCommit(own);
          const hasHappened = own.gates.plan(plan);
          const seen = await rejectionCodeOf(own.commit(changes));
          const isFailed = hasHappened() && seen !== undefined;
          if (isFailed) expectEqual(seen, code, "the code of the rejection");
          await expectThere(!isFailed, `after an answer (${String(seen)})`);
          if (isFailed) await own.commit(changes);
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
        await atEachAccess(scene, { code: "unavailable", at }, async (own, plan) => {
          const { changes, isThere } = await prepareWholeCommit(own);
          const hasHappened = own.gates.plan(plan);
          const seen = await rejectionCodeOf(own.commit(changes));
          const isFailed = hasHappened() && seen !== undefined;
          if (isFailed) expectEqual(seen, "unavailable", "the code of the rejection");
          await own.crash();
          const wasThere = await isThere();
          expectThat(wasThere || isFailed, "a commit that was answered is not there");
          const { accepted, settled } = await own.commit({ accept: changes.accept, settle: changes.settle });
          const kinds = accepted.map(({ kind }) => kind);
          const expected = wasThere ? ["duplicate", "duplicate", "stale"] : ["stored", "stored", "settled"];
          expectEqual([...kinds, ...settled], expected, "the answers to messages and settlement once more");
          const more = wasThere ? { accepted: 6, waiting: 4, duplicates: 2 } : { accepted: 5, waiting: 3 };
          await own.expectCounts({ ...more, delivered: 2, received: 4 }, "after the repeated commit");
          return isFailed;
        });
      }
    },
  },
];

export function seen(scene: Scene, messageId: string): ReturnType<ReturnType<Scene["store"]>["seen"]> {
  return scene.store().seen({ messageId, source: scene.source }, scene.now());
}
