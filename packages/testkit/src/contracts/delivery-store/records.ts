// The cases about records, for a delivery store, and those of records beside deliveries: no record has an effect on anything
// else that the store does.

import { expectEqual } from "../check.js";
import { RECORD_CASES } from "../record-store/cases.js";
import { expectRecord, newRecord, nextRecord, recordsOf } from "../record-store/scene.js";
import type { StoreCase } from "./scene.js";

const BESIDE_DELIVERIES_CASES: readonly StoreCase[] = [
  {
    name: "the lane of a pause is claimed, counted and ended like any other: only the relay pauses it",
    needs: ["records"],
    async play(scene) {
      const pause = newRecord(scene, { kind: "pause", key: scene.lane, text: `{"pausedAt":${String(scene.now())}}` });
      await recordsOf(scene).put(pause);
      const id = await scene.acceptOne();
      expectEqual(await scene.claimIds(), [id], "what a claim hands out");
      await scene.settle({ id, outcome: { kind: "released", dueAt: scene.now() } });
      const request = { lane: scene.lane, reason: "expired", limit: 9 } as const;
      expectEqual(await scene.store().end(request, scene.now()), 1, "how many were ended");
      await scene.expectCounts({ accepted: 1, dead: 1 }, "of a paused lane");
      expectEqual(await recordsOf(scene).find("pause", scene.lane), pause, "the pause");
    },
  },
  {
    name: "a record changes no delivery: one that it names is found, claimed and counted as before",
    needs: ["records"],
    async play(scene) {
      const id = await scene.acceptOne();
      const job = newRecord(scene, { kind: "replay-job", text: JSON.stringify({ step: { deliveries: [id] } }) });
      const settings = newRecord(scene, { kind: "settings", text: '{"sources":[],"destinations":[]}' });
      for (const record of [job, settings]) await recordsOf(scene).put(record);
      await recordsOf(scene).put(nextRecord(settings));
      await recordsOf(scene).remove("replay-job", job.key);
      expectEqual(await scene.claimIds(), [id], "what a claim hands out");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "beside records");
      await expectRecord(scene, nextRecord(settings), "beside deliveries");
    },
  },
];

export const DELIVERY_STORE_RECORD_CASES: readonly StoreCase[] = [
  ...RECORD_CASES.map((recordCase) => ({ ...recordCase, needs: ["records" as const, ...(recordCase.needs ?? [])] })),
  ...BESIDE_DELIVERIES_CASES,
];
