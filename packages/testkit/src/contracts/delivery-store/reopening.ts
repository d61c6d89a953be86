// A storage that is opened again while commits are out.

import { expectAnsweredThere, whileCommitsAreOut } from "./commits-out.js";
import { MAX_STEPS, releaseSteps } from "./release-steps.js";
import type { StoreCase } from "./scene.js";
import { prepareWholeCommit } from "./whole-commit.js";

export const REOPENING_CASES: readonly StoreCase[] = [
  {
    name: "a storage that is opened again while commits are out: each that was answered is there, each other one whole or not at all",
    needs: ["restart", "sharing"],
    play: (scene) =>
      whileCommitsAreOut(scene, async ({ store, expectThere }) => {
        await scene.crash();
        await expectThere();
        await store.close();
      }),
  },
  {
    name: "after a crash at any access of two commits, each that was answered is there, and each other one whole or not at all",
    needs: ["restart", "interleaving"],
    async play(scene) {
      for (let steps = 0; steps < MAX_STEPS; steps += 1) {
        const [one, two] = [scene.anew(), scene.anew()];
        const commits = [await prepareWholeCommit(one), await prepareWholeCommit(two)] as const;
        const answered = [false, false];
        scene.gates.hold(0);
        for (const [index, own] of [one, two].entries()) {
          own.commit(commits[index]?.changes ?? {}).then(
            () => (answered[index] = true),
            () => undefined,
          );
        }
        await releaseSteps(scene.gates, steps);
        const isOver = answered.every((isAnswered) => isAnswered);
        scene.gates.kill();
        await scene.crash();
        await expectAnsweredThere(commits, answered);
        if (isOver) return;
      }
    },
  },
];
