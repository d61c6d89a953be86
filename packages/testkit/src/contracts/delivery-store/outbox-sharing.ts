// Cases of an outbox that several use at the same time: no host waits for another one, and what one process adds or removes is so for all
// processes, whatever they have asked before.

import type { DeliveryStore, OutboxEntry, OutboxQuery, RunStatement } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, expectThat } from "../check.js";
import { passLoopTurn } from "./gate.js";
import { addCalls, callOf, emptyOutbox, inTurn, nameOfCall, namesIn, outboxOf, walkOutbox } from "./outbox-scene.js";
import { raceCases } from "./race.js";
import type { Scene, StoreCase, StoreRace } from "./scene.js";

export const WAITING_FOR_NONE_CASES: readonly StoreCase[] = [
  {
    name: "no transaction waits for another one, also if both add the same call",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const [first, second] = [await scene.beginTransaction(), await scene.beginTransaction()];
      const names = ["one", "two"];
      const moves: readonly [RunStatement, string | undefined][] = [
        [first.run, names[0]],
        [second.run, names[1]],
        [first.run, names[1]],
        [second.run, names[0]],
      ];
      try {
        for (const [run, name = ""] of moves)
          await expectNoWait(outboxOf(scene).add(callOf(scene, name), run), "a call that two transactions add");
        await expectNoWait(outboxOf(scene).read({ limit: 5 }), "a read while transactions are open");
        await second.commit();
        expectEqual(await namesIn(scene), names, "the calls of the transaction that is committed");
      } finally {
        await first.rollback();
      }
      expectEqual(await namesIn(scene), names, "the calls once the other one is rolled back");
    },
  },
  {
    name: "calls whose statements are not answered yet let no other one wait, however many, also if it is the same",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const [first, second] = [await scene.beginTransaction(), await scene.beginTransaction()];
      let letGo: () => void = () => undefined;
      const isLetGo = new Promise<void>((resolve) => (letGo = resolve));
      const run = inTurn(async (sql, values) => {
        await isLetGo;
        return first.run(sql, values);
      });
      const held = ["same", ...Array.from({ length: HELD }, (_, index) => `held ${String(index)}`)];
      const adding = Promise.all(held.map((name) => outboxOf(scene).add(callOf(scene, name), run)));
      await passLoopTurn();
      const names = ["other", "same"];
      try {
        for (const name of names) await expectNoWait(outboxOf(scene).add(callOf(scene, name), second.run), "a call");
        await second.commit();
        expectEqual(await namesIn(scene), names, "the calls while others are not answered");
      } finally {
        letGo();
        await adding.finally(first.commit);
      }
      expectEqual(await namesIn(scene), [...names, ...held].toSorted(), "the calls in the end");
    },
  },
];

const REMOVE_RACES: readonly StoreRace[] = [
  {
    name: "the same entries are removed by two calls in crossing order, and both are answered",
    needs: ["outbox"],
    async play(scene, { otherStore, together }) {
      await emptyOutbox(scene);
      await addCalls(scene, ["one", "two", "three"]);
      const ids = (await walkOutbox(scene)).map(({ id }) => id);
      const other = outboxOf({ store: () => otherStore });
      await together(
        () => outboxOf(scene).remove(ids),
        () => other.remove(ids.toReversed()),
      );
      expectEqual(await namesIn(scene), [], "the calls in the end");
    },
  },
];

export const SHARING_OUTBOX_CASES: readonly StoreCase[] = [
  {
    name: "processes on one storage have one outbox: what one removes is gone for all",
    needs: ["outbox", "sharing"],
    play: (scene) =>
      withAnother(scene, async (other) => {
        const otherScene = { store: () => other };
        await addCalls(scene, ["one", "two"]);
        const entries = await walkOutbox(otherScene);
        const rest = await outboxOf(scene).read({ limit: 5, ...defined({ after: entries[0]?.id }) });
        expectEqual(rest, entries.slice(1), "the page that follows an entry which another process has read");
        expectEqual(entries, await walkOutbox(scene), "the entries of another process");
        await outboxOf(otherScene).remove(entries.filter((entry) => nameOfCall(entry) === "one").map(({ id }) => id));
        expectEqual(await namesIn(scene), ["two"], "the calls once another process has removed one");
      }),
  },
  {
    name: "a page and a count are as the outbox is now, whatever this process was answered before another one changed it",
    needs: ["outbox", "sharing"],
    play: (scene) =>
      withAnother(scene, async (other) => {
        await addCalls(scene, ["first"]);
        const [first] = await walkOutbox(scene);
        const changes = await changesBy(scene, other);
        for (const [step, change] of changes.entries()) {
          const after = (await outboxOf(scene).read({ limit: 2 })).at(-1)?.id;
          await change();
          // At once, since a store that reads ahead may do so for one page.
          const rest = await secondPage(scene.store(), after);
          const [newRest, answers] = await withStore(scene, async (fresh) => [
            await secondPage(fresh, after),
            await answersOf(scene, fresh, first),
          ]);
          expectEqual(rest, newRest, `the second page of a walk, once change ${String(step)} was made`);
          for (const store of [scene.store(), other])
            expectEqual(await answersOf(scene, store, first), answers, `pages and counts after change ${String(step)}`);
        }
      }),
  },
  ...raceCases(REMOVE_RACES),
];

/** Changes that hosts and another process make one after the other. */
async function changesBy(scene: Scene, other: DeliveryStore): Promise<readonly (() => Promise<void>)[]> {
  const early = await scene.beginTransaction();
  await outboxOf(scene).add(callOf(scene, "early", scene.otherSource), early.run);
  const remove = async (isRemoved: (entry: OutboxEntry) => boolean): Promise<void> => {
    const otherScene = { store: () => other };
    const ids = (await walkOutbox(otherScene)).filter(isRemoved).map(({ id }) => id);
    await outboxOf(otherScene).remove(ids);
  };
  const removeNamed = (name: string): Promise<void> => remove((entry) => nameOfCall(entry) === name);
  return [
    () => addCalls(scene, ["one", "two", "three"]),
    // As many as before, and the same ones at both ends.
    () => early.commit().then(() => removeNamed("two")),
    () => addCalls(scene, ["other"], scene.otherSource),
    () => removeNamed("one"),
    () => addCalls(scene, ["four"]),
    () => remove(({ source }) => source === scene.otherSource),
    () => removeNamed("first"),
    () => remove(() => true),
    () => addCalls(scene, ["last"]),
  ];
}

function secondPage(store: DeliveryStore, after: string | undefined): Promise<readonly OutboxEntry[]> {
  return outboxOf({ store: () => store }).read({ limit: 2, ...defined({ after }) });
}

/** The answers of a process to queries of each kind: pages as they begin and go on, without a source, and counts up to each limit. */
async function answersOf(scene: Scene, store: DeliveryStore, first: OutboxEntry | undefined): Promise<unknown> {
  const { source, otherSource } = scene;
  const outbox = outboxOf({ store: () => store });
  const filters: readonly Omit<OutboxQuery, "limit">[] = [
    ...[{}, { except: [] }, { except: [source] }, { except: [otherSource] }, { except: [source, otherSource] }],
    ...(first === undefined ? [] : [{ after: first.id }, { after: first.id, except: [source] }]),
  ];
  const answers: unknown[] = [];
  for (const limit of [1, 2, 3, 9]) {
    for (const filter of filters) answers.push([limit, filter, await outbox.read({ ...filter, limit })]);
    for (const of of [source, otherSource]) answers.push([limit, of, await outbox.count({ source: of, limit })]);
  }
  return answers;
}

/** Plays with one more process on the storage. */
async function withStore<T>(scene: Scene, play: (store: DeliveryStore) => Promise<T>): Promise<T> {
  const store = await scene.openAnother();
  try {
    return await play(store);
  } finally {
    await store.close();
  }
}

/** The same, beginning with an empty outbox. */
async function withAnother(scene: Scene, play: (other: DeliveryStore) => Promise<void>): Promise<void> {
  await emptyOutbox(scene);
  await withStore(scene, play);
}

/** More statements than any store has connections. */
const HELD = 200;

/** More turns of the event loop than a statement takes that waits for no other one. */
const MOST_TURNS = 200_000;

async function expectNoWait(call: Promise<unknown>, what: string): Promise<void> {
  let hasEnded = false;
  const end = call.finally(() => (hasEnded = true));
  end.catch(() => undefined);
  const isWaiting = (): boolean => !hasEnded;
  for (let turn = 0; turn < MOST_TURNS && isWaiting(); turn += 1) await passLoopTurn();
  expectThat(!isWaiting(), `${what} waits for another transaction`);
  await end;
}
