// Cases of what relays do with an outbox: they walk through it page by page, leave out sources, count, and remove what they have
// accepted, while hosts add further calls.

import { type OutboxEntry, type SourceId, sourceId } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { expectEqual, rejectionCodeOf } from "../check.js";
import { atEachAccess, expectReadsOrRejections } from "./faults.js";
import { addAll, addCalls, callOf, emptyOutbox, nameOfCall, namesIn, outboxOf, walkOutbox } from "./outbox-scene.js";
import type { StoreCase } from "./scene.js";

/** A page of a relay, and a little more. */
const MANY = 300;

export const WALKING_OUTBOX_CASES: readonly StoreCase[] = [
  {
    name: "pages of any size follow each other, with each call once, and only the last one is short",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const names = Array.from({ length: 7 }, (_, index) => `call ${String(index)}`);
      for (const [index, name] of names.entries())
        await addCalls(scene, [name], index % 3 === 0 ? scene.otherSource : scene.source);
      const entries = await walkOutbox(scene);
      expectEqual(entries.map(nameOfCall).toSorted(), names, "the calls of one page");
      for (const limit of [1, 2, 3, 6, 7, 8])
        expectEqual(await walkOutbox(scene, { limit }), entries, `the entries of pages of ${String(limit)}`);
      const last = await outboxOf(scene).read({ limit: 5, ...defined({ after: entries.at(-1)?.id }) });
      expectEqual(last, [], "the page after the last entry");
    },
  },
  {
    name: "a limit of none takes nothing: no entry is read, and none is counted",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["one"]);
      expectEqual(await outboxOf(scene).read({ limit: 0 }), [], "a page of none");
      expectEqual(await outboxOf(scene).count({ source: scene.source, limit: 0 }), 0, "a count up to none");
    },
  },
  {
    name: "a page goes on behind an entry that was removed, whatever is left before it",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const names = Array.from({ length: MANY }, (_, index) => `call ${String(index)}`);
      await addCalls(scene, names);
      const [taken, left]: [OutboxEntry[], string[]] = [[], []];
      for (const limit of [100, 150, 100]) {
        const page = await outboxOf(scene).read({ limit, ...defined({ after: taken.at(-1)?.id }) });
        await outboxOf(scene).remove(page.slice(1).map(({ id }) => id));
        left.push(...page.slice(0, 1).map(nameOfCall));
        taken.push(...page);
      }
      expectEqual(taken.map(nameOfCall).toSorted(), names.toSorted(), "the calls of three pages");
      expectEqual(await namesIn(scene), left.toSorted(), "the calls that are left");
    },
  },
  {
    name: "a call that appears later, at whichever place, is in a later walk",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const transactions = await Promise.all([1, 2, 3].map(() => scene.beginTransaction()));
      for (const [index, { run }] of transactions.entries())
        await outboxOf(scene).add(callOf(scene, `call ${String(index)}`), run);
      const [first, second, third] = transactions;
      await third?.commit();
      expectEqual(await namesIn(scene), ["call 2"], "the walk after the last transaction has ended");
      await first?.commit();
      expectEqual(await namesIn(scene), ["call 0", "call 2"], "the walk after the first has ended");
      await emptyOutbox(scene);
      await second?.commit();
      expectEqual(await namesIn(scene), ["call 1"], "the walk after all were removed and the second has ended");
    },
  },
  {
    name: "a walk leaves out all calls of the sources in `except`, however many, and its pages are full without them",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const sources = Array.from({ length: 40 }, (_, index) => sourceId(scene.uniqueName(`source ${String(index)}`)));
      const calls = sources.flatMap((source) => ["a", "b"].map((name) => callOf(scene, source + name, source)));
      await addAll(scene, calls);
      const [inner, outer] = [sources.slice(1, -1), sources.filter((_, index) => index % (sources.length - 1) === 0)];
      const unknown = Array.from({ length: 1_000 - inner.length }, (_, index) => sourceId(`unknown ${String(index)}`));
      const except: readonly SourceId[] = [...unknown, ...inner];
      const expected = outer.flatMap((source) => [`${source}a`, `${source}b`]).toSorted();
      for (const limit of [1, 3, 4, 100])
        expectEqual(await namesIn(scene, { except, limit }), expected, `the calls in pages of ${String(limit)}`);
      expectEqual(await namesIn(scene, { except: sources }), [], "the calls with all sources left out");
      expectEqual((await walkOutbox(scene, { except: [] })).length, calls.length, "how many an empty `except` leaves");
      expectEqual((await walkOutbox(scene)).length, calls.length, "how many are there afterwards");
    },
  },
  {
    name: "the calls of a source are counted up to the limit, and no others with them",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      const outbox = outboxOf(scene);
      for (const source of [scene.source, scene.otherSource])
        expectEqual(await outbox.count({ source, limit: 10 }), 0, "the count of a source before its first call");
      await addCalls(scene, ["one", "two", "three"]);
      await addCalls(scene, ["other"], scene.otherSource);
      const open = await scene.beginTransaction();
      await outbox.add(callOf(scene, "uncommitted"), open.run);
      for (const [limit, expected] of [
        [1, 1],
        [3, 3],
        [10, 3],
      ] as const)
        expectEqual(await outbox.count({ source: scene.source, limit }), expected, `a count up to ${String(limit)}`);
      await open.rollback();
      expectEqual(await outbox.count({ source: scene.otherSource, limit: 10 }), 1, "the count of the other source");
      const unknown = sourceId(scene.uniqueName("unknown"));
      expectEqual(await outbox.count({ source: unknown, limit: 10 }), 0, "the count of a source without calls");
    },
  },
  {
    name: "entries are removed by their ids: those that are gone are passed over, and no others are removed",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["a", "b", "c", "d"]);
      const [first, second, third] = await walkOutbox(scene);
      const ids = [first, third].flatMap((entry) => entry?.id ?? []);
      await outboxOf(scene).remove([]);
      expectEqual((await namesIn(scene)).length, 4, "how many are left once none was removed");
      await outboxOf(scene).remove(ids);
      const left = ["a", "b", "c", "d"].filter(
        (name) => ![first, third].some((entry) => entry && nameOfCall(entry) === name),
      );
      expectEqual(await namesIn(scene), left, "the calls that are left");
      const again = Object.freeze([...ids, ...ids, ...(second === undefined ? [] : [second.id])].toReversed());
      await outboxOf(scene).remove(again);
      const last = left.filter((name) => second && nameOfCall(second) !== name);
      expectEqual(await namesIn(scene), last, "the calls that are left after entries that are gone");
    },
  },
  {
    name: "the id of an entry is never used again, also after it was removed and after a crash",
    needs: ["outbox", "restart"],
    async play(scene) {
      await emptyOutbox(scene);
      const ids: string[] = [];
      for (const name of ["one", "two", "three"]) {
        await addCalls(scene, [name]);
        const entries = await walkOutbox(scene);
        ids.push(...entries.map(({ id }) => id));
        await outboxOf(scene).remove(ids);
        await scene.crash();
      }
      expectEqual(new Set(ids).size, 3, "how many ids differ");
    },
  },
  {
    name: "a read of an outbox that fails rejects: it never answers as if no call were there",
    needs: ["outbox", "faults"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["one", "two"]);
      const { source } = scene;
      await expectReadsOrRejections(scene, [
        { name: "outbox.read", read: () => outboxOf(scene).read({ limit: 5 }) },
        {
          name: "outbox.read with `except`",
          read: () => outboxOf(scene).read({ limit: 5, except: [scene.otherSource] }),
        },
        { name: "outbox.count", read: () => outboxOf(scene).count({ source, limit: 5 }) },
      ]);
    },
  },
  {
    name: "entries whose removal fails as `busy` are all there, and are gone when it is repeated, as after a lost answer",
    needs: ["outbox", "faults"],
    async play(scene) {
      for (const [code, at] of FAILED_REMOVALS) {
        await atEachAccess(scene, { code, at }, async (newScene, plan) => {
          await emptyOutbox(newScene);
          await addCalls(newScene, ["one", "two"]);
          const ids = (await walkOutbox(newScene)).map(({ id }) => id);
          const hasHappened = newScene.gates.plan(plan);
          const rejectionCode = await rejectionCodeOf(outboxOf(newScene).remove(ids));
          const isFailed = hasHappened() && rejectionCode !== undefined;
          if (isFailed) expectEqual(rejectionCode, code, "the code with which `remove` rejects");
          const left = await namesIn(newScene);
          if (!isFailed) expectEqual(left, [], "the calls once `remove` was answered");
          else if (code === "busy") expectEqual(left, ["one", "two"], "the calls after a removal that failed as busy");
          await outboxOf(newScene).remove(ids);
          expectEqual(await namesIn(newScene), [], "the calls once `remove` was repeated");
          return isFailed;
        });
      }
    },
  },
];

const FAILED_REMOVALS = [
  ["busy", "before"],
  ["unavailable", "before"],
  ["unavailable", "after"],
] as const;
