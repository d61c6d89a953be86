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
    async play(scene, { other, together }) {
      const [one, two] = [newRecord(scene, { text: "one" }), newRecord(scene, { text: "two" })];
      const answers = await together(
        () => recordsOf(scene).put(one),
        () => recordsIn(other).put(two),
      );
      expectEqual(answers.toSorted(), [false, true], "both answers");
      await expectRecord(scene, answers[0] ? one : two, "after both puts");
    },
  },
  {
    name: "two replacements of one revision at the same time: one is stored, and only its caller is answered so",
    async play(scene, { other, together }) {
      const first = newRecord(scene, { kind: "replay-job", tag: "running" });
      await recordsOf(scene).put(first);
      const rivals = [nextRecord(first, { tag: "done" }), nextRecord(first, { tag: "cancelled" })] as const;
      const answers = await together(
        () => recordsOf(scene).put(rivals[0]),
        () => recordsIn(other).put(rivals[1]),
      );
      expectEqual(answers.toSorted(), [false, true], "both answers");
      await expectRecord(scene, rivals[answers[0] ? 0 : 1], "after both replacements");
    },
  },
  {
    name: "two callers that take a free record at the same time: one takes it, and the record says which",
    async play(scene, { other, together }) {
      const first = newRecord(scene, { text: "free" });
      await recordsOf(scene).put(first);
      const answers = await together(
        () => takeFree(recordsOf(scene), first, "one"),
        () => takeFree(recordsIn(other), first, "two"),
      );
      expectEqual(answers.toSorted(), [false, true], "both answers");
      await expectRecord(scene, nextRecord(first, { text: answers[0] ? "one" : "two" }), "once it is not free");
    },
  },
  {
    name: "a replacement and a removal at the same time: the record is gone, whether it was replaced or not",
    async play(scene, { other, together }) {
      const first = newRecord(scene, { kind: "pause" });
      await recordsOf(scene).put(first);
      await together(
        () => recordsOf(scene).put(nextRecord(first)),
        () => recordsIn(other).remove(first.kind, first.key),
      );
      await expectNoRecord(scene, first.kind, first.key, "after the removal");
    },
  },
  {
    name: "a record is found and listed whole, before or after a replacement at the same time",
    async play(scene, { other, together }) {
      const before = newRecord(scene, { kind: "settings", text: "before", tag: "before" });
      const after = nextRecord(before, { text: "after", tag: "after" });
      await recordsOf(scene).put(before);
      const [, seen] = await together(
        () => recordsOf(scene).put(after),
        () => recordsIn(other).find(before.kind, before.key),
      );
      expectEqual(seen, seen?.revision === 1 ? before : after, "the record that is found");
      const [last, listed] = [nextRecord(after, { text: "last" }), scene.uniqueName("")];
      const [, page] = await together(
        () => recordsOf(scene).put(last),
        () => recordsIn(other).list({ kind: before.kind, limit: 10_000 }),
      );
      const own = page.filter(({ key }) => key.startsWith(listed));
      expectEqual(own, [own[0]?.revision === 2 ? after : last], "the record that is listed");
      expectEqual(await listOwn(scene, { kind: before.kind }), [last], "the record in the end");
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

/** Ends the process after a number of steps. Returns whether all calls were answered before. */
async function playCrash(own: RecordScene, steps: number): Promise<boolean> {
  const records = ["old", "gone", "new"].map((name) => newRecord(own, { key: own.uniqueName(name), tag: name }));
  const [old, gone, created] = records as [StoredRecord, StoredRecord, StoredRecord];
  for (const record of [old, gone]) await recordsOf(own).put(record);
  const next = nextRecord(old, { tag: "next" });
  const answered = [false, false, false];
  own.gates.hold(0);
  const store = recordsOf(own);
  const calls = [store.put(next), store.remove(gone.kind, gone.key), store.put(created)];
  for (const [index, call] of calls.entries())
    call.then(
      () => (answered[index] = true),
      () => undefined,
    );
  await releaseSteps(own.gates, steps);
  const [isReplaced, isRemoved, isCreated] = answered;
  own.gates.kill();
  await own.crash();
  const find = ({ kind, key }: StoredRecord): Promise<StoredRecord | undefined> => recordsOf(own).find(kind, key);
  const [seenOld, seenGone, seenNew] = [await find(old), await find(gone), await find(created)];
  expectEqual(seenOld, isReplaced === true || seenOld?.revision === 2 ? next : old, "the record that was replaced");
  expectThat(seenGone === undefined || isRemoved !== true, "a record is there whose removal was answered");
  if (seenGone !== undefined) expectEqual(seenGone, gone, "the record that was to be removed");
  if (isCreated === true || seenNew !== undefined) expectEqual(seenNew, created, "the new record");
  return answered.every((isAnswered) => isAnswered);
}
