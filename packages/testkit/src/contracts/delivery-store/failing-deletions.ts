// Cases of deletion requests on a storage that fails at one access, each in turn. Nothing is half-written, a
// repeated call succeeds, and a read that fails never looks empty.

import { expectEqual, expectThat, expectPresent, rejectionCodeOf } from "../check.js";
import { type FailingMove, playFailingMoves, expectReadsOrRejections } from "./faults.js";
import { deletionScene } from "./users.js";
import type { FaultPlan } from "./gate.js";
import { type Scene, type StoreCase, LEASE_MS } from "./scene.js";
import { bytes, DELIVERED } from "./samples.js";
import { listAll } from "./pages.js";

export const FAILING_DELETION_CASES: readonly StoreCase[] = [
  {
    name: "a request, a slice of its purge, and its end that fail as `busy` or `full` have changed nothing, and end well when they are repeated",
    needs: ["faults", "deletions"],
    async play(scene) {
      for (const code of ["busy", "full"] as const) await playMoves(scene, { code, at: "before" });
    },
  },
  {
    name: "a request, a slice of its purge, and its end that fail as `unavailable` are done whole or not at all, and end well when they are repeated",
    needs: ["faults", "deletions", "restart"],
    async play(scene) {
      for (const at of ["before", "after"] as const) await playMoves(scene, { code: "unavailable", at });
    },
  },
  {
    name: "a read of requests or suppressed users that fails rejects: it never answers as if there were none",
    needs: ["faults", "deletions"],
    async play(scene) {
      const { deletions, deletion, find, open, user } = deletionScene(scene);
      await open({ regulation: "suppress-only", userIds: [user("ann")] });
      const reads = [
        { name: "find", read: async () => (await find())?.users },
        { name: "list", read: async () => (await deletions().list({ limit: 1 })).deletions[0]?.id === deletion("1") },
        { name: "suppressed", read: async () => (await deletions().suppressed({ limit: 1 })).length },
      ];
      await expectReadsOrRejections(scene, reads);
    },
  },
];

function playMoves(scene: Scene, fault: Pick<FaultPlan, "code" | "at">): Promise<void> {
  return playFailingMoves(scene, fault, { moves: DELETION_MOVES, viewOf, playMove });
}

/** Makes a move while the fault is planned, then repeats it. Returns true if it failed the first time. */
async function playMove(newScene: Scene, { move, whole, plan }: FailingMove<DeletionMove>): Promise<boolean> {
  await move.prepare(newScene);
  const viewBefore = await viewOf(newScene);
  const hasHappened = newScene.gates.plan(plan);
  const call = move.call(newScene);
  const code = await rejectionCodeOf(call);
  const isRefused = code === undefined && !(await call);
  const isFailed = hasHappened() && (code !== undefined || isRefused);
  if (isFailed && !isRefused) expectEqual(code, plan.code, `the code with which \`${move.name}\` rejects`);
  if (plan.code === "unavailable") await newScene.crash();
  const view = await viewOf(newScene);
  const isWhole = plan.code === "unavailable" && JSON.stringify(view) === JSON.stringify(whole);
  expectEqual(
    view,
    isFailed && !isWhole ? viewBefore : whole,
    `what is there after \`${move.name}\` (${String(code)})`,
  );
  expectThat(await move.call(newScene), `\`${move.name}\` is refused when it is repeated`);
  expectEqual(await viewOf(newScene), whole, `what is there after \`${move.name}\` once more`);
  await endWell(newScene, move.name);
  return isFailed;
}

interface DeletionMove {
  readonly name: string;
  /** Stores deliveries, and makes the moves before this one. */
  readonly prepare: (scene: Scene) => Promise<void>;
  /** Answers false if the store asks to repeat the call later. */
  readonly call: (scene: Scene) => Promise<boolean>;
}

/** More than all deliveries of the suite, and than all users that it suppresses. */
const ALL = 1_000_000;

const DELETION_MOVES: readonly DeletionMove[] = [
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
  const [annIds, bobIds] = [[deletionScene(scene).user("ann")], [deletionScene(scene).user("bob")]];
  const body = bytes('{"lives":"here"}');
  for (let count = 0; count < 2; count += 1) await scene.accept({ userIds: annIds, body });
  await scene.finish(DELIVERED, { userIds: annIds, body });
  await scene.accept({ userIds: bobIds, body });
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
async function viewOf(scene: Scene): Promise<unknown> {
  const { deletions, find, user } = deletionScene(scene);
  const suppressedUsers = await deletions().suppressed({ limit: ALL });
  const records = await Promise.all((await listAll(scene)).map(({ id }) => scene.record(id)));
  const counts = (await scene.store().counts()).find(({ source }) => source === scene.source);
  const request = await find();
  return {
    request: request === undefined ? "none" : showRequest(request),
    isSuppressed: suppressedUsers.includes(user("ann")),
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
async function endWell(scene: Scene, moveName: string): Promise<void> {
  const { purge: purgeAll, find } = deletionScene(scene);
  const { deliveries } = await scene.claim();
  expectEqual(deliveries.length, 1, `how many deliveries are handed out after a failed \`${moveName}\``);
  await purgeAll();
  expectThat(await finish(scene), `a request does not finish after a failed \`${moveName}\``);
  const { finishedAt, userIds, purged } = expectPresent(await find(), "the request");
  expectEqual({ finishedAt, userIds, purged }, { finishedAt: scene.now(), userIds: [], purged: 3 }, "the request");
  await scene.advance(LEASE_MS);
}
