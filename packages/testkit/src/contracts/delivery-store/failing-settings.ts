// Settings on a storage that fails at one access: at each in turn. A put takes effect whole or not at all, and no read answers as if
// there were no settings.

import { expectEqual, expectThat } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { atEachAccess } from "./at-each-access.js";
import { expectReadsOrRejections } from "./failing-reads.js";
import type { Scene, StoreCase } from "./scene.js";
import { documentOf, keptOf, putNext, settingsOf } from "./settings-scene.js";

export const FAILING_SETTINGS_CASES: readonly StoreCase[] = [
  {
    name: "a put of settings that fails as `busy` has changed nothing, and takes effect when it is repeated",
    needs: ["settings", "faults"],
    async play(scene) {
      await atEachAccess(scene, { code: "busy", at: "before" }, async (own, plan) => {
        const before = await putNext(own);
        const hasHappened = own.gates.plan(plan);
        const code = await rejectionCodeOf(putAfter(own, before.revision));
        if (!hasHappened() || code === undefined) return false;
        expectEqual(code, "busy", "the code with which `put` rejects");
        expectEqual(await settingsOf(own).latest(0), before, "the latest settings after `put` has failed");
        await putAfter(own, before.revision);
        await expectAfter(own, before.revision);
        return true;
      });
    },
  },
  {
    name: "a put of settings whose answer is lost has taken effect whole or not at all, after a crash too",
    needs: ["settings", "faults", "restart"],
    async play(scene) {
      for (const at of ["before", "after"] as const) {
        await atEachAccess(scene, { code: "unavailable", at }, async (own, plan) => {
          const before = await putNext(own);
          const hasHappened = own.gates.plan(plan);
          const code = await rejectionCodeOf(putAfter(own, before.revision));
          if (!hasHappened() || code === undefined) return false;
          expectEqual(code, "unavailable", "the code with which `put` rejects");
          await own.crash();
          const latest = await settingsOf(own).latest(0);
          if (latest?.revision === before.revision) expectEqual(latest, before, "the latest settings if it has not");
          else await expectAfter(own, before.revision);
          return true;
        });
      }
    },
  },
  {
    name: "a read of settings that fails rejects: it never answers as if there were none",
    needs: ["settings", "faults"],
    async play(scene) {
      const { revision } = await putNext(scene);
      await expectReadsOrRejections(scene, [
        { name: "latest", read: () => settingsOf(scene).latest(0) },
        { name: "find", read: () => settingsOf(scene).find(revision) },
        { name: "history", read: () => settingsOf(scene).history() },
      ]);
    },
  },
];

function putAfter(scene: Scene, revision: number): Promise<unknown> {
  return settingsOf(scene).put({ expect: revision, document: documentOf(scene, "after"), actor: "a" }, scene.now());
}

/** Expects that the edit of `putAfter` is the latest revision, whole. */
async function expectAfter(scene: Scene, before: number): Promise<void> {
  const revision = before + 1;
  const change = { revision, actor: "a", changedAt: scene.now() };
  const latest = { ...change, document: documentOf(scene, "after") };
  expectEqual(await settingsOf(scene).latest(before), latest, "the latest settings once it has taken effect");
  const history = await settingsOf(scene).history();
  expectEqual(history[0], change, "the first of the history");
  expectThat(history.length === keptOf(revision), `${String(history.length)} revisions are kept`);
}
