// Cases of lists of records: pages of any size in one order, and lists by tag.

import { RECORD_KINDS, type StoredRecord } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import {
  expectRecord,
  LARGE_PAGE,
  listOwn,
  newRecord,
  nextRecord,
  numberedRecords,
  putAll,
  type RecordCase,
  type RecordScene,
  recordsOf,
} from "./scene.js";

export const LISTING_RECORD_CASES: readonly RecordCase[] = [
  {
    name: "records are listed in pages of any size, each once and whole, in one order",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const records = numberedRecords(scene, 5, kind);
        await putAll(scene, records);
        const order = keysOf(await listOwn(scene, { kind }));
        for (const size of [1, 2, 5, LARGE_PAGE]) {
          const listedRecords = await listOwn(scene, { kind }, size);
          expectEqual(keysOf(listedRecords), order, `the order of each ${kind} in pages of ${String(size)}`);
          expectEqual(listedRecords.toSorted(byKey), records, `each ${kind} in pages of ${String(size)}`);
        }
        expectEqual(await recordsOf(scene).list({ kind, limit: 0 }), [], "a page of none");
      }
    },
  },
  {
    name: "the order of a list stays when records are replaced, removed and added",
    async play(scene) {
      const records = numberedRecords(scene, 6, "replay-job");
      const [addedRecord, ...others] = records;
      await putAll(scene, others);
      const order = keysOf(await listOwn(scene, { kind: "replay-job" }));
      const lastKey = order.at(-1);
      for (const record of others)
        if (record.key === order[0] || record.key === lastKey)
          await recordsOf(scene).put(nextRecord(record, { tag: "a" }));
      expectEqual(keysOf(await listOwn(scene, { kind: "replay-job" })), order, "the order after two were replaced");
      await recordsOf(scene).put(expectPresent(addedRecord, "a further record"));
      const longer = keysOf(await listOwn(scene, { kind: "replay-job" }));
      expectEqual(
        longer.filter((key) => key !== addedRecord?.key),
        order,
        "the order of the others beside a further one",
      );
      await recordsOf(scene).remove("replay-job", expectPresent(order[2], "a record"));
      const shorter = longer.filter((key) => key !== order[2]);
      expectEqual(keysOf(await listOwn(scene, { kind: "replay-job" })), shorter, "the order without one");
    },
  },
  {
    name: "a page continues after a key whose record is gone, or was never there",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const records = numberedRecords(scene, 5, kind);
        await putAll(scene, records);
        const [first, second, third = "", ...others] = keysOf(await listOwn(scene, { kind }));
        await recordsOf(scene).remove(kind, third);
        expectEqual(
          keysOf(await listOwn(scene, { kind, after: third })),
          others,
          `each ${kind} after one that is gone`,
        );
        const remainingKeys = [first, second, ...others];
        for (const name of ["", "never", "2", "\uffff"]) {
          const keysBehind = keysOf(await listOwn(scene, { kind, after: scene.uniqueName(name) }, 1));
          const expected = remainingKeys.slice(remainingKeys.length - keysBehind.length);
          expectEqual(keysBehind, expected, `each ${kind} after a key that was never there`);
        }
      }
    },
  },
];

const TAGS = ["running", "done", undefined] as const;

export const TAG_CASES: readonly RecordCase[] = [
  {
    name: "records are listed by tag, all of them in pages of any size, also after one without it",
    async play(scene) {
      const records = numberedRecords(scene, 60, "replay-job").map((record, place) => ({
        ...record,
        ...defined({ tag: TAGS[place % TAGS.length] }),
      }));
      await putAll(scene, [...records, newRecord(scene, { kind: "audience", tag: "running" })]);
      const order = await listOwn(scene, { kind: "replay-job" });
      expectEqual(order.toSorted(byKey), records.toSorted(byKey), "the list of all");
      for (const tag of ["running", "done"]) {
        const tagged = order.filter((record) => record.tag === tag);
        for (const size of [1, 7, LARGE_PAGE])
          expectEqual(await listOwn(scene, { kind: "replay-job", tag }, size), tagged, `those that are ${tag}`);
        expectEqual(await recordsOf(scene).list({ kind: "replay-job", tag, limit: 0 }), [], "a page of none");
      }
      const placeNotRunning = order.findIndex(({ tag }, place) => tag !== "running" && place > 20);
      const recordsBehind = order.slice(placeNotRunning + 1).filter(({ tag }) => tag === "running");
      const query = { kind: "replay-job", tag: "running", ...defined({ after: order[placeNotRunning]?.key }) } as const;
      expectEqual(await listOwn(scene, query), recordsBehind, "those that are running after one that is not");
      expectEqual(await listOwn(scene, { kind: "replay-job", tag: "never" }), [], "those with a tag that none has");
      for (const { kind, key } of records) await recordsOf(scene).remove(kind, key);
      expectEqual(await listOwn(scene, { kind: "replay-job", tag: "running" }), [], "those that are left");
    },
  },
  {
    name: "a record has its tag until a replacement with another or with none, or its removal",
    async play(scene) {
      for (const kind of RECORD_KINDS) {
        const record = newRecord(scene, { kind, tag: "running" });
        await recordsOf(scene).put(record);
        await expectTag(scene, record);
        const done = nextRecord(record, { tag: "done" });
        const untagged = newRecord(scene, { kind, revision: 3 });
        for (const revision of [done, untagged, nextRecord(untagged, { tag: "running" })]) {
          expectEqual(await recordsOf(scene).put(revision), true, `the answer to the next revision of a ${kind}`);
          await expectTag(scene, revision);
        }
        await recordsOf(scene).remove(kind, record.key);
        expectEqual(await listOwn(scene, { kind, tag: "running" }), [], `each ${kind} that is left`);
      }
    },
  },
  {
    name: "a tag is distinct from all others, from its shortest to its longest",
    async play(scene) {
      const tags = ["a", "aa", "-", "a-", "-a", "--", "null", "undefined", "true"];
      tags.push("z".repeat(39), "z".repeat(40), `${"z".repeat(39)}a`, `a${"z".repeat(39)}`);
      const records = tags.map((tag) => newRecord(scene, { key: scene.uniqueName(tag), tag }));
      await putAll(scene, records);
      for (const record of records) await expectTag(scene, record);
    },
  },
];

/** Expects that a record is listed by its tag alone. */
async function expectTag(scene: RecordScene, record: StoredRecord): Promise<void> {
  await expectRecord(scene, record, `with the tag ${String(record.tag)}`);
  for (const tag of new Set(["running", "done", record.tag ?? "running"])) {
    const listedRecords = await listOwn(scene, { kind: record.kind, tag });
    const matches = listedRecords.filter(({ key }) => key === record.key);
    expectEqual(matches, tag === record.tag ? [record] : [], `what is listed by the tag ${tag}`);
    expectThat(
      listedRecords.every((listedRecord) => listedRecord.tag === tag),
      `a record without the tag ${tag} is listed by it`,
    );
  }
}

function keysOf(records: readonly StoredRecord[]): readonly string[] {
  return records.map(({ key }) => key);
}

function byKey(first: StoredRecord, second: StoredRecord): number {
  return first.key < second.key ? -1 : 1;
}
