// Replay jobs on a storage that fails at one access: at each in turn. They change all or nothing, and no read answers as if there
// were none.

import type { ReplayJob } from "@postrider/core";
import { expectEqual } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { atEachAccess } from "./at-each-access.js";
import { expectReadsOrRejections } from "./failing-reads.js";
import { jobsOf, replayJob, replayJobsOf } from "./replay-job-scene.js";
import type { Scene, StoreCase } from "./scene.js";

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
