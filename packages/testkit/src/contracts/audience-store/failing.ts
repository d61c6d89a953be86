// Cases of a storage that fails at one access, each access in turn: nothing is half-written, a repeated call succeeds, and
// a read that fails never looks empty.

import { expectThat, rejectionCodeOf } from "../check.js";
import {
  expectReadsOrRejections,
  type FailingMove,
  playFailedMove,
  playFailingMoves,
} from "../delivery-store/faults.js";
import type { FaultPlan } from "../delivery-store/gate.js";
import { type AudienceCase, type Scene, numberedIds } from "./scene.js";

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
    name: "a read of members that fails rejects: it never answers as if there were no set or member",
    needs: ["faults"],
    async play(scene) {
      const set = scene.uniqueName("set");
      await scene.append(set, ["a"]);
      const reads = [
        { name: "read", read: async () => (await scene.store().read(set)).length },
        { name: "sets", read: async () => (await scene.store().sets(set)).length },
      ];
      await expectReadsOrRejections(scene, reads);
    },
  },
];

function playMoves(scene: Scene, fault: Pick<FaultPlan, "code" | "at">): Promise<void> {
  const playMove = (moveScene: Scene, failing: FailingMove<AudienceMove>): Promise<boolean> =>
    playFailedMove(moveScene, failing, { viewOf, expectStopped });
  return playFailingMoves(scene, fault, { moves: AUDIENCE_MOVES, viewOf, playMove });
}

/** Expects that no method answers any more, and closes the store. */
async function expectStopped(moveScene: Scene): Promise<void> {
  const [store, set] = [moveScene.store(), moveScene.uniqueName("set")];
  const { records } = store;
  const reads = { find: records.find("audience", set), read: store.read(set), sets: store.sets(set) };
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

const FIRST_MEMBERS = MEMBERS.slice(0, 2);

const ADDED_MEMBERS = MEMBERS.slice(2);

const AUDIENCE_MOVES: readonly AudienceMove[] = [
  {
    name: "append",
    prepare: (scene) => scene.append(scene.uniqueName("set"), FIRST_MEMBERS),
    call: (scene) => scene.append(scene.uniqueName("set"), ADDED_MEMBERS),
  },
  {
    name: "drop",
    prepare: (scene) => scene.append(scene.uniqueName("set"), FIRST_MEMBERS),
    call: (scene) => scene.store().drop(scene.uniqueName("set")),
  },
  {
    name: "erase",
    prepare: (scene) => scene.append(scene.uniqueName("set"), MEMBERS),
    call: (scene) => scene.store().erase(scene.uniqueName("set"), [MEMBERS[0] ?? "", MEMBERS.at(-1) ?? ""]),
  },
];

/** The number of sets, and of their members, with the first and the last. */
async function viewOf(scene: Scene): Promise<unknown> {
  const userIds = await scene.readIds(scene.uniqueName("set"));
  const names = await scene.store().sets(scene.uniqueName(""));
  return { sets: names.length, members: [userIds.length, userIds[0], userIds.at(-1)] };
}
