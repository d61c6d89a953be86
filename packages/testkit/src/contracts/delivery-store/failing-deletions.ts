// Deletion requests on a storage that fails at one access: at each in turn. Nothing is half-written, what is repeated ends
// well, and a read never looks empty.

import { expectEqual, expectThat } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { type FailingMove, playFailingMoves } from "./play-failing-moves.js";
import { DELETION_MOVES, type DeletionMove, endWell, viewOf } from "./deletion-moves.js";
import { deletionScene } from "./deletion-scene.js";
import { expectReadsOrRejections } from "./failing-reads.js";
import type { FaultPlan } from "./gate.js";
import type { Scene, StoreCase } from "./scene.js";

export const FAILING_DELETION_CASES: readonly StoreCase[] = [
  {
    name: "a request, a slice of its purge, and its end that fail as `busy` or `full` have changed nothing, and end well when they are repeated",
    needs: ["faults", "deletions"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) await playMoves(scene, { code, at: "before" });
    },
  },
  {
    name: "a request, a slice of its purge, and its end that fail as `unavailable` are done whole or not at all, and end well when they are repeated",
    needs: ["faults", "deletions", "restart"],
    async play(scene) {
      for (const at of ["before", "after"] as const) await playMoves(scene, { code: "unavailable", at });
    },
  },
  {
    name: "a read of requests or suppressed users that fails rejects: it never answers as if there were none",
    needs: ["faults", "deletions"],
    async play(scene) {
      const { deletions, deletion, find, open, user } = deletionScene(scene);
      await open({ regulation: "suppress-only", userIds: [user("ann")] });
      const reads = [
        { name: "find", read: async () => (await find())?.users },
        { name: "list", read: async () => (await deletions().list({ limit: 1 })).deletions[0]?.id === deletion("1") },
        { name: "suppressed", read: async () => (await deletions().suppressed({ limit: 1 })).length },
      ];
      await expectReadsOrRejections(scene, reads);
    },
  },
];

function playMoves(scene: Scene, fault: Pick<FaultPlan, "code" | "at">): Promise<void> {
  return playFailingMoves(scene, fault, { moves: DELETION_MOVES, viewOf, playMove });
}

/** Makes a move that fails, and once more. Returns whether it has failed. */
async function playMove(own: Scene, { move, whole, plan }: FailingMove<DeletionMove>): Promise<boolean> {
  await move.prepare(own);
  const before = await viewOf(own);
  const hasHappened = own.gates.plan(plan);
  const call = move.call(own);
  const code = await rejectionCodeOf(call);
  const isRefused = code === undefined && !(await call);
  const isFailed = hasHappened() && (code !== undefined || isRefused);
  if (isFailed && !isRefused) expectEqual(code, plan.code, `the code with which \`${move.name}\` rejects`);
  if (plan.code === "unavailable") await own.crash();
  const seen = await viewOf(own);
  const isWhole = plan.code === "unavailable" && JSON.stringify(seen) === JSON.stringify(whole);
  expectEqual(seen, isFailed && !isWhole ? before : whole, `what is there after \`${move.name}\` (${String(code)})`);
  expectThat(await move.call(own), `\`${move.name}\` is refused when it is repeated`);
  expectEqual(await viewOf(own), whole, `what is there after \`${move.name}\` once more`);
  await endWell(own, move.name);
  return isFailed;
}
