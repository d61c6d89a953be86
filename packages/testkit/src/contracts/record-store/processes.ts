// Cases of records and processes: they survive a crash, and all processes on one storage see the same.

import { RECORD_KINDS, type RecordKind, type RecordStore, type StoredRecord } from "@postrider/core";
import { expectEqual } from "../check.js";
import {
  expectNoRecord,
  expectRecord,
  newRecord,
  nextRecord,
  type RecordCase,
  recordsIn,
  type RecordScene,
  recordsOf,
} from "./scene.js";

export const SURVIVING_RECORD_CASES: readonly RecordCase[] = [
  {
    name: "records survive a crash as they were put, replaced or removed",
    needs: ["restart"],
    async play(scene) {
      const recordOf = (kind: RecordKind, tag: string): StoredRecord =>
        newRecord(scene, { kind, key: scene.uniqueName(tag), tag });
      const recordsByKind = RECORD_KINDS.map((kind) => {
        return {
          kind,
          created: recordOf(kind, "created"),
          replaced: recordOf(kind, "old"),
          removed: recordOf(kind, "gone"),
        };
      });
      for (const { kind, created, replaced, removed } of recordsByKind) {
        for (const record of [created, replaced, removed, nextRecord(replaced)]) await recordsOf(scene).put(record);
        await recordsOf(scene).remove(kind, removed.key);
      }
      await scene.crash();
      for (const { kind, created, replaced, removed } of recordsByKind) {
        await expectRecord(scene, created, "as it was put before a crash");
        await expectRecord(scene, nextRecord(replaced), "as it was replaced before a crash");
        await expectNoRecord(scene, kind, removed.key, "as it was removed before a crash");
        expectEqual(await recordsOf(scene).put(created), false, "the answer to a key that is not free");
        expectEqual(
          await recordsOf(scene).put(nextRecord(nextRecord(replaced))),
          true,
          "the answer to the next revision",
        );
        expectEqual(await recordsOf(scene).put(removed), true, "the answer to a key that is free again");
      }
    },
  },
];

export const SHARING_RECORD_CASES: readonly RecordCase[] = [
  {
    name: "a record that one process puts, replaces or removes is seen by another at once",
    needs: ["sharing"],
    play: (scene) =>
      withOtherRecords(scene, async (other) => {
        for (const kind of RECORD_KINDS) {
          const first = newRecord(scene, { kind, tag: "running" });
          const { key } = first;
          expectEqual(await other.find(kind, key), undefined, `the ${kind} before it is put`);
          await recordsOf(scene).put(first);
          expectEqual(await other.find(kind, key), first, `the ${kind} as the other process finds it`);
          const second = nextRecord(first, { tag: "done" });
          expectEqual(await other.put(second), true, "the answer to the other process");
          expectEqual(await recordsOf(scene).find(kind, key, 1), second, `the ${kind} above revision 1`);
          expectEqual(await other.find(kind, key, 2), undefined, `a ${kind} above revision 2`);
          await recordsOf(scene).put(nextRecord(second));
          expectEqual(await other.find(kind, key, 2), nextRecord(second), `the ${kind} above revision 2, later`);
          await other.remove(kind, key);
          await expectNoRecord(scene, kind, key, "once the other process has removed it");
        }
      }),
  },
  {
    name: "a process that has seen an older revision replaces no record",
    needs: ["sharing"],
    play: (scene) =>
      withOtherRecords(scene, async (other) => {
        const first = newRecord(scene);
        await recordsOf(scene).put(first);
        expectEqual(await other.put(first), false, "the answer to a second new record");
        expectEqual(await other.put(nextRecord(first, { text: "other" })), true, "the answer to the other process");
        expectEqual(await recordsOf(scene).put(nextRecord(first)), false, "the answer to the process that is late");
        await expectRecord(scene, nextRecord(first, { text: "other" }), "once two have replaced it");
      }),
  },
];

/** Plays with the records of a second process on the same storage. */
async function withOtherRecords(scene: RecordScene, play: (other: RecordStore) => Promise<void>): Promise<void> {
  const other = await scene.openAnother();
  try {
    await play(recordsIn(other));
  } finally {
    await other.close();
  }
}
