// A damaged storage: it is refused when it is opened, fails as corrupt, or has all that was stored. It is never empty.

import type { DeliveryRecord } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { bytes } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";

/** How many ways of damage a harness is asked for. */
const DAMAGES = 8;
const MESSAGES = 40;

export const DAMAGING_CASES: readonly StoreCase[] = [
  {
    name: "a damaged storage is refused, or fails as corrupt, or has all that was stored",
    needs: ["damage", "restart"],
    async play(scene) {
      const body = bytes("x".repeat(500));
      const ids = [];
      for (let count = 0; count < MESSAGES; count += 1) ids.push(await scene.acceptOne({ body }));
      const expected = await Promise.all(ids.map((id) => scene.record(id)));
      await scene.store().close();
      for (let damage = 1; damage <= DAMAGES; damage += 1) {
        await expectRefusedOrWhole(scene, expected, `in the storage that was damaged in the ${String(damage)}. way`);
      }
      await scene.crash();
    },
  },
];

async function expectRefusedOrWhole(scene: Scene, expected: readonly DeliveryRecord[], what: string): Promise<void> {
  const opening = scene.openDamaged();
  const refused = await rejectionCodeOf(opening);
  if (refused !== undefined) {
    expectThat(
      refused === "corrupt" || refused === "unavailable",
      `opening ${what} rejected with another code or none`,
    );
    return;
  }
  const store = await opening;
  for (const record of expected) {
    const found = await store.find(record.id).catch(() => "rejected");
    if (found !== "rejected") expectEqual(found, record, `a delivery ${what}`);
  }
  await store.close();
}
