// Cases of records and what befalls their store: it crashes, other processes change it, or its storage fails at one access, each in turn. A
// change is made whole or not at all, and no read answers as if there were no record.

import { RECORD_KINDS, type RecordKind, type RecordStore, type StoredRecord } from "@postrider/core";
import { expectEqual, expectThat, rejectionCodeOf } from "../check.js";
import {
  expectReadsOrRejections,
  type FailingMove,
  playFailedMove,
  playFailingMoves,
} from "../delivery-store/faults.js";
import type { FaultPlan } from "../delivery-store/gate.js";
import {
  expectNoRecord,
  expectRecord,
  listOwn,
  newRecord,
  nextRecord,
  type RecordCase,
  recordsIn,
  type RecordScene,
  recordsOf,
} from "./scene.js";

export const SURVIVING_RECORD_CASES: readonly RecordCase[] = [
  {
    name: "records survive a crash as they were put, replaced or removed",
    needs: ["restart"],
    async play(scene) {
      const recordOf = (kind: RecordKind, tag: string): StoredRecord =>
        newRecord(scene, { kind, key: scene.uniqueName(tag), tag });
      const recordsByKind = RECORD_KINDS.map((kind) => {
        return {
          kind,
          created: recordOf(kind, "created"),
          replaced: recordOf(kind, "old"),
          removed: recordOf(kind, "gone"),
        };
      });
      for (const { kind, created, replaced, removed } of recordsByKind) {
        for (const record of [created, replaced, removed, nextRecord(replaced)]) await recordsOf(scene).put(record);
        await recordsOf(scene).remove(kind, removed.key);
      }
      await scene.crash();
      for (const { kind, created, replaced, removed } of recordsByKind) {
        await expectRecord(scene, created, "as it was put before a crash");
        await expectRecord(scene, nextRecord(replaced), "as it was replaced before a crash");
        await expectNoRecord(scene, kind, removed.key, "as it was removed before a crash");
        expectEqual(await recordsOf(scene).put(created), false, "the answer to a key that is not free");
        expectEqual(
          await recordsOf(scene).put(nextRecord(nextRecord(replaced))),
          true,
          "the answer to the next revision",
        );
        expectEqual(await recordsOf(scene).put(removed), true, "the answer to a key that is free again");
      }
    },
  },
];

export const SHARING_RECORD_CASES: readonly RecordCase[] = [
  {
    name: "a record that one process puts, replaces or removes is seen by another at once",
    needs: ["sharing"],
    play: (scene) =>
      withOtherRecords(scene, async (other) => {
        for (const kind of RECORD_KINDS) {
          const first = newRecord(scene, { kind, tag: "running" });
          const { key } = first;
          expectEqual(await other.find(kind, key), undefined, `the ${kind} before it is put`);
          await recordsOf(scene).put(first);
          expectEqual(await other.find(kind, key), first, `the ${kind} as the other process finds it`);
          const second = nextRecord(first, { tag: "done" });
          expectEqual(await other.put(second), true, "the answer to the other process");
          expectEqual(await recordsOf(scene).find(kind, key, 1), second, `the ${kind} above revision 1`);
          expectEqual(await other.find(kind, key, 2), undefined, `a ${kind} above revision 2`);
          await recordsOf(scene).put(nextRecord(second));
          expectEqual(await other.find(kind, key, 2), nextRecord(second), `the ${kind} above revision 2, later`);
          await other.remove(kind, key);
          await expectNoRecord(scene, kind, key, "once the other process has removed it");
        }
      }),
  },
  {
    name: "a process that has seen an older revision replaces no record",
    needs: ["sharing"],
    play: (scene) =>
      withOtherRecords(scene, async (other) => {
        const first = newRecord(scene);
        await recordsOf(scene).put(first);
        expectEqual(await other.put(first), false, "the answer to a second new record");
        expectEqual(await other.put(nextRecord(first, { text: "other" })), true, "the answer to the other process");
        expectEqual(await recordsOf(scene).put(nextRecord(first)), false, "the answer to the process that is late");
        await expectRecord(scene, nextRecord(first, { text: "other" }), "once two have replaced it");
      }),
  },
];

/** Plays with the records of a second process on the same storage. */
async function withOtherRecords(scene: RecordScene, play: (other: RecordStore) => Promise<void>): Promise<void> {
  const other = await scene.openAnother();
  try {
    await play(recordsIn(other));
  } finally {
    await other.close();
  }
}

export const FAILING_RECORD_CASES: readonly RecordCase[] = [
  {
    name: "a change of a record that fails as `busy` or `full` at any access has changed nothing, and takes effect when it is repeated",
    needs: ["faults"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) await playMoves(scene, { code, at: "before" });
    },
  },
  {
    name: "a change of a record that fails as `unavailable` at any access takes effect whole or not at all, after a crash too",
    needs: ["faults", "restart"],
    async play(scene) {
      for (const at of ["before", "after"] as const) await playMoves(scene, { code: "unavailable", at });
    },
  },
  {
    name: "after a change of a record that fails as `corrupt` no record is answered, and it took effect whole or not at all",
    needs: ["faults", "restart"],
    play: (scene) => playMoves(scene, { code: "corrupt", at: "before" }),
  },
  {
    name: "a read of records that fails rejects: it never answers as if there were none",
    needs: ["faults"],
    async play(scene) {
      const record = newRecord(scene, { tag: "running" });
      const { kind, key } = record;
      await recordsOf(scene).put(record);
      await expectReadsOrRejections(scene, [
        { name: "find", read: () => recordsOf(scene).find(kind, key) },
        { name: "list", read: () => listOwn(scene, { kind }) },
        { name: "list by tag", read: () => listOwn(scene, { kind, tag: "running" }) },
      ]);
    },
  },
];

interface RecordMove {
  readonly name: string;
  readonly prepare: (moveScene: RecordScene) => Promise<void>;
  readonly call: (moveScene: RecordScene) => Promise<unknown>;
}

function playMoves(scene: RecordScene, fault: Pick<FaultPlan, "code" | "at">): Promise<void> {
  const playMove = (moveScene: RecordScene, failing: FailingMove<RecordMove>): Promise<boolean> =>
    playFailedMove(moveScene, failing, { viewOf, expectStopped });
  return playFailingMoves(scene, fault, { moves: RECORD_MOVES, viewOf, playMove });
}

const putFirst = async (moveScene: RecordScene): Promise<void> => {
  await recordsOf(moveScene).put(newRecord(moveScene, { tag: "running" }));
};

const RECORD_MOVES: readonly RecordMove[] = [
  {
    name: "put a new record",
    prepare: () => Promise.resolve(),
    call: (moveScene) => recordsOf(moveScene).put(newRecord(moveScene, { tag: "running" })),
  },
  {
    name: "put the next revision",
    prepare: putFirst,
    call: (moveScene) => recordsOf(moveScene).put(nextRecord(newRecord(moveScene), { tag: "done" })),
  },
  {
    name: "remove a record",
    prepare: putFirst,
    call: (moveScene) => recordsOf(moveScene).remove(newRecord(moveScene).kind, newRecord(moveScene).key),
  },
];

/** The record as `find` and each list show it, without its key, which contains the name of its scene. */
async function viewOf(moveScene: RecordScene): Promise<unknown> {
  const { kind, key } = newRecord(moveScene);
  const record = await recordsOf(moveScene).find(kind, key);
  const lists = [await listOwn(moveScene, { kind }), await listOwn(moveScene, { kind, tag: "running" })];
  return [record === undefined ? "none" : withoutKey(record), ...lists.map((records) => records.map(withoutKey))];
}

function withoutKey(record: StoredRecord): StoredRecord {
  return { ...record, key: "" };
}

/** Expects that no method of the records answers any more, and closes the store. */
async function expectStopped(moveScene: RecordScene): Promise<void> {
  const { kind, key } = newRecord(moveScene);
  const store: RecordStore = recordsOf(moveScene);
  const calls = {
    find: store.find(kind, key),
    list: store.list({ kind, limit: 1 }),
    put: store.put(newRecord(moveScene, { key: moveScene.uniqueName("later") })),
    remove: store.remove(kind, key),
  };
  for (const [name, call] of Object.entries(calls)) {
    const code = await rejectionCodeOf(call);
    const isRejected = code === "corrupt" || code === "unavailable";
    expectThat(isRejected, `\`${name}\` after a \`corrupt\` fault: ${String(code)}`);
  }
  await moveScene.store().close();
}
