// Two commits that are under way while a case ends their store, and what must be there of them afterwards. Knows no way to
// end a store.

import type { DeliveryStore } from "@postrider/core";
import { expectThat } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { passLoopTurn } from "./loop-turn.js";
import type { Scene } from "./scene.js";
import { prepareWholeCommit, type WholeCommit } from "./whole-commit.js";

export interface CommitsOut {
  /** The store of both. */
  readonly store: DeliveryStore;
  /** Whether each was answered, once both were answered or have rejected. */
  readonly answered: Promise<readonly boolean[]>;
  /** Expects of the storage as it is open now: each that was answered is there, each other one whole or not at all. */
  readonly expectThere: () => Promise<void>;
}

/** How often a store ends while commits are out, each time a little later. */
const ENDS = 5;

/** Plays several times with two commits under way. */
export async function whileCommitsAreOut(scene: Scene, play: (out: CommitsOut) => Promise<void>): Promise<void> {
  for (let later = 0; later < ENDS; later += 1) {
    const store = scene.store();
    const [one, two] = [scene.anew(), scene.anew()];
    const commits = [await prepareWholeCommit(one), await prepareWholeCommit(two)] as const;
    const answers = [one.commit(commits[0].changes, store), two.commit(commits[1].changes, store)];
    const answered = Promise.all(answers.map(async (answer) => (await rejectionCodeOf(answer)) === undefined));
    for (let turn = 0; turn < later; turn += 1) await passLoopTurn();
    await play({ store, answered, expectThere: async () => expectAnsweredThere(commits, await answered) });
  }
}

export async function expectAnsweredThere(
  commits: readonly WholeCommit[],
  answered: readonly boolean[],
): Promise<void> {
  for (const [index, commit] of commits.entries()) {
    const isThere = await commit.isThere();
    expectThat(isThere || answered[index] !== true, "a commit that was answered is not there");
  }
}
