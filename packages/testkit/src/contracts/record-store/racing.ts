// Cases of two calls about one record at the same time, and of a process that dies at any access of two.

import type { RecordStore, StoredRecord } from "@postrider/core";
import { expectEqual, expectThat } from "../check.js";
import { MAX_STEPS, releaseSteps } from "../delivery-store/gate.js";
import { raceCases } from "../delivery-store/race.js";
import {
  expectNoRecord,
  expectRecord,
  listOwn,
  newRecord,
  nextRecord,
  type RecordCase,
  type RecordRace,
  recordsIn,
  type RecordScene,
  recordsOf,
} from "./scene.js";

const RACES: readonly RecordRace[] = [
  {
    name: "two new records with one key at the same time: one is stored, and only its caller is answered so",
    async play(scene, { otherStore, together }) {
      const [firstRecord, secondRecord] = [newRecord(scene, { text: "one" }), newRecord(scene, { text: "two" })];
      const answers = await together(
        () => recordsOf(scene).put(firstRecord),
        () => recordsIn(otherStore).put(secondRecord),
      );
      expectEqual(answers.toSorted(), [false, true], "both answers");
      await expectRecord(scene, answers[0] ? firstRecord : secondRecord, "after both puts");
    },
  },
  {
    name: "two replacements of one revision at the same time: one is stored, and only its caller is answered so",
    async play(scene, { otherStore, together }) {
      const record = newRecord(scene, { kind: "replay-job", tag: "running" });
      await recordsOf(scene).put(record);
      const rivals = [nextRecord(record, { tag: "done" }), nextRecord(record, { tag: "cancelled" })] as const;
      const answers = await together(
        () => recordsOf(scene).put(rivals[0]),
        () => recordsIn(otherStore).put(rivals[1]),
      );
      expectEqual(answers.toSorted(), [false, true], "both answers");
      await expectRecord(scene, rivals[answers[0] ? 0 : 1], "after both replacements");
    },
  },
  {
    name: "two callers that take a free record at the same time: one takes it, and the record says which",
    async play(scene, { otherStore, together }) {
      const record = newRecord(scene, { text: "free" });
      await recordsOf(scene).put(record);
      const answers = await together(
        () => takeFree(recordsOf(scene), record, "one"),
        () => takeFree(recordsIn(otherStore), record, "two"),
      );
      expectEqual(answers.toSorted(), [false, true], "both answers");
      await expectRecord(scene, nextRecord(record, { text: answers[0] ? "one" : "two" }), "once it is not free");
    },
  },
  {
    name: "a replacement and a removal at the same time: the record is gone, whether it was replaced or not",
    async play(scene, { otherStore, together }) {
      const record = newRecord(scene, { kind: "pause" });
      await recordsOf(scene).put(record);
      await together(
        () => recordsOf(scene).put(nextRecord(record)),
        () => recordsIn(otherStore).remove(record.kind, record.key),
      );
      await expectNoRecord(scene, record.kind, record.key, "after the removal");
    },
  },
  {
    name: "a record is found and listed whole, before or after a replacement at the same time",
    async play(scene, { otherStore, together }) {
      const oldRecord = newRecord(scene, { kind: "settings", text: "before", tag: "before" });
      const nextRevision = nextRecord(oldRecord, { text: "after", tag: "after" });
      await recordsOf(scene).put(oldRecord);
      const [, foundRecord] = await together(
        () => recordsOf(scene).put(nextRevision),
        () => recordsIn(otherStore).find(oldRecord.kind, oldRecord.key),
      );
      expectEqual(foundRecord, foundRecord?.revision === 1 ? oldRecord : nextRevision, "the record that is found");
      const [lastRevision, prefix] = [nextRecord(nextRevision, { text: "last" }), scene.uniqueName("")];
      const [, page] = await together(
        () => recordsOf(scene).put(lastRevision),
        () => recordsIn(otherStore).list({ kind: oldRecord.kind, limit: 10_000 }),
      );
      const ownRecords = page.filter(({ key }) => key.startsWith(prefix));
      expectEqual(
        ownRecords,
        [ownRecords[0]?.revision === 2 ? nextRevision : lastRevision],
        "the record that is listed",
      );
      expectEqual(await listOwn(scene, { kind: oldRecord.kind }), [lastRevision], "the record in the end");
    },
  },
];

export const RACING_RECORD_CASES: readonly RecordCase[] = raceCases(RACES);

/** Takes a record if it is free: it replaces the revision that it has found. */
async function takeFree(records: RecordStore, { kind, key }: StoredRecord, owner: string): Promise<boolean> {
  const record = await records.find(kind, key);
  if (record?.text !== "free") return false;
  return records.put(nextRecord(record, { text: owner }));
}

export const CRASHING_RECORD_CASES: readonly RecordCase[] = [
  {
    name: "after a crash at any access of three changes of records, each that was answered is there, and each other one whole or not at all",
    needs: ["restart", "interleaving"],
    async play(scene) {
      for (let steps = 0; steps < MAX_STEPS; steps += 1) if (await playCrash(scene.anew(), steps)) return;
    },
  },
];

/** Ends the process after a number of steps. Returns true if all calls were answered before. */
async function playCrash(newScene: RecordScene, steps: number): Promise<boolean> {
  const records = ["old", "gone", "new"].map((name) =>
    newRecord(newScene, { key: newScene.uniqueName(name), tag: name }),
  );
  const [old, removed, created] = records as [StoredRecord, StoredRecord, StoredRecord];
  for (const record of [old, removed]) await recordsOf(newScene).put(record);
  const nextRevision = nextRecord(old, { tag: "next" });
  const answered = [false, false, false];
  newScene.gates.hold(0);
  const store = recordsOf(newScene);
  const calls = [store.put(nextRevision), store.remove(removed.kind, removed.key), store.put(created)];
  for (const [index, call] of calls.entries())
    call.then(
      () => (answered[index] = true),
      () => undefined,
    );
  await releaseSteps(newScene.gates, steps);
  const [isReplaced, isRemoved, isCreated] = answered;
  newScene.gates.kill();
  await newScene.crash();
  const find = ({ kind, key }: StoredRecord): Promise<StoredRecord | undefined> => recordsOf(newScene).find(kind, key);
  const [seenOld, seenGone, seenNew] = [await find(old), await find(removed), await find(created)];
  expectEqual(
    seenOld,
    isReplaced === true || seenOld?.revision === 2 ? nextRevision : old,
    "the record that was replaced",
  );
  expectThat(seenGone === undefined || isRemoved !== true, "a record is there whose removal was answered");
  if (seenGone !== undefined) expectEqual(seenGone, removed, "the record that was to be removed");
  if (isCreated === true || seenNew !== undefined) expectEqual(seenNew, created, "the new record");
  return answered.every(Boolean);
}
