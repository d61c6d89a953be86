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
    async play(scene, { other, together }) {
      const set = scene.uniqueName("set");
      const codes = await together(
        () => appended(scene.append(set, ["a", "b"])),
        () => appended(scene.append(set, ["c", "d"], other)),
      );
      const expected = [...(codes[0] ? ["a", "b"] : []), ...(codes[1] ? ["c", "d"] : [])];
      expectThat(codes[1], "an append of members beyond all others is rejected");
      expectEqual(await scene.readIds(set), expected, "the members");
    },
  },
  {
    name: "an append and a drop at the same time: what is appended is there alone, or is dropped too",
    async play(scene, { other, together }) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a", "b"]);
      await together(
        () => scene.append(set, ["c"]),
        () => other.drop(set),
      );
      const left = await scene.readIds(set);
      if (left.length > 0) expectEqual(left, ["c"], "the members");
      expectEqual(await scene.store().sets(set), left.length > 0 ? [set] : [], "the names of sets");
    },
  },
  {
    name: "an append and an erasure at the same time: who was counted as erased is gone, and all others are there",
    async play(scene, { other, together }) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a", "b"]);
      const [, erased] = await together(
        () => scene.append(set, ["c", "d"]),
        () => other.erase(set, ["b", "d"]),
      );
      expectEqual(await scene.readIds(set), erased === 2 ? ["a", "c"] : ["a", "c", "d"], "the members");
    },
  },
  {
    name: "a set is read as it was before an append or after it, while members are appended",
    async play(scene, { other, together }) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a"]);
      const [seen] = await together(
        () => scene.readIds(set),
        () => scene.append(set, ["b", "c", "d"], other),
      );
      expectThat(seen.length === 1 || seen.length === 4, `a part of an append is read: ${seen.join(", ")}`);
    },
  },
];

export const RACING_CASES: readonly AudienceCase[] = raceCases(RACES);

/** True if an append is answered. `busy` is left to the race, which repeats the call. */
async function appended(append: Promise<void>): Promise<boolean> {
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
        const own = scene.anew();
        if (await playCrash(own, steps)) return;
      }
    },
  },
];

/** Ends the process after a number of steps. Returns whether both calls were answered before. */
async function playCrash(own: Scene, steps: number): Promise<boolean> {
  const [first, set] = [newRecord(own), own.uniqueName("set")];
  await own.store().records.put(first);
  const next = nextRecord(first, { tag: "next" });
  const answered = [false, false];
  own.gates.hold(0);
  const calls = [own.append(set, MEMBERS), own.store().records.put(next)];
  for (const [index, call] of calls.entries()) {
    call.then(
      () => (answered[index] = true),
      () => undefined,
    );
  }
  await releaseSteps(own.gates, steps);
  const [isAppended, isReplaced] = answered;
  own.gates.kill();
  await own.crash();
  const { length } = await own.readIds(set);
  expectThat(length === 0 || length === MEMBERS.length, `a part of an append is there: ${String(length)} members`);
  if (isAppended === true) expectEqual(length, MEMBERS.length, "the members of an append that was answered");
  const found = await own.store().records.find(first.kind, first.key);
  const isThere = isReplaced === true || found?.revision === next.revision;
  expectEqual(found, isThere ? next : first, "the record");
  return isAppended === true && isReplaced === true;
}
