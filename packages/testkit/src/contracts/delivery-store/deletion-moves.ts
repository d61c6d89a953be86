// The calls that change a deletion request, each with the state in which it is made, and all that is to be seen of it, without
// ids and instants. Knows no fault.

import { expectEqual, expectPresent, expectThat } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import { bytes, DELIVERED } from "./samples.js";
import { LEASE_MS, type Scene } from "./scene.js";
import { listAll } from "./walk-list.js";

export interface DeletionMove {
  readonly name: string;
  /** Stores deliveries, and makes the moves before this one. */
  readonly prepare: (scene: Scene) => Promise<void>;
  /** Answers false if the store asks to repeat the call later. */
  readonly call: (scene: Scene) => Promise<boolean>;
}

/** More than all deliveries of the suite, and than all users that it suppresses. */
const ALL = 1_000_000;

export const DELETION_MOVES: readonly DeletionMove[] = [
  { name: "open", prepare: storeDeliveries, call: open },
  {
    name: "purge",
    prepare: async (scene) => {
      await storeDeliveries(scene);
      await open(scene);
    },
    call: purge,
  },
  {
    name: "finish",
    prepare: async (scene) => {
      await storeDeliveries(scene);
      await open(scene);
      await deletionScene(scene).purge();
    },
    call: finish,
  },
];

/** Two deliveries of the user that wait, one that is delivered, and the last of another user. */
async function storeDeliveries(scene: Scene): Promise<void> {
  const [hers, his] = [[deletionScene(scene).user("ann")], [deletionScene(scene).user("bob")]];
  const body = bytes('{"lives":"here"}');
  for (let count = 0; count < 2; count += 1) await scene.accept({ userIds: hers, body });
  await scene.finish(DELIVERED, { userIds: hers, body });
  await scene.accept({ userIds: his, body });
}

async function open(scene: Scene): Promise<boolean> {
  const { open: openRequest, user } = deletionScene(scene);
  await openRequest({ regulation: "suppress-only", userIds: [user("ann")] });
  return true;
}

async function purge(scene: Scene): Promise<boolean> {
  const { deletions, deletion } = deletionScene(scene);
  await deletions().purge({ id: deletion("1"), limit: ALL }, scene.now());
  return true;
}

function finish(scene: Scene): Promise<boolean> {
  const { deletions, deletion } = deletionScene(scene);
  return deletions().finish(deletion("1"), scene.now());
}

/** The request, whether its user is suppressed, the deliveries, and the counters. */
export async function viewOf(scene: Scene): Promise<unknown> {
  const { deletions, find, user } = deletionScene(scene);
  const suppressed = await deletions().suppressed({ limit: ALL });
  const records = await Promise.all((await listAll(scene)).map(({ id }) => scene.record(id)));
  const counts = (await scene.store().counts()).find(({ source }) => source === scene.source);
  const request = await find();
  return {
    request: request === undefined ? "none" : showRequest(request),
    isSuppressed: suppressed.includes(user("ann")),
    deliveries: records.map(({ state, reason, body }) => `${state} ${reason ?? ""} ${String(body?.length)} bytes`),
    counts: { ...counts, source: "its source" },
  };
}

type Request = NonNullable<Awaited<ReturnType<ReturnType<typeof deletionScene>["find"]>>>;

/** The last call may remove the user ids before it finishes the request. */
function showRequest({ users, userIds, isPurged, purged, finishedAt }: Request): unknown {
  const isFinished = finishedAt !== undefined;
  return { users, userIds: isPurged && !isFinished ? "these or none" : userIds.length, isPurged, purged, isFinished };
}

/** Expects that only the delivery of the other user is handed out, and that the request comes to its end. */
export async function endWell(scene: Scene, after: string): Promise<void> {
  const { purge: purgeAll, find } = deletionScene(scene);
  const { deliveries } = await scene.claim();
  expectEqual(deliveries.length, 1, `how many deliveries are handed out after a failed \`${after}\``);
  await purgeAll();
  expectThat(await finish(scene), `a request does not finish after a failed \`${after}\``);
  const { finishedAt, userIds, purged } = expectPresent(await find(), "the request");
  expectEqual({ finishedAt, userIds, purged }, { finishedAt: scene.now(), userIds: [], purged: 3 }, "the request");
  await scene.advance(LEASE_MS);
}
