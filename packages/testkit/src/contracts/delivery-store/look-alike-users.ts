// Look-alikes as ids of users: suppressed, purged, and told apart in a request. To find a user who is taken for another, half
// of them are named at a time; only once one is wrong, each is tried against each.

import { MAX_USER_ID_LENGTH } from "@postrider/core";
import { expectEqual } from "../check.js";
import { failAsOne, halvesOf, lookAlikes, showText } from "../look-alikes.js";
import { deletionScene, type OpenDeletionOptions } from "./deletion-scene.js";
import type { Scene, StoreCase } from "./scene.js";

const USERS = lookAlikes(MAX_USER_ID_LENGTH);

export const LOOK_ALIKE_USER_CASES: readonly StoreCase[] = [
  {
    name: "a suppressed user is distinct from all that look alike",
    needs: ["deletions"],
    play: (scene) => tellApart(scene, "a suppressed user", suppressedOf),
  },
  {
    name: "a purged user is distinct from all that look alike",
    needs: ["deletions"],
    play: (scene) => tellApart(scene, "a purged user", purgedOf),
  },
  {
    name: "the users of a request come back as they were given, in their order, and the longest too",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, open } = deletionScene(scene);
      const userIds = USERS.toReversed();
      await open({ userIds, regulation: "unsuppress" });
      expectEqual((await deletions().find(deletion("1")))?.userIds, userIds, "the users");
    },
  },
];

/** Names some users in a request, and finds which of others it reaches. */
type Reach = (scene: Scene, named: readonly string[], asked: readonly string[]) => Promise<readonly string[]>;

async function tellApart(scene: Scene, what: string, reach: Reach): Promise<void> {
  for (const named of halvesOf(USERS)) {
    const reached = await reach(scene, named, USERS);
    const lost = named.find((userId) => !reached.includes(userId));
    expectEqual(lost, undefined, `${what} who is named, and not reached`);
    const wrong = reached.find((userId) => !named.includes(userId));
    if (wrong !== undefined) await nameTwin(scene, { named, wrong, what }, reach);
  }
}

interface WrongUser {
  readonly named: readonly string[];
  /** Reached, and not named. */
  readonly wrong: string;
  readonly what: string;
}

async function nameTwin(scene: Scene, { named, wrong, what }: WrongUser, reach: Reach): Promise<never> {
  for (const one of named) if ((await reach(scene, [one], [wrong])).length > 0) failAsOne(one, wrong, what);
  throw new Error(`${what}: ${showText(wrong)} is reached by a request that does not name this user`);
}

/** The suppression ends again, since the names are the same in each run. */
async function suppressedOf(
  scene: Scene,
  named: readonly string[],
  asked: readonly string[],
): Promise<readonly string[]> {
  await open(scene, { userIds: named, regulation: "suppress-only" });
  try {
    const accept = asked.map((userId) => scene.message({ userIds: [userId], deliveries: [] }));
    const { accepted } = await scene.commit({ accept });
    return asked.filter((_, index) => accepted[index]?.kind === "suppressed");
  } finally {
    await open(scene, { userIds: named, regulation: "unsuppress" });
  }
}

async function purgedOf(scene: Scene, named: readonly string[], asked: readonly string[]): Promise<readonly string[]> {
  const { accepted } = await scene.commit({ accept: asked.map((userId) => scene.message({ userIds: [userId] })) });
  const ids = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
  const id = await open(scene, { userIds: named });
  await deletionScene(scene).purge(id);
  const bodies = await Promise.all(ids.map(async (delivery) => (await scene.record(delivery)).body));
  return asked.filter((_, index) => bodies[index] === undefined);
}

/** Opens a request of a name that the scene has not used yet, and returns its id. */
async function open(scene: Scene, given: OpenDeletionOptions) {
  const moves = deletionScene(scene);
  for (let name = 1; ; name += 1) {
    const id = moves.deletion(String(name));
    if ((await moves.deletions().find(id)) !== undefined) continue;
    await moves.open({ name: String(name), ...given });
    return id;
  }
}
