// The end of a store by `close`, also while commits are out.

import { expectEqual } from "../check.js";
import { rejectionCodeOf } from "../rejection-of.js";
import { whileCommitsAreOut } from "./commits-out.js";
import { callsOfEachMethod } from "./each-method.js";
import type { StoreCase } from "./scene.js";

export const CLOSING_CASES: readonly StoreCase[] = [
  {
    name: "after `close` every method rejects as `unavailable`, and a second `close` resolves",
    async play(scene) {
      const id = await scene.acceptOne();
      const store = scene.store();
      await store.close();
      await scene.crash();
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
        await scene.crash();
        await expectThere();
      }),
  },
];
