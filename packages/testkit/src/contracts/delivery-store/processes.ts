// Cases of several stores on one storage: they share it, they close, and one is opened again while the commits of
// another are under way.

import type { DeliveryStore } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import { DEAD, DELIVERED } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";
import { callsOfEachMethod, prepareWholeCommit, type WholeCommit } from "./each-method.js";
import { MAX_STEPS, releaseSteps, passLoopTurn } from "./gate.js";

export const SHARING_CASES: readonly StoreCase[] = [
  {
    name: "a process finds, claims and settles what another process has stored",
    needs: ["sharing"],
    play: (scene) =>
      withOtherStore(scene, async (store) => {
        const id = await scene.acceptOne();
        expectEqual((await scene.claimOne({ store })).id, id, "what the other claims");
        expectEqual(await scene.settle({ id, outcome: DELIVERED, store }), "settled", "what the other settles");
        expectEqual((await scene.record(id)).state, "delivered", "the state as the first sees it");
      }),
  },
  {
    name: "claims of two processes never overlap",
    needs: ["sharing"],
    play: (scene) =>
      withOtherStore(scene, async (store) => {
        for (let message = 0; message < 6; message += 1) await scene.acceptOne();
        const claims = [
          await scene.claimIds({ limit: 2 }),
          await scene.claimIds({ limit: 3, store, token: scene.token("other") }),
          await scene.claimIds({ limit: 9 }),
        ];
        expectEqual(
          claims.map((ids) => ids.length),
          [2, 3, 1],
          "how many each claim got",
        );
        expectEqual(new Set(claims.flat()).size, 6, "how many different ones");
      }),
  },
  {
    name: "a process that was frozen past its lease cannot settle what another has claimed since",
    needs: ["sharing"],
    play: (scene) =>
      withOtherStore(scene, async (store) => {
        const id = await scene.acceptOne();
        await scene.claimOne();
        const token = scene.claimToken();
        await scene.advance(LEASE_MS);
        await scene.claimOne({ store, token: scene.token("other") });
        expectEqual(await scene.settle({ id, token, outcome: DEAD }), "stale", "the settlement of the sleeper");
        const otherAnswer = await scene.settle({ id, outcome: DELIVERED, store, token: scene.token("other") });
        expectEqual(otherAnswer, "settled", "the settlement of the other");
        expectEqual((await scene.record(id)).state, "delivered", "the state in the end");
      }),
  },
  {
    name: "a message that one process stored is a duplicate to another; it is counted once as accepted, and as one duplicate",
    needs: ["sharing"],
    play: (scene) =>
      withOtherStore(scene, async (store) => {
        await scene.accept({ messageId: "both" });
        const lease = { token: scene.token("other"), leaseMs: LEASE_MS };
        const accept = [scene.message({ messageId: "both" }), scene.message({ messageId: "only the other" })];
        const changes = { accept, replay: [], settle: [], append: [], tally: [], lease };
        const { accepted } = await store.commit(changes, scene.now());
        expectEqual(
          accepted.map((answer) => answer.kind),
          ["duplicate", "stored"],
          "the answers of the other",
        );
        await scene.expectCounts({ accepted: 2, waiting: 2, duplicates: 1 }, "as the first sees them");
      }),
  },
];

/** Plays with a second process on the same storage. */
async function withOtherStore(scene: Scene, play: (other: DeliveryStore) => Promise<void>): Promise<void> {
  const otherStore = await scene.openAnother();
  try {
    await play(otherStore);
  } finally {
    await otherStore.close();
  }
}

export const CLOSING_CASES: readonly StoreCase[] = [
  {
    name: "after `close` every method rejects as `unavailable`, and a second `close` resolves",
    async play(scene) {
      const id = await scene.acceptOne();
      const store = scene.store();
      await store.close();
      await scene.reopen();
      for (const { name, call } of callsOfEachMethod(scene, store, id)) {
        expectEqual(await rejectionCodeOf(call()), "unavailable", `the code with which \`${name}\` rejects`);
      }
      await store.close();
    },
  },
  {
    name: "a store that is closed while commits are out: each that was answered is there, each other one whole or not at all",
    needs: ["restart"],
    play: (scene) =>
      whileCommitsAreOut(scene, async ({ store, answered, expectThere }) => {
        await store.close();
        await answered;
        await scene.reopen();
        await expectThere();
      }),
  },
];

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
        const [firstScene, secondScene] = [scene.anew(), scene.anew()];
        const commits = [await prepareWholeCommit(firstScene), await prepareWholeCommit(secondScene)] as const;
        const answered = [false, false];
        scene.gates.hold(0);
        for (const [index, commitScene] of [firstScene, secondScene].entries()) {
          commitScene.commit(commits[index]?.changes ?? {}).then(
            () => (answered[index] = true),
            () => undefined,
          );
        }
        await releaseSteps(scene.gates, steps);
        const isOver = answered.every(Boolean);
        scene.gates.kill();
        await scene.crash();
        await expectAnsweredThere(commits, answered);
        if (isOver) return;
      }
    },
  },
];

interface CommitsOut {
  /** The store of both. */
  readonly store: DeliveryStore;
  /** For each of the two, true if it was answered. Resolves once both were answered or have rejected. */
  readonly answered: Promise<readonly boolean[]>;
  /** Expects of the storage as it is open now: each that was answered is there, each other one whole or not at all. */
  readonly expectThere: () => Promise<void>;
}

/** The number of times that a store is closed or left during commits, each time one loop turn later. */
const ENDS = 5;

/** Plays several times with two commits under way. */
async function whileCommitsAreOut(scene: Scene, play: (out: CommitsOut) => Promise<void>): Promise<void> {
  for (let turns = 0; turns < ENDS; turns += 1) {
    const store = scene.store();
    const [firstScene, secondScene] = [scene.anew(), scene.anew()];
    const commits = [await prepareWholeCommit(firstScene), await prepareWholeCommit(secondScene)] as const;
    const answers = [firstScene.commit(commits[0].changes, store), secondScene.commit(commits[1].changes, store)];
    const answered = Promise.all(answers.map(async (answer) => (await rejectionCodeOf(answer)) === undefined));
    for (let turn = 0; turn < turns; turn += 1) await passLoopTurn();
    await play({ store, answered, expectThere: async () => expectAnsweredThere(commits, await answered) });
  }
}

async function expectAnsweredThere(commits: readonly WholeCommit[], answered: readonly boolean[]): Promise<void> {
  for (const [index, commit] of commits.entries()) {
    const isThere = await commit.isThere();
    expectThat(isThere || answered[index] !== true, "a commit that was answered is not there");
  }
}
