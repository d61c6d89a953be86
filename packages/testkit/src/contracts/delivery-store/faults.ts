// Plays a case, a read or a move with a fault of the storage at its first access, then at its second, and so on. A read
// must reject, or answer as without a fault.

import type { StoreErrorCode } from "@postrider/core";
import type { FaultPlan } from "./gate.js";
import { expectEqual, expectPresent, rejectionCodeOf, toPlainJson } from "../check.js";

/** More accesses than one call of these cases has in most stores; beyond them none is failed. */
const MAX_ACCESSES = 150;

/** Plays with a fault at the first access, at the second and so on, until `play` says that its call has not failed. */
export async function atEachAccess<OneScene extends { anew(): OneScene }>(
  scene: OneScene,
  fault: { readonly code: StoreErrorCode; readonly at: FaultPlan["at"] },
  play: (scene: OneScene, plan: FaultPlan) => Promise<boolean>,
): Promise<void> {
  for (let spared = 0; spared < MAX_ACCESSES; spared += 1) {
    const isFailed = await play(scene.anew(), { ...fault, spared }).catch((error: unknown) => {
      const label = `${fault.code} ${fault.at} access ${String(spared + 1)}`;
      throw new Error(`${label}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
    if (!isFailed) return;
  }
}

/** A read of something that is there, with its name. Must not answer with an object that has a field `error`. */
interface FailingRead {
  readonly name: string;
  readonly read: () => Promise<unknown>;
}

/** A scene whose storage fails as planned. */
interface FailingScene<OneScene> {
  readonly gates: { plan(fault: FaultPlan): () => boolean };
  anew(): OneScene;
}

/** Expects that each read rejects as long as its fault happens, and never answers as if nothing were there. */
export async function expectReadsOrRejections<OneScene extends FailingScene<OneScene>>(
  scene: OneScene,
  reads: readonly FailingRead[],
): Promise<void> {
  for (const code of ["busy", "unavailable"] as const) {
    for (const { name, read } of reads) {
      const expected = expectPresent(await read(), `what \`${name}\` answers`);
      await atEachAccess(scene, { code, at: "before" }, async (newScene, plan) => {
        const hasHappened = newScene.gates.plan(plan);
        const answer = await read().catch((error: unknown) => ({ error }));
        const isFailed = hasHappened() && typeof answer === "object" && answer !== null && "error" in answer;
        if (!isFailed) expectEqual(answer, expected, `what \`${name}\` answers while the storage is ${code}`);
        return isFailed;
      });
    }
  }
}

/** A call, and what has to be there before it. */
interface PreparedMove<OneScene> {
  readonly name: string;
  readonly prepare: (newScene: OneScene) => Promise<void>;
  readonly call: (newScene: OneScene) => Promise<unknown>;
}

/** A move, and the fault that is planned for it. */
export interface FailingMove<Move> {
  readonly move: Move;
  /** The view of a scene in which the move was made without a fault. */
  readonly whole: unknown;
  readonly plan: FaultPlan;
}

interface FailingMoves<OneScene, Move> {
  readonly moves: readonly Move[];
  /** All that can be seen of the moves. */
  readonly viewOf: (newScene: OneScene) => Promise<unknown>;
  /** Makes a move while the fault is planned. Returns true if it failed. */
  readonly playMove: (newScene: OneScene, failing: FailingMove<Move>) => Promise<boolean>;
}

export async function playFailingMoves<OneScene extends { anew(): OneScene }, Move extends PreparedMove<OneScene>>(
  scene: OneScene,
  fault: Pick<FaultPlan, "code" | "at">,
  { moves, viewOf, playMove }: FailingMoves<OneScene, Move>,
): Promise<void> {
  for (const move of moves) {
    const twin = scene.anew();
    await move.prepare(twin);
    await move.call(twin);
    const whole = await viewOf(twin);
    await atEachAccess(scene, fault, (newScene, plan) => playMove(newScene, { move, whole, plan }));
  }
}

interface FailedMoveOptions<OneScene> {
  readonly viewOf: (newScene: OneScene) => Promise<unknown>;
  /** Expects that no method of the store answers any more, and closes it. */
  readonly expectStopped: (newScene: OneScene) => Promise<void>;
}

/** A scene whose process dies. */
interface DyingScene {
  readonly gates: { plan(fault: FaultPlan): () => boolean };
  crash(): Promise<void>;
}

/** Makes a move while the fault is planned: whole or not at all. Then repeats it: whole. Returns true if it failed the first time. */
export async function playFailedMove<OneScene extends DyingScene, Move extends PreparedMove<OneScene>>(
  newScene: OneScene,
  { move, whole, plan }: FailingMove<Move>,
  { viewOf, expectStopped }: FailedMoveOptions<OneScene>,
): Promise<boolean> {
  await move.prepare(newScene);
  const { code } = plan;
  const viewBefore = await viewOf(newScene);
  const hasHappened = newScene.gates.plan(plan);
  const rejectionCode = await rejectionCodeOf(move.call(newScene));
  const isFailed = hasHappened() && rejectionCode !== undefined;
  if (isFailed) expectEqual(rejectionCode, code, `the code with which \`${move.name}\` rejects`);
  if (isFailed && code === "corrupt") await expectStopped(newScene);
  if (code === "unavailable" || code === "corrupt") await newScene.crash();
  const mustBeUndone = code === "busy" || code === "full";
  const view = await viewOf(newScene);
  const isWhole = JSON.stringify(toPlainJson(view)) === JSON.stringify(toPlainJson(whole));
  const expected = isFailed && (mustBeUndone || !isWhole) ? viewBefore : whole;
  expectEqual(view, expected, `what is there after \`${move.name}\` (${String(rejectionCode)})`);
  await rejectionCodeOf(move.call(newScene));
  expectEqual(await viewOf(newScene), whole, `what is there after \`${move.name}\` once more`);
  return isFailed;
}
