// Cases of records that are put, replaced by revision, found and removed, each for all kinds.

import { RECORD_KINDS, type RecordKind, type StoredRecord } from "@postrider/core";
import { expectEqual } from "../check.js";
import {
  expectNoRecord,
  expectRecord,
  newRecord,
  nextRecord,
  type RecordCase,
  type RecordScene,
  recordsOf,
} from "./scene.js";

/** The record that the cases about revisions replace is at this revision. */
const REVISION = 3;

/** Revisions that do not follow `REVISION`; some equal the one that does in their low 31 or 32 bits. */
const WRONG_REVISIONS = [1, 2, REVISION, 5, 2 ** 31 + 4, 2 ** 32 + 4, 2 ** 53 - 2];

/** The texts and tags of one record, by turns. */
const CONTENTS = [
  { text: "second", tag: "running" },
  { text: "third" },
  { text: "fourth", tag: "done" },
  { text: "fifth", tag: "done" },
];

export const PUTTING_CASES: readonly RecordCase[] = [
  {
    name: "a new record is stored at revision 1, and a second one with its key is refused",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const record = newRecord(scene, { kind, tag: "running" });
        expectEqual(await recordsOf(scene).put(record), true, `the answer to a new ${kind}`);
        const second = { ...record, tag: "done", text: "second" };
        expectEqual(await recordsOf(scene).put(second), false, `the answer to a second new ${kind}`);
        await expectRecord(scene, record, "after a second one was refused");
      }
    },
  },
  {
    name: "a record is replaced only by the revision that follows its revision, and then whole",
    async play(scene) {
      for (const kind of RECORD_KINDS) await replaceInTurn(scene, kind);
    },
  },
  {
    name: "a record that does not exist is not replaced, and does not exist afterwards",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const record = newRecord(scene, { kind });
        for (const revision of [2, 3, 2 ** 32 + 1])
          expectEqual(await recordsOf(scene).put({ ...record, revision }), false, `the answer for a ${kind}`);
        await expectNoRecord(scene, kind, record.key, "after its replacement was refused");
      }
    },
  },
  {
    name: "a record is found by a caller with a lower revision, and by no other",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const first = newRecord(scene, { kind, tag: "running" });
        const record = nextRecord(nextRecord(first));
        for (const revision of [first, nextRecord(first), record]) await recordsOf(scene).put(revision);
        for (const above of [undefined, -1, 0, 1, 2, 2.5])
          expectEqual(
            await recordsOf(scene).find(kind, record.key, above),
            record,
            `the ${kind} above ${String(above)}`,
          );
        for (const above of [3, 3.5, 4, 2 ** 53 - 2])
          expectEqual(
            await recordsOf(scene).find(kind, record.key, above),
            undefined,
            `a ${kind} above ${String(above)}`,
          );
        for (const above of [undefined, -1, 0])
          expectEqual(
            await recordsOf(scene).find(kind, scene.uniqueName("other"), above),
            undefined,
            `another ${kind}`,
          );
      }
    },
  },
  {
    name: "a removed record is gone, a second removal changes nothing, and its key begins at revision 1 again",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const record = newRecord(scene, { kind });
        const other = newRecord(scene, { kind, key: scene.uniqueName("other") });
        for (const newcomer of [record, other, nextRecord(record)]) await recordsOf(scene).put(newcomer);
        for (let time = 0; time < 2; time += 1) {
          await recordsOf(scene).remove(kind, record.key);
          await expectNoRecord(scene, kind, record.key, "once it is removed");
        }
        for (const revision of [2, 3])
          expectEqual(await recordsOf(scene).put({ ...record, revision }), false, `the answer for a removed ${kind}`);
        expectEqual(await recordsOf(scene).put({ ...record, text: "again" }), true, `the answer to a new ${kind}`);
        await expectRecord(scene, { ...record, text: "again" }, "once it is put again");
        await expectRecord(scene, other, "beside one that was removed");
      }
    },
  },
  {
    name: "records of different kinds are separate, also with one key and one tag",
    async play(scene) {
      const records = RECORD_KINDS.map((kind) => newRecord(scene, { kind, text: kind, tag: "running" }));
      for (const record of records) expectEqual(await recordsOf(scene).put(record), true, `a new ${record.kind}`);
      for (const record of records) await expectRecord(scene, record, "beside those of other kinds");
      for (const [place, record] of records.entries()) {
        const nextRevision = nextRecord(record, { text: `next ${record.kind}` });
        expectEqual(
          await recordsOf(scene).put(nextRevision),
          true,
          `the answer to the next revision of a ${record.kind}`,
        );
        for (const other of records.slice(place + 1)) await expectRecord(scene, other, `beside a new ${record.kind}`);
        await recordsOf(scene).remove(record.kind, record.key);
        await expectNoRecord(scene, record.kind, record.key, "once it is removed");
        for (const other of records.slice(place + 1)) await expectRecord(scene, other, `without the ${record.kind}`);
      }
    },
  },
  {
    name: "a record changed by its caller stays as it was stored",
    async play(scene) {
      const original = newRecord(scene, { tag: "running" });
      const passedRecord = { ...original };
      await recordsOf(scene).put(passedRecord);
      const [foundRecord, listed] = [
        await recordsOf(scene).find(passedRecord.kind, passedRecord.key),
        await recordsOf(scene).list({ kind: passedRecord.kind, limit: 10_000 }),
      ];
      for (const record of [passedRecord, foundRecord, ...listed])
        Object.assign(record ?? {}, { text: "changed", tag: "done" });
      await expectRecord(scene, original, "after its caller has changed it");
    },
  },
];

/** Puts the revisions of a record in turn, and wrong ones between them. */
async function replaceInTurn(scene: RecordScene, kind: RecordKind): Promise<void> {
  for (const [place, contents] of [{}, ...CONTENTS].entries()) {
    const record = newRecord(scene, { kind, revision: place + 1, ...contents });
    expectEqual(await recordsOf(scene).put(record), true, `the answer to revision ${String(place + 1)} of a ${kind}`);
    await expectRecord(scene, record, `at revision ${String(record.revision)}`);
    if (record.revision === REVISION) await expectWrongRefused(scene, record);
  }
}

/** Expects that a record is replaced by none of the wrong revisions. */
async function expectWrongRefused(scene: RecordScene, record: StoredRecord): Promise<void> {
  for (const revision of WRONG_REVISIONS) {
    const answer = await recordsOf(scene).put({ ...record, revision, text: "wrong" });
    expectEqual(answer, false, `the answer to revision ${String(revision)} of a ${record.kind}`);
  }
  await expectRecord(scene, record, "after replacements that were refused");
}
