// Cases of two calls at the same time on a set of members, and of a process that dies at any access of two calls.

import type { AudienceStore } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import { type Race, raceCases } from "../delivery-store/race.js";
import type { AudienceStoreSupport } from "./harness.js";
import { newRecord, nextRecord } from "../record-store/scene.js";
import { numberedIds, type AudienceCase, type Scene } from "./scene.js";
import { MAX_STEPS, releaseSteps } from "../delivery-store/gate.js";

const RACES: readonly Race<Scene, AudienceStore, keyof AudienceStoreSupport>[] = [
  {
    name: "two appends to one set at the same time: each is there whole if it is answered, otherwise not at all",
    async play(scene, { otherStore, together }) {
      const set = scene.uniqueName("set");
      const isStored = await together(
        () => tryAppend(scene.append(set, ["a", "b"])),
        () => tryAppend(scene.append(set, ["c", "d"], otherStore)),
      );
      const expected = [...(isStored[0] ? ["a", "b"] : []), ...(isStored[1] ? ["c", "d"] : [])];
      expectThat(isStored[1], "an append of members beyond all others is rejected");
      expectEqual(await scene.readIds(set), expected, "the members");
    },
  },
  {
    name: "an append and a drop at the same time: what is appended is there alone, or is dropped too",
    async play(scene, { otherStore, together }) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a", "b"]);
      await together(
        () => scene.append(set, ["c"]),
        () => otherStore.drop(set),
      );
      const remainingIds = await scene.readIds(set);
      if (remainingIds.length > 0) expectEqual(remainingIds, ["c"], "the members");
      expectEqual(await scene.store().sets(set), remainingIds.length > 0 ? [set] : [], "the names of sets");
    },
  },
  {
    name: "an append and an erasure at the same time: who was counted as erased is gone, and all others are there",
    async play(scene, { otherStore, together }) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a", "b"]);
      const [, erasedCount] = await together(
        () => scene.append(set, ["c", "d"]),
        () => otherStore.erase(set, ["b", "d"]),
      );
      expectEqual(await scene.readIds(set), erasedCount === 2 ? ["a", "c"] : ["a", "c", "d"], "the members");
    },
  },
  {
    name: "an append and an erasure of all members at the same time: what is appended is there, with its set",
    async play(scene, { otherStore, together }) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a", "b"]);
      const [, erasedCount] = await together(
        () => scene.append(set, ["c"]),
        () => otherStore.erase(set, ["a", "b"]),
      );
      expectEqual(erasedCount, 2, "how many were erased");
      expectEqual(await scene.readIds(set), ["c"], "the members");
      expectEqual(await scene.store().sets(set), [set], "the names of sets");
    },
  },
  {
    name: "a set is read as it was before an append or after it, while members are appended",
    async play(scene, { otherStore, together }) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a"]);
      const [userIds] = await together(
        () => scene.readIds(set),
        () => scene.append(set, ["b", "c", "d"], otherStore),
      );
      expectThat(userIds.length === 1 || userIds.length === 4, `a part of an append is read: ${userIds.join(", ")}`);
    },
  },
];

export const RACING_CASES: readonly AudienceCase[] = raceCases(RACES);

/** Returns true if an append is answered. `busy` is left to the race, which repeats the call. */
async function tryAppend(append: Promise<void>): Promise<boolean> {
  const code = await rejectionCodeOf(append);
  if (code === "busy") await append;
  return code === undefined;
}

/** Members of more than one page of a store. */
const MEMBERS = numberedIds(0, 4_000);

export const CRASHING_CASES: readonly AudienceCase[] = [
  {
    name: "after a crash at any access of an append and a replacement, each that was answered is there, and each other one whole or not at all",
    needs: ["restart", "interleaving"],
    async play(scene) {
      for (let steps = 0; steps < MAX_STEPS; steps += 1) {
        if (await playCrash(scene.anew(), steps)) return;
      }
    },
  },
];

/** Ends the process after a number of steps. Returns true if both calls were answered before. */
async function playCrash(scene: Scene, steps: number): Promise<boolean> {
  const [record, set] = [newRecord(scene), scene.uniqueName("set")];
  await scene.store().records.put(record);
  const replacement = nextRecord(record, { tag: "next" });
  const answered = [false, false];
  scene.gates.hold(0);
  const calls = [scene.append(set, MEMBERS), scene.store().records.put(replacement)];
  for (const [index, call] of calls.entries()) {
    call.then(
      () => (answered[index] = true),
      () => undefined,
    );
  }
  await releaseSteps(scene.gates, steps);
  const [isAppended, isReplaced] = answered;
  scene.gates.kill();
  await scene.crash();
  const { length } = await scene.readIds(set);
  expectThat(length === 0 || length === MEMBERS.length, `a part of an append is there: ${String(length)} members`);
  if (isAppended === true) expectEqual(length, MEMBERS.length, "the members of an append that was answered");
  const storedRecord = await scene.store().records.find(record.kind, record.key);
  const isThere = isReplaced === true || storedRecord?.revision === replacement.revision;
  expectEqual(storedRecord, isThere ? replacement : record, "the record");
  return isAppended === true && isReplaced === true;
}
