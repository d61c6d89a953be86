// Plays a case, a read or a move with a fault of the storage at its first access, then at its second, and so on. A read
// must reject, or answer as without a fault.

import type { StoreErrorCode } from "@postrider/core";
import type { FaultPlan } from "./gate.js";
import { expectEqual, expectPresent, rejectionCodeOf, toPlainJson } from "../check.js";

/** More accesses than one call of these cases has in most stores; beyond them none is failed. */
const MAX_ACCESSES = 150;

/** Plays with a fault at the first access, at the second and so on, until the fault has not happened or was repeated. */
export async function atEachAccess<Own extends { anew(): Own }>(
  scene: Own,
  fault: { readonly code: StoreErrorCode; readonly at: FaultPlan["at"] },
  play: (scene: Own, plan: FaultPlan) => Promise<boolean>,
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
interface FailingScene<Own> {
  readonly gates: { plan(fault: FaultPlan): () => boolean };
  anew(): Own;
}

/** Expects that each read rejects as long as its fault happens, and never answers as if nothing were there. */
export async function expectReadsOrRejections<Own extends FailingScene<Own>>(
  scene: Own,
  reads: readonly FailingRead[],
): Promise<void> {
  for (const code of ["busy", "unavailable"] as const) {
    for (const { name, read } of reads) {
      const expected = expectPresent(await read(), `what \`${name}\` answers`);
      await atEachAccess(scene, { code, at: "before" }, async (own, plan) => {
        const hasHappened = own.gates.plan(plan);
        const answer = await read().catch((error: unknown) => ({ error }));
        const isFailed = hasHappened() && typeof answer === "object" && answer !== null && "error" in answer;
        if (!isFailed) expectEqual(answer, expected, `what \`${name}\` answers while the storage is ${code}`);
        return isFailed;
      });
    }
  }
}

/** A call, and what has to be there before it. */
interface PreparedMove<Own> {
  readonly name: string;
  readonly prepare: (own: Own) => Promise<void>;
  readonly call: (own: Own) => Promise<unknown>;
}

/** A move that is to fail. */
export interface FailingMove<Move> {
  readonly move: Move;
  /** The view after the move was made without a fault. */
  readonly whole: unknown;
  readonly plan: FaultPlan;
}

interface FailingMoves<Own, Move> {
  readonly moves: readonly Move[];
  /** All that is to be seen of the moves. */
  readonly viewOf: (own: Own) => Promise<unknown>;
  /** Makes a move that fails. Returns whether it has failed. */
  readonly playMove: (own: Own, failing: FailingMove<Move>) => Promise<boolean>;
}

export async function playFailingMoves<Own extends { anew(): Own }, Move extends PreparedMove<Own>>(
  scene: Own,
  fault: Pick<FaultPlan, "code" | "at">,
  { moves, viewOf, playMove }: FailingMoves<Own, Move>,
): Promise<void> {
  for (const move of moves) {
    const twin = scene.anew();
    await move.prepare(twin);
    await move.call(twin);
    const whole = await viewOf(twin);
    await atEachAccess(scene, fault, (own, plan) => playMove(own, { move, whole, plan }));
  }
}

interface FailedMoveOptions<Own> {
  readonly viewOf: (own: Own) => Promise<unknown>;
  /** Expects that no method of the store answers any more, and closes it. */
  readonly expectStopped: (own: Own) => Promise<void>;
}

/** A scene whose process dies. */
interface DyingScene {
  readonly gates: { plan(fault: FaultPlan): () => boolean };
  crash(): Promise<void>;
}

/** Makes a move that fails, and once more: it was made whole or not at all, and is whole then. Returns whether it has failed. */
export async function playFailedMove<Own extends DyingScene, Move extends PreparedMove<Own>>(
  own: Own,
  { move, whole, plan: { code, ...rest } }: FailingMove<Move>,
  { viewOf, expectStopped }: FailedMoveOptions<Own>,
): Promise<boolean> {
  await move.prepare(own);
  const before = await viewOf(own);
  const hasHappened = own.gates.plan({ code, ...rest });
  const seenCode = await rejectionCodeOf(move.call(own));
  const isFailed = hasHappened() && seenCode !== undefined;
  if (isFailed) expectEqual(seenCode, code, `the code with which \`${move.name}\` rejects`);
  if (isFailed && code === "corrupt") await expectStopped(own);
  if (code === "unavailable" || code === "corrupt") await own.crash();
  const isSure = code === "busy" || code === "full";
  const seen = await viewOf(own);
  const isWhole = JSON.stringify(toPlainJson(seen)) === JSON.stringify(toPlainJson(whole));
  const expected = isFailed && (isSure || !isWhole) ? before : whole;
  expectEqual(seen, expected, `what is there after \`${move.name}\` (${String(seenCode)})`);
  await rejectionCodeOf(move.call(own));
  expectEqual(await viewOf(own), whole, `what is there after \`${move.name}\` once more`);
  return isFailed;
}
