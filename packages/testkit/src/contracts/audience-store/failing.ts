// Cases of a storage that fails at one access, each in turn: nothing is half-written, what is repeated ends well, and a
// read never looks empty.

import type { AudienceStore } from "@postrider/core";
import { expectEqual, expectThat, toPlainJson, rejectionCodeOf } from "../check.js";
import { type FailingMove, playFailingMoves, expectReadsOrRejections } from "../delivery-store/faults.js";
import type { FaultPlan } from "../delivery-store/gate.js";
import { type AudienceCase, type Scene, numberedIds, nextRevision, sendingRecord } from "./scene.js";

export const FAILING_CASES: readonly AudienceCase[] = [
  {
    name: "a call that fails as `busy` or `full` at any access has changed nothing, and is carried out when it is repeated",
    needs: ["faults"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) await playMoves(scene, { code, at: "before" });
    },
  },
  {
    name: "a call that fails as `unavailable` at any access is carried out whole or not at all, and once more when it is repeated",
    needs: ["faults", "restart"],
    async play(scene) {
      for (const at of ["before", "after"] as const) await playMoves(scene, { code: "unavailable", at });
    },
  },
  {
    name: "after a call that fails as `corrupt` all methods reject, and the call is carried out whole or not at all",
    needs: ["faults", "restart"],
    play: (scene) => playMoves(scene, { code: "corrupt", at: "before" }),
  },
  {
    name: "a read that fails rejects: it never answers as if there were no audience, set or member",
    needs: ["faults"],
    async play(scene) {
      const [{ key }, set] = [scene.record("there"), scene.uniqueName("set")];
      await scene.store().create(scene.record("there"));
      await scene.append(set, ["a"]);
      const reads = [
        { name: "find", read: async () => (await scene.store().find(key))?.key },
        { name: "list", read: async () => (await scene.store().list()).filter((one) => one.key === key).length },
        { name: "read", read: async () => (await scene.store().read(set)).length },
        { name: "sets", read: async () => (await scene.store().sets(set)).length },
      ];
      await expectReadsOrRejections(scene, reads);
    },
  },
];

function playMoves(scene: Scene, fault: Pick<FaultPlan, "code" | "at">): Promise<void> {
  return playFailingMoves(scene, fault, { moves: AUDIENCE_MOVES, viewOf, playMove });
}

/** Makes a move that fails, and once more. Returns whether it has failed. */
async function playMove(
  own: Scene,
  { move, whole, plan: { code, ...rest } }: FailingMove<AudienceMove>,
): Promise<boolean> {
  await move.prepare(own);
  const before = await viewOf(own);
  const hasHappened = own.gates.plan({ code, ...rest });
  const seenCode = await rejectionCodeOf(move.call(own));
  const isFailed = hasHappened() && seenCode !== undefined;
  if (isFailed) expectEqual(seenCode, code, `the code with which \`${move.name}\` rejects`);
  if (isFailed && code === "corrupt") await expectStopped(own.store(), own.uniqueName("set"));
  if (code === "unavailable" || code === "corrupt") await own.crash();
  const isSure = code === "busy" || code === "full";
  const seen = await viewOf(own);
  const isWhole = JSON.stringify(toPlainJson(seen)) === JSON.stringify(toPlainJson(whole));
  const expected = isFailed && (isSure || !isWhole) ? before : whole;
  expectEqual(seen, expected, `what is there after \`${move.name}\` (${String(seenCode)})`);
  await rejectionCodeOf(move.call(own));
  expectEqual(await viewOf(own), whole, `what is there after \`${move.name}\` once more`);
  return isFailed;
}

/** Expects that no method answers any more, and closes the store. */
async function expectStopped(store: AudienceStore, set: string): Promise<void> {
  const reads = { find: store.find(set), list: store.list(), read: store.read(set), sets: store.sets(set) };
  const writes = { append: store.append(set, [{ userId: "zz" }]), drop: store.drop(set), erase: store.erase(set, []) };
  for (const [name, answer] of Object.entries({ ...reads, ...writes })) {
    const code = await rejectionCodeOf(answer);
    expectThat(
      code === "corrupt" || code === "unavailable",
      `\`${name}\` after a fault that is corrupt: ${String(code)}`,
    );
  }
  await store.close();
}

interface AudienceMove {
  readonly name: string;
  readonly prepare: (scene: Scene) => Promise<void>;
  readonly call: (scene: Scene) => Promise<unknown>;
}

/** Members of more than one page of a store. */
const MEMBERS = numberedIds(0, 4_000);

const BEFORE = MEMBERS.slice(0, 2);

const ADDED = MEMBERS.slice(2);

const AUDIENCE_MOVES: readonly AudienceMove[] = [
  {
    name: "create",
    prepare: async () => Promise.resolve(),
    call: (scene) => scene.store().create(scene.record("one")),
  },
  {
    name: "replace",
    prepare: async (scene) => {
      await scene.store().create(scene.record("one"));
    },
    call: (scene) => scene.store().replace(nextRevision(sendingRecord(scene.record("one")))),
  },
  {
    name: "append",
    prepare: (scene) => scene.append(scene.uniqueName("set"), BEFORE),
    call: (scene) => scene.append(scene.uniqueName("set"), ADDED),
  },
  {
    name: "drop",
    prepare: (scene) => scene.append(scene.uniqueName("set"), BEFORE),
    call: (scene) => scene.store().drop(scene.uniqueName("set")),
  },
  {
    name: "erase",
    prepare: (scene) => scene.append(scene.uniqueName("set"), MEMBERS),
    call: (scene) => scene.store().erase(scene.uniqueName("set"), [MEMBERS[0] ?? "", MEMBERS.at(-1) ?? ""]),
  },
];

/** The audience, the names of its sets, and their members: how many, the first and the last. */
async function viewOf(scene: Scene): Promise<unknown> {
  const { key, id, name, ...record } = (await scene.store().find(scene.record("one").key)) ?? {};
  const userIds = await scene.readIds(scene.uniqueName("set"));
  const names = await scene.store().sets(scene.uniqueName(""));
  return {
    record: key === undefined || id === undefined || name === undefined ? "none" : record,
    sets: names.length,
    members: [userIds.length, userIds[0], userIds.at(-1)],
  };
}
