// Cases of reads while a commit is made, which show the storage as before it or as after it, and of deletion requests
// at the same time as calls that store, hand out or replay deliveries of their user.

import { countsBalance } from "@postrider/core/engine";
import { type Counts, type DeliveryStore, destinationId, NO_COUNTS } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { raceCases } from "./race.js";
import { attempt, claimedDelivery, DEAD, DELIVERED, waitingDelivery, bytes } from "./samples.js";
import { type Scene, type StoreCase, type StoreRace, LEASE_MS } from "./scene.js";
import { deletionScene } from "./users.js";

/** The number of reads during another call. */
const LOOKS = 2;

const READ_RACES: readonly StoreRace[] = [
  {
    name: "the counters are those before a commit or those after it, while it is being made",
    async play(scene, { otherStore, together }) {
      const id = await scene.acceptOne();
      await scene.claim();
      const before = await countsOf(scene, scene.store());
      const deliveries = [waitingDelivery(scene.lane, scene.now()), claimedDelivery(scene.otherLane)];
      const filtered = [{ destination: scene.otherLane, reason: "historical" }] as const;
      const accept = [scene.message({ deliveries, filtered }), scene.message({ messageId: "2" }), scene.message()];
      const settle = [{ id, token: scene.claimToken(), outcome: DELIVERED, attempts: [], endpoints: [] }];
      const [, readings] = await together(
        () => scene.commit({ accept, settle }),
        () => lookOften(() => countsOf(scene, otherStore)),
      );
      const after = await countsOf(scene, scene.store());
      expectEqual([after.accepted, after.delivered], [6, 1], "units accepted and delivered in the end");
      expectOneThenTheOther(readings, { before, after }, "the counters");
      for (const counts of readings)
        expectThat(countsBalance(counts), `the law does not hold: ${JSON.stringify(counts)}`);
    },
  },
  {
    name: "lists, look-ups and lanes show all of a commit or nothing, while it is being made",
    async play(scene, { otherStore, together }) {
      const id = await scene.acceptOne();
      await scene.claim();
      const accept = [1, 2, 3].map((count) => scene.message({ messageId: `together-${String(count)}` }));
      const attempts = [attempt(scene.now())];
      const settle = [{ id, token: scene.claimToken(), outcome: DEAD, attempts, endpoints: [] }];
      const [, readings] = await together(
        () => scene.commit({ accept, settle }),
        () => lookOften(() => viewsOf(scene, otherStore, id)),
      );
      const allReads = readings.flat();
      const isAfter = allReads.map((read) => expectPresent(IS_AFTER.get(read), `a part of a commit was seen: ${read}`));
      expectEqual(
        isAfter,
        isAfter.toSorted(),
        `what was seen in turn (false: nothing, true: all): ${allReads.join("; ")}`,
      );
    },
  },
];

export const RACING_READ_CASES: readonly StoreCase[] = raceCases(READ_RACES);

async function countsOf(scene: Scene, store: DeliveryStore): Promise<Counts> {
  const row = (await store.counts()).find(({ source }) => source === scene.source);
  return { ...NO_COUNTS, ...row };
}

async function lookOften<T>(look: () => Promise<T>): Promise<readonly T[]> {
  const answers: T[] = [];
  for (let count = 0; count < LOOKS; count += 1) answers.push(await look());
  return answers;
}

/** The answer of each read before the commit of three messages and a settlement (false), and after it (true). */
const IS_AFTER: ReadonlyMap<string, boolean> = new Map([
  ["list: 1, 0 dead", false],
  ["list: 4, 1 dead", true],
  ["look-up: claimed after 0", false],
  ["look-up: dead after 1", true],
  ["lane: 1", false],
  ["lane: 3", true],
]);

async function viewsOf(
  scene: Scene,
  store: DeliveryStore,
  id: Parameters<Scene["record"]>[0],
): Promise<readonly string[]> {
  const { deliveries } = await store.list({ source: scene.source, limit: 9 });
  const dead = deliveries.filter(({ state }) => state === "dead").length;
  const record = expectPresent(await store.find(id), "the delivery that is being settled");
  const after = destinationId(scene.lane.slice(0, -1));
  const { lanes } = await store.lanes({ after, limit: 1 }, scene.now());
  const row = lanes.find(({ lane }) => lane === scene.lane);
  return [
    `list: ${String(deliveries.length)}, ${String(dead)} dead`,
    `look-up: ${record.state} after ${String(record.attemptCount)}`,
    `lane: ${String(row?.deliveries ?? 0)}`,
  ];
}

function expectOneThenTheOther<T>(
  answers: readonly T[],
  { before, after }: { readonly before: T; readonly after: T },
  what: string,
): void {
  const [textBefore, textAfter] = [JSON.stringify(before), JSON.stringify(after)];
  const isAfter = answers.map((answer) => JSON.stringify(answer) === textAfter);
  const changes = isAfter.filter((isLater, index) => isLater !== (isAfter[index - 1] ?? false)).length;
  const isEitherState = answers.every((answer) => [textBefore, textAfter].includes(JSON.stringify(answer)));
  if (isEitherState && changes <= 1) return;
  const list = answers.map((answer) => JSON.stringify(answer)).join("\n  ");
  throw new Error(
    `${what} while a commit is made\n  before: ${textBefore}\n  after:  ${textAfter}\n  but saw:\n  ${list}`,
  );
}

const DELETION_RACES: readonly StoreRace[] = [
  {
    name: "a request and a commit of its user's message at the same time: nothing stays within reach",
    needs: ["deletions"],
    async play(scene, { otherStore, together }) {
      const { user, deletion, purge } = deletionScene(scene);
      const deletions = expectPresent(otherStore.deletions, "a store that supports `deletions`");
      const { deletions: newest } = await deletions.list({ limit: 1 });
      const userIds = [user("ann")];
      const accept = [scene.message({ userIds }), scene.message({ userIds, asOf: newest[0]?.number ?? 0 })];
      const request = { id: deletion("1"), regulation: "suppress-with-delete", userIds, sources: null } as const;
      const [{ accepted }] = await together(
        () => scene.commit({ accept }),
        () => deletions.open(request, scene.now()),
      );
      const kinds = accepted.map(({ kind }) => kind).join();
      const isStored = kinds === "stored,stored";
      if (!isStored) expectEqual(kinds, "suppressed,outdated", "the answers, if the request was first");
      expectEqual(await scene.claimIds(), [], "what is handed out after it");
      await purge();
      const { deliveries } = await scene.store().list({ source: scene.source, limit: 5 });
      expectEqual(deliveries.length, isStored ? 2 : 0, "how many deliveries there are");
      for (const { id } of deliveries) await expectPurged(scene, id);
      await scene.expectCounts(isStored ? { accepted: 2, dead: 2 } : { suppressed: 1 }, "after it");
    },
  },
  {
    name: "a request and a claim of its user's delivery at the same time: it is handed out once, or is dead as purged",
    needs: ["deletions"],
    async play(scene, { otherStore, together }) {
      const { user, deletion, purge } = deletionScene(scene);
      const deletions = expectPresent(otherStore.deletions, "a store that supports `deletions`");
      const id = await scene.acceptOne({ userIds: [user("ann")] });
      const request = { id: deletion("1"), regulation: "delete-only", userIds: [user("ann")], sources: null } as const;
      const [claimedIds] = await together(
        () => scene.claimIds({ token: scene.token("one") }),
        () => deletions.open(request, scene.now()),
      );
      if (claimedIds.length > 0) {
        expectEqual(claimedIds, [id], "what is handed out");
        expectEqual((await scene.record(id)).state, "claimed", "the state of what is handed out");
      }
      await purge();
      await scene.advance(LEASE_MS);
      expectEqual(await scene.claimIds(), [], "what is handed out after its lease");
      await expectPurged(scene, id);
      await scene.expectCounts({ accepted: 1, dead: 1 }, "after it");
    },
  },
  {
    name: "a request and a replay of its user's delivery at the same time: nothing stays within reach",
    needs: ["deletions"],
    async play(scene, { otherStore, together }) {
      const { user, deletion, purge } = deletionScene(scene);
      const deletions = expectPresent(otherStore.deletions, "a store that supports `deletions`");
      const id = await scene.finish(DEAD, { userIds: [user("ann")], body: bytes("she lives here") });
      const request = { id: deletion("1"), regulation: "delete-only", userIds: [user("ann")], sources: null } as const;
      const replay = [{ of: id, start: { kind: "waiting", dueAt: scene.now() } as const }];
      await together(
        () => scene.commit({ replay }),
        () => deletions.open(request, scene.now()),
      );
      expectEqual(await scene.claimIds(), [], "what is handed out after it");
      await purge();
      const { deliveries } = await scene.store().list({ source: scene.source, limit: 5 });
      for (const { id } of deliveries) await expectPurged(scene, id);
      await scene.expectCounts({ accepted: deliveries.length, dead: deliveries.length }, "after it");
    },
  },
];

export const RACING_DELETION_CASES: readonly StoreCase[] = raceCases(DELETION_RACES);

async function expectPurged(scene: Scene, id: Parameters<Scene["record"]>[0]): Promise<void> {
  const { state, reason, body } = await scene.record(id);
  expectEqual({ state, reason, body }, { state: "dead", reason: "purged" }, "a delivery of the user after the purge");
}
