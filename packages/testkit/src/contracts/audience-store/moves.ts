// The calls that change an audience store, each with the state in which it is made, its answer, and all that is to be seen
// afterwards. Knows no fault.

import { numberedIds, nextRevision, sendingRecord } from "./samples.js";
import type { Scene } from "./scene.js";

export interface AudienceMove {
  readonly name: string;
  readonly prepare: (scene: Scene) => Promise<void>;
  readonly call: (scene: Scene) => Promise<unknown>;
}

/** Members of more than one page of a store. */
const MEMBERS = numberedIds(0, 4_000);
const BEFORE = MEMBERS.slice(0, 2);
const ADDED = MEMBERS.slice(2);

export const AUDIENCE_MOVES: readonly AudienceMove[] = [
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
export async function viewOf(scene: Scene): Promise<unknown> {
  const { key, id, name, ...record } = (await scene.store().find(scene.record("one").key)) ?? {};
  const userIds = await scene.readIds(scene.uniqueName("set"));
  const names = await scene.store().sets(scene.uniqueName(""));
  return {
    record: key === undefined || id === undefined || name === undefined ? "none" : record,
    sets: names.length,
    members: [userIds.length, userIds[0], userIds.at(-1)],
  };
}
