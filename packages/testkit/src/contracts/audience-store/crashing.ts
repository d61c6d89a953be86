// A process that dies at any access of two calls.

import { expectEqual, expectThat } from "../check.js";
import { MAX_STEPS, releaseSteps } from "../delivery-store/gate.js";
import { nextRevision, numberedIds, sendingRecord } from "./samples.js";
import type { AudienceCase, Scene } from "./scene.js";

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
  const [first, set] = [own.record("one"), own.uniqueName("set")];
  await own.store().create(first);
  const next = nextRevision(sendingRecord(first));
  const answered = [false, false];
  own.gates.hold(0);
  const calls = [own.append(set, MEMBERS), own.store().replace(next)];
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
  const found = await own.store().find(first.key);
  const isThere = isReplaced === true || found?.revision === next.revision;
  expectEqual(found, isThere ? next : first, "the audience");
  return isAppended === true && isReplaced === true;
}
