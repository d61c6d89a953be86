// Every method answers with a promise, and none throws.

import { expectThat } from "../check.js";
import { callsOfEachMethod, type MethodCall } from "./each-method.js";
import type { StoreCase } from "./scene.js";

export const PROMISING_CASES: readonly StoreCase[] = [
  {
    name: "every method answers with a promise",
    async play(scene) {
      const id = await scene.acceptOne();
      for (const one of callsOfEachMethod(scene, scene.store(), id))
        await promiseOf(one).catch(fail(`${one.name} rejects`));
    },
  },
  {
    name: "a method of a store that is closed throws nothing: its promise may reject, as a StoreError",
    async play(scene) {
      const [store, id] = [scene.store(), await scene.acceptOne()];
      await store.close();
      await scene.crash();
      for (const one of callsOfEachMethod(scene, store, id)) {
        const error = await promiseOf(one).then(
          () => undefined,
          (reason: unknown) => reason,
        );
        const isStoreError = error === undefined || (error instanceof Error && "code" in error);
        expectThat(isStoreError, `${one.name} of a closed store rejects with what is no StoreError: ${String(error)}`);
      }
    },
  },
];

/** Fails if the method throws, or answers with what is no promise. */
function promiseOf({ name, call }: MethodCall): Promise<unknown> {
  let answer: unknown;
  try {
    answer = call();
  } catch (error) {
    throw new Error(`${name} throws, and should reject: ${String(error)}`);
  }
  expectThat(answer instanceof Promise, `${name} answers with what is no promise`);
  return answer;
}

function fail(what: string): (error: unknown) => never {
  return (error) => {
    throw new Error(`${what}: ${String(error)}`);
  };
}
