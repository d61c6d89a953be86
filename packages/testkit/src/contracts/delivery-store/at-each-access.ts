// Plays a case with a fault of the storage at its first access, then at its second, and so on. Knows no case.

import type { StoreErrorCode } from "@postrider/core";
import type { FaultPlan } from "./gate.js";

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
      const what = `${fault.code} ${fault.at} access ${String(spared + 1)}`;
      throw new Error(`${what}: ${error instanceof Error ? error.message : String(error)}`, { cause: error });
    });
    if (!isFailed) return;
  }
}
