// Cases of replay jobs and settings on a storage that fails at one access, each in turn: they change all or nothing,
// and no read answers as if there were none.

import type { ReplayJob } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import { atEachAccess, expectReadsOrRejections } from "./faults.js";
import { jobsOf, replayJob, replayJobsOf } from "./replay-jobs.js";
import type { Scene, StoreCase } from "./scene.js";
import { documentOf, keptOf, putNext, settingsOf } from "./settings.js";

export const FAILING_REPLAY_JOB_CASES: readonly StoreCase[] = [
  {
    name: "a change of a replay job that fails as `busy` has changed nothing, and takes effect when it is repeated",
    needs: ["replayJobs", "faults"],
    async play(scene) {
      for (const move of MOVES) {
        await atEachAccess(scene, { code: "busy", at: "before" }, async (own, plan) => {
          await move.prepare(own);
          const before = await replayJobsOf(own);
          const hasHappened = own.gates.plan(plan);
          const code = await rejectionCodeOf(move.call(own));
          if (!hasHappened() || code === undefined) return false;
          expectEqual(code, "busy", `the code with which \`${move.name}\` rejects`);
          expectEqual(await replayJobsOf(own), before, `the records after \`${move.name}\` has failed`);
          await move.call(own);
          expectEqual(await replayJobsOf(own), move.after(own), `the records after \`${move.name}\` was repeated`);
          return true;
        });
      }
    },
  },
  {
    name: "a read of replay jobs that fails rejects: it never answers as if there were none",
    needs: ["replayJobs", "faults"],
    async play(scene) {
      const job = replayJob(scene);
      await jobsOf(scene).create(job);
      await expectReadsOrRejections(scene, [
        { name: "find", read: () => jobsOf(scene).find(job.id) },
        { name: "list", read: () => replayJobsOf(scene) },
      ]);
    },
  },
];

interface Move {
  readonly name: string;
  readonly prepare: (scene: Scene) => Promise<unknown>;
  readonly call: (scene: Scene) => Promise<unknown>;
  /** The records afterwards. */
  readonly after: (scene: Scene) => readonly ReplayJob[];
}

const MOVES: readonly Move[] = [
  {
    name: "create",
    prepare: () => Promise.resolve(),
    call: (scene) => jobsOf(scene).create(replayJob(scene)),
    after: (scene) => [replayJob(scene)],
  },
  {
    name: "replace",
    prepare: (scene) => jobsOf(scene).create(replayJob(scene)),
    call: (scene) => jobsOf(scene).replace({ ...replayJob(scene), revision: 2 }),
    after: (scene) => [{ ...replayJob(scene), revision: 2 }],
  },
  {
    name: "remove",
    prepare: (scene) => jobsOf(scene).create(replayJob(scene)),
    call: (scene) => jobsOf(scene).remove(replayJob(scene).id),
    after: () => [],
  },
];

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
