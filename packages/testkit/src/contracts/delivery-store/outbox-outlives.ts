// Cases of what leaves an outbox as it is: sweeps, commits of the same message, deletions of its user, and any other method. Only
// `remove` takes calls away, since they are accepted nowhere else yet.

import { epochMs, type NewMessage } from "@postrider/core";
import { expectEqual, rejectionCodeOf } from "../check.js";
import { callsOfEachMethod } from "./each-method.js";
import { addAll, addCalls, emptyOutbox, nameOfCall, namesIn, outboxOf, walkOutbox } from "./outbox-scene.js";
import { attempt, DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";
import { KIB, manyMessages } from "./sizes.js";
import { sweepInSlices } from "./sweep.js";
import { deletionScene } from "./users.js";

/** An instant after all at which a store can have stored anything, by any clock. */
const LATEST = epochMs(2 ** 53 - 2);

/** Longer than any store keeps what it has delivered. */
const FORTY_DAYS_MS = 40 * 86_400_000;

export const OUTLIVING_CALLS_CASES: readonly StoreCase[] = [
  {
    name: "no sweep removes a call from the outbox, whatever its instants are",
    needs: ["outbox"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["one"]);
      await addCalls(scene, ["other"], scene.otherSource);
      for (const before of [scene.now(), LATEST]) await sweepInSlices(scene, before);
      expectEqual(await namesIn(scene), ["one", "other"], "the calls after the sweeps");
    },
  },
  {
    name: "no commit and no method of lanes removes a call from the outbox, also of the same source, user and `messageId`",
    needs: ["outbox"],
    async play(scene) {
      const user = scene.uniqueName("user");
      await addOf(scene, { user, messageId: "kept" });
      for (const { what, move } of MOVES) {
        await move(scene, { messageId: "kept", userIds: [user] });
        await expectKept(scene, what);
      }
    },
  },
  {
    name: "no other method removes a call from the outbox, one after the other",
    needs: ["outbox"],
    async play(scene) {
      await addOf(scene, { user: scene.uniqueName("user"), messageId: "kept" });
      const id = await scene.acceptOne();
      for (const { name, call } of callsOfEachMethod(scene, scene.store(), id)) {
        await call();
        await expectKept(scene, `\`${name}\` was called`);
      }
    },
  },
  {
    name: "a deletion of its user leaves a call in the outbox, from the request to its end, and so does a suppression",
    needs: ["outbox", "deletions"],
    async play(scene) {
      const { deletions, deletion, open, purge, user } = deletionScene(scene);
      await addOf(scene, { user: user("ann"), messageId: "kept" });
      await scene.accept({ messageId: "kept", userIds: [user("ann")] });
      for (const regulation of ["delete-only", "suppress-with-delete", "suppress-only"] as const) {
        await open({ name: regulation, regulation, userIds: [user("ann")] });
        await expectKept(scene, `a request (${regulation}) was opened`);
        await purge(deletion(regulation));
        await deletions().finish(deletion(regulation), scene.now());
        await expectKept(scene, `a request (${regulation}) has ended`);
      }
      await addOf(scene, { user: user("ann"), messageId: "kept" });
      await expectKept(scene, "calls of a suppressed user were added");
    },
  },
  {
    name: "a commit that does not fit leaves the outbox as it is",
    needs: ["outbox", "full", "restart"],
    async play(scene) {
      await addOf(scene, { user: scene.uniqueName("user"), messageId: "many-1" });
      await scene.reopenCramped();
      const code = await rejectionCodeOf(scene.commit({ accept: manyMessages(scene, { body: KIB }) }));
      expectEqual(code, "full", "the code of the rejection");
      await expectKept(scene, "a commit did not fit", "many-1");
      await scene.crash();
      await expectKept(scene, "the storage was opened again with room", "many-1");
    },
  },
  {
    name: "calls outlive a crash, and those that were removed stay so",
    needs: ["outbox", "restart"],
    async play(scene) {
      await emptyOutbox(scene);
      await addCalls(scene, ["one", "two", "three"]);
      const entries = await walkOutbox(scene);
      const removed = entries.filter((entry) => nameOfCall(entry) === "two").map(({ id }) => id);
      await outboxOf(scene).remove(removed);
      await scene.crash();
      const left = entries.filter(({ id }) => !removed.includes(id));
      expectEqual(await walkOutbox(scene), left, "the entries after the crash");
    },
  },
  {
    name: "calls wait in the outbox for as long as no process comes, and are there once one opens the storage",
    needs: ["outbox", "days", "restart"],
    async play(scene) {
      await addOf(scene, { user: scene.uniqueName("user"), messageId: "kept" });
      await scene.advance(FORTY_DAYS_MS);
      await scene.accept();
      await expectKept(scene, "forty days have passed");
      await scene.store().close();
      await scene.reopen();
      await expectKept(scene, "the storage was opened forty days later");
    },
  },
];

/** The fields of a message that a call in the outbox has too. */
type Same = Required<Pick<NewMessage, "messageId" | "userIds">>;

interface Move {
  readonly what: string;
  readonly move: (scene: Scene, same: Same) => Promise<unknown>;
}

/** One after the other, each on what those before have left. */
const MOVES: readonly Move[] = [
  { what: "a message with the same `messageId` was stored", move: (scene, same) => scene.accept(same) },
  {
    what: "it came again, and others were counted",
    move: (scene, same) => {
      const tally = [{ source: scene.source, refused: 1, suppressed: 1, shed: 1 }];
      return scene.commit({ accept: [scene.message(same)], tally });
    },
  },
  {
    what: "it was stored of the other source",
    move: (scene, same) => scene.accept({ ...same, source: scene.otherSource }),
  },
  ...[DELIVERED, DEAD].map((outcome): Move => ({
    what: `a delivery of the user has ended as ${outcome.kind}, and was replayed`,
    move: async (scene, { userIds }) => {
      const of = await scene.finish(outcome, { userIds, attempts: [attempt(scene.now())] });
      await scene.commit({ replay: [{ of, start: { kind: "waiting", dueAt: scene.now() } }] });
    },
  })),
  {
    what: "deliveries were brought forward",
    move: async (scene) => {
      const { lane } = scene;
      await scene.accept({ deliveries: [waitingDelivery(lane, scene.later(1_000))] });
      return scene.store().pullIn({ lane, dueAfter: scene.now(), dueAt: scene.now(), limit: 10 }, scene.now());
    },
  },
  { what: "deliveries were claimed", move: (scene) => scene.claim({ limit: 2 }) },
  {
    what: "deliveries have ended with their destination",
    move: (scene) => scene.store().end({ lane: scene.lane, reason: "destination-removed", limit: 10 }, scene.now()),
  },
];

/** For each source, a call of now and an old one. */
async function addOf(
  scene: Scene,
  { user, messageId }: { readonly user: string; readonly messageId: string },
): Promise<void> {
  await emptyOutbox(scene);
  const { source, otherSource } = scene;
  const fields = { type: "track", messageId, event: "Paid", userId: user };
  const callAt = (at: number): string => JSON.stringify({ ...fields, timestamp: new Date(at).toISOString() });
  const calls = [source, otherSource].flatMap((of) => [scene.now(), 0].map((at) => ({ source: of, call: callAt(at) })));
  await addAll(scene, calls);
}

async function expectKept(scene: Scene, when: string, name = "kept"): Promise<void> {
  expectEqual(await namesIn(scene), Array(4).fill(name), `the calls after ${when}`);
  for (const source of [scene.source, scene.otherSource])
    expectEqual(await outboxOf(scene).count({ source, limit: 9 }), 2, `the count of a source after ${when}`);
}
