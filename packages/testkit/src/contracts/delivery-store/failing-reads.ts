// Reads on a storage that fails at one access: at each in turn. A read rejects, or answers what it answers without a fault.

import { expectEqual, expectPresent } from "../check.js";
import { atEachAccess } from "./at-each-access.js";
import type { FaultPlan } from "./gate.js";

/** A read of something that is there, with its name. Must not answer with an object that has a field `error`. */
export interface FailingRead {
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
