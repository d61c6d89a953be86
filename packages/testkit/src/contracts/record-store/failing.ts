// Cases of records on a storage that fails at one access, each in turn: a change is made whole or not at all, and no read
// answers as if there were no record.

import type { RecordStore, StoredRecord } from "@postrider/core";
import { expectThat, rejectionCodeOf } from "../check.js";
import {
  expectReadsOrRejections,
  type FailingMove,
  playFailedMove,
  playFailingMoves,
} from "../delivery-store/faults.js";
import type { FaultPlan } from "../delivery-store/gate.js";
import { listOwn, newRecord, nextRecord, type RecordCase, type RecordScene, recordsOf } from "./scene.js";

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
