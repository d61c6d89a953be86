// Cases of the records of audiences: one for each key, returned as stored, and replaced only by the next revision, also
// with several processes on one storage.

import { MAX_AUDIENCE_NAME_LENGTH, type AudienceRecord, type AudienceStore } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { expectEachItself, lookAlikes } from "../look-alikes.js";
import { nextRevision, collectingRecord, sendingRecord, type AudienceCase, type Scene } from "./scene.js";

export const RECORD_CASES: readonly AudienceCase[] = [
  {
    name: "an audience is found as it was created, with all that it holds",
    async play(scene) {
      const records = [
        scene.record("new"),
        collectingRecord(scene.record("collecting")),
        sendingRecord(scene.record("sending")),
      ];
      for (const record of records) expectEqual(await scene.store().create(record), true, "the answer to a new one");
      for (const record of records) expectEqual(await scene.store().find(record.key), record, "the audience as found");
      expectEqual(await scene.store().find(scene.uniqueName("unknown")), undefined, "what is found under another key");
    },
  },
  {
    name: "a key is distinct from all that look alike",
    async play(scene) {
      const keys = lookAlikes(MAX_AUDIENCE_NAME_LENGTH).flatMap((text) => [
        scene.uniqueName(text),
        `${text}${scene.uniqueName("")}`,
      ]);
      for (const key of keys) await scene.store().create(scene.record("", { key, name: key }));
      const found = new Map<string, readonly string[]>();
      for (const key of keys) {
        const { name } = (await scene.store().find(key)) ?? {};
        found.set(key, name === undefined ? [] : [name]);
      }
      expectEachItself(found, "an audience");
    },
  },
  {
    name: "a key is taken once, by the first creation",
    async play(scene) {
      const rivals = [scene.record("same", { name: "one" }), scene.record("same", { name: "other" })];
      const created = await winnerOf(rivals, (rival) => scene.store().create(rival));
      for (const rival of rivals) expectEqual(await scene.store().create(rival), false, "the answer to each, later");
      expectEqual(await scene.store().find(created.key), created, "what is there");
    },
  },
  {
    name: "all audiences are listed, in the order of the code units of their keys",
    async play(scene) {
      const keys = ["b", "\uffff", "a", "\ud83d\ude00", "aa", "B"].map((name) => scene.uniqueName(name));
      for (const key of keys) await scene.store().create(scene.record("", { key }));
      const listed = (await scene.store().list()).filter(({ key }) => keys.includes(key));
      const inOrder = keys.toSorted((one, other) => (one < other ? -1 : 1));
      expectEqual(
        listed,
        inOrder.map((key) => scene.record("", { key })),
        "the list",
      );
    },
  },
  {
    name: "a record replaces the one of the revision before, and no other",
    async play(scene) {
      const store = scene.store();
      const first = scene.record("replaced");
      const second = nextRevision(first, { syncs: 1 });
      await store.create(first);
      expectEqual(await store.replace(first), false, "the answer to the same revision");
      expectEqual(await store.replace({ ...first, revision: 3 }), false, "the answer to a revision that skips one");
      expectEqual(await store.find(first.key), first, "what is there after those");
      expectEqual(await store.replace(second), true, "the answer to the next revision");
      expectEqual(await store.replace(second), false, "the answer to it once more");
      expectEqual(await store.find(first.key), second, "what is there in the end");
    },
  },
  {
    name: "an audience that does not exist is not replaced",
    async play(scene) {
      const record = scene.record("unknown");
      expectEqual(await scene.store().replace(nextRevision(record)), false, "the answer");
      expectEqual(await scene.store().find(record.key), undefined, "what is there");
    },
  },
  {
    name: "of two replacements of the same revision, one is refused",
    async play(scene) {
      const record = scene.record("raced");
      await scene.store().create(record);
      const rivals = [nextRevision(record, { syncs: 1 }), nextRevision(record, { syncs: 2 })];
      const replaced = await winnerOf(rivals, (rival) => scene.store().replace(rival));
      expectEqual(await scene.store().find(record.key), replaced, "what is there");
    },
  },
  {
    name: "a record changed by its caller stays as it was stored",
    async play(scene) {
      const mine = sendingRecord(scene.record("mine"));
      const before = sendingRecord(scene.record("mine"));
      await scene.store().create(mine);
      const found = await scene.store().find(mine.key);
      for (const record of [mine, found]) Object.assign(record?.running ?? {}, { set: "another" });
      Object.assign(mine.told[0] ?? {}, { sync: 99 });
      expectEqual(await scene.store().find(mine.key), before, "the record as found later");
    },
  },
];

/**
 * The one of some rivals whose call, made at the same time as the others', is told that it took effect. A store may
 * let either of two calls win, since they may go over two connections.
 */
async function winnerOf(
  rivals: readonly AudienceRecord[],
  call: (rival: AudienceRecord) => Promise<boolean>,
): Promise<AudienceRecord> {
  const answers = await Promise.all(rivals.map(call));
  const winners = rivals.filter((_, index) => answers[index]);
  expectEqual(winners.length, 1, "the calls that took effect");
  return expectPresent(winners[0], "the call that took effect");
}

export const SHARING_CASES: readonly AudienceCase[] = [
  {
    name: "a process reads, extends and drops what another process has written",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (other) => {
        const [record, set] = [scene.record("shared"), scene.uniqueName("set")];
        await scene.store().create(record);
        await scene.append(set, ["a"]);
        expectEqual(await other.find(record.key), record, "the audience as the other finds it");
        expectEqual(await other.read(set), [{ userId: "a" }], "the members as the other reads them");
        await other.append(set, [{ userId: "b" }]);
        expectEqual(await scene.readIds(set), ["a", "b"], "the members as the first reads them");
        expectEqual(await other.drop(set), true, "the answer to the other's drop");
        expectEqual(await scene.store().sets(set), [], "the names as the first sees them");
      }),
  },
  {
    name: "a process that has seen an older revision replaces nothing",
    needs: ["sharing"],
    play: (scene) =>
      beside(scene, async (other) => {
        const record = scene.record("contended");
        await scene.store().create(record);
        expectEqual(await other.create(record), false, "the answer to the other's creation");
        expectEqual(await other.replace(nextRevision(record, { syncs: 1 })), true, "the answer to the other");
        expectEqual(
          await scene.store().replace(nextRevision(record, { syncs: 2 })),
          false,
          "the answer to the late one",
        );
        expectEqual((await scene.store().find(record.key))?.syncs, 1, "what is there");
      }),
  },
];

/** Plays with a second process on the same storage. */
async function beside(scene: Scene, play: (other: AudienceStore) => Promise<void>): Promise<void> {
  const other = await scene.openAnother();
  try {
    await play(other);
  } finally {
    await other.close();
  }
}
