// Cases of a store that ends by itself, such as one whose thread dies: its listeners learn it once, and its methods reject. A store that
// was closed has not ended by itself.

import type { DeliveryId, DeliveryStore } from "@postrider/core";
import { expectEqual, expectPresent, expectThat, rejectionCodeOf } from "../check.js";
import { callsOfEachMethod } from "./each-method.js";
import { passLoopTurn } from "./gate.js";
import type { Scene, StoreCase } from "./scene.js";

export const ENDED_STORE_CASES: readonly StoreCase[] = [
  {
    name: "each listener of a store that ends by itself is told once, with the reason in words",
    needs: ["onEnd"],
    async play(scene) {
      const { store, end } = await scene.openWithEnd();
      const reasons: [string[], string[]] = [[], []];
      for (const told of reasons) listenToEnd(store, (why) => told.push(why));
      await store.counts();
      expectEqual(reasons, [[], []], "what listeners are told before the end");
      await end();
      await untilSome(() => reasons.every((told) => told.length > 0));
      await rejectionCodeOf(store.counts());
      await store.close();
      await passTurns();
      for (const told of reasons) expectWords(told);
    },
  },
  {
    name: "a listener that comes after the end is told, with the reason in words",
    needs: ["onEnd"],
    async play(scene) {
      const { store, end } = await scene.openWithEnd();
      const [early, late]: [string[], string[]] = [[], []];
      listenToEnd(store, (why) => early.push(why));
      await end();
      await untilSome(() => early.length > 0);
      listenToEnd(store, (why) => late.push(why));
      await untilSome(() => late.length > 0);
      await passTurns();
      for (const told of [early, late]) expectWords(told);
      await store.close();
    },
  },
  {
    name: "from the end on every method rejects as `unavailable`, but for `close`, which resolves",
    needs: ["onEnd"],
    async play(scene) {
      const { store, end } = await scene.openWithEnd();
      let hasEnded = false;
      listenToEnd(store, () => (hasEnded = true));
      const id = await acceptIn(scene, store);
      await end();
      await untilSome(() => hasEnded);
      for (const { name, call } of callsOfEachMethod(scene, store, id))
        expectEqual(await rejectionCodeOf(call()), "unavailable", `the code with which \`${name}\` rejects`);
      await store.close();
      await store.close();
    },
  },
  {
    name: "a call that is under way at the end is answered, or rejects as `unavailable`: none waits for ever",
    needs: ["onEnd"],
    async play(scene) {
      const { store, end } = await scene.openWithEnd();
      const calls = [
        store.counts(),
        scene.commit({ accept: [scene.message()] }, store),
        store.lanes({ limit: 1 }, scene.now()),
      ];
      const codes: unknown[] = [];
      for (const call of calls) void rejectionCodeOf(call).then((code) => codes.push(code));
      await end();
      await untilSome(() => codes.length === calls.length);
      expectEqual(codes.length, calls.length, "how many calls under way are answered or reject");
      for (const code of codes)
        expectThat(code === undefined || code === "unavailable", `a call under way rejects with: ${String(code)}`);
      await store.close();
    },
  },
  {
    name: "what was answered before the end is there when the storage is opened again",
    needs: ["onEnd", "restart"],
    async play(scene) {
      const { store, end } = await scene.openWithEnd();
      const id = await acceptIn(scene, store);
      await end();
      await scene.crash();
      expectEqual((await scene.record(id)).state, "waiting", "the state of what was stored before the end");
      await store.close();
    },
  },
  {
    name: "a store that is closed has not ended by itself: no listener is told, also when what it ran in ends",
    needs: ["onEnd"],
    async play(scene) {
      const { store, end } = await scene.openWithEnd();
      const told: string[] = [];
      listenToEnd(store, (why) => told.push(why));
      await store.close();
      await end();
      listenToEnd(store, (why) => told.push(why));
      await passTurns();
      expectEqual(told, [], "what listeners of a closed store are told");
      expectEqual(await rejectionCodeOf(store.counts()), "unavailable", "the code with which a closed store rejects");
    },
  },
];

function listenToEnd(store: DeliveryStore, listener: (why: string) => void): void {
  expectThat(store.onEnd !== undefined, "a store of `openWithEnd` has no `onEnd`");
  store.onEnd(listener);
}

function expectWords(told: readonly string[]): void {
  expectEqual(told.length, 1, "how often a listener is told of the end");
  expectThat(typeof told[0] === "string" && /\w/.test(told[0]), `the reason of the end is no text: ${String(told[0])}`);
}

async function acceptIn(scene: Scene, store: DeliveryStore): Promise<DeliveryId> {
  const [answer] = (await scene.commit({ accept: [scene.message()] }, store)).accepted;
  return expectPresent(answer?.kind === "stored" ? answer.deliveries[0] : undefined, "the delivery of a new message");
}

/** More turns of the event loop than the news of an end needs. */
const MOST_TURNS = 50_000;

/** The turns in which a listener that is told twice would be told again. */
const FURTHER_TURNS = 20;

/** Returns once something has happened, or will not happen any more. */
async function untilSome(hasHappened: () => boolean): Promise<void> {
  for (let turn = 0; turn < MOST_TURNS && !hasHappened(); turn += 1) await passLoopTurn();
}

async function passTurns(): Promise<void> {
  for (let turn = 0; turn < FURTHER_TURNS; turn += 1) await passLoopTurn();
}
