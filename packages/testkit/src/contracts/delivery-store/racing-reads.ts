// Reads while a commit is made: each shows the storage as it was before the commit, or as it is after it.

import { countsBalance } from "@postrider/core/engine";
import { type Counts, type DeliveryStore, destinationId, NO_COUNTS } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { raceCases } from "./race.js";
import { attempt, claimedDelivery, DEAD, DELIVERED, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase, StoreRace } from "./scene.js";

/** How often a reader looks while another call is being made. */
const LOOKS = 2;

const READ_RACES: readonly StoreRace[] = [
  {
    name: "the counters are those before a commit or those after it, while it is being made",
    async play(scene, { other, together }) {
      const id = await scene.acceptOne();
      await scene.claim();
      const before = await countsOf(scene, scene.store());
      const deliveries = [waitingDelivery(scene.lane, scene.now()), claimedDelivery(scene.otherLane)];
      const filtered = [{ destination: scene.otherLane, reason: "historical" }] as const;
      const accept = [scene.message({ deliveries, filtered }), scene.message({ messageId: "2" }), scene.message()];
      const settle = [{ id, token: scene.claimToken(), outcome: DELIVERED, attempts: [], endpoints: [] }];
      const [, seen] = await together(
        () => scene.commit({ accept, settle }),
        () => looks(() => countsOf(scene, other)),
      );
      const after = await countsOf(scene, scene.store());
      expectEqual([after.accepted, after.delivered], [6, 1], "units accepted and delivered in the end");
      expectOneThenTheOther(seen, { before, after }, "the counters");
      for (const counts of seen) expectThat(countsBalance(counts), `the law does not hold: ${JSON.stringify(counts)}`);
    },
  },
  {
    name: "lists, look-ups and lanes show all of a commit or nothing, while it is being made",
    async play(scene, { other, together }) {
      const id = await scene.acceptOne();
      await scene.claim();
      const accept = [1, 2, 3].map((count) => scene.message({ messageId: `together-${String(count)}` }));
      const attempts = [attempt(scene.now())];
      const settle = [{ id, token: scene.claimToken(), outcome: DEAD, attempts, endpoints: [] }];
      const [, seen] = await together(
        () => scene.commit({ accept, settle }),
        () => looks(() => reads(scene, other, id)),
      );
      const all = seen.flat();
      const isWhole = all.map((read) => expectPresent(WHOLE.get(read), `a part of a commit was seen: ${read}`));
      expectEqual(isWhole, isWhole.toSorted(), `what was seen in turn (false: nothing, true: all): ${all.join("; ")}`);
    },
  },
];

export const RACING_READ_CASES: readonly StoreCase[] = raceCases(READ_RACES);

async function countsOf(scene: Scene, store: DeliveryStore): Promise<Counts> {
  const row = (await store.counts()).find(({ source }) => source === scene.source);
  return { ...NO_COUNTS, ...row };
}

async function looks<T>(look: () => Promise<T>): Promise<readonly T[]> {
  const seen: T[] = [];
  for (let count = 0; count < LOOKS; count += 1) seen.push(await look());
  return seen;
}

/** What each read answers before the commit of three messages and a settlement (false), and after it (true). */
const WHOLE: ReadonlyMap<string, boolean> = new Map([
  ["list: 1, 0 dead", false],
  ["list: 4, 1 dead", true],
  ["look-up: claimed after 0", false],
  ["look-up: dead after 1", true],
  ["lane: 1", false],
  ["lane: 3", true],
]);

async function reads(
  scene: Scene,
  store: DeliveryStore,
  id: Parameters<Scene["record"]>[0],
): Promise<readonly string[]> {
  const { deliveries } = await store.list({ source: scene.source, limit: 9 });
  const dead = deliveries.filter(({ state }) => state === "dead").length;
  const found = expectPresent(await store.find(id), "the delivery that is being settled");
  const after = destinationId(scene.lane.slice(0, -1));
  const { lanes } = await store.lanes({ after, limit: 1 }, scene.now());
  const row = lanes.find(({ lane }) => lane === scene.lane);
  return [
    `list: ${String(deliveries.length)}, ${String(dead)} dead`,
    `look-up: ${found.state} after ${String(found.attemptCount)}`,
    `lane: ${String(row?.deliveries ?? 0)}`,
  ];
}

function expectOneThenTheOther<T>(
  seen: readonly T[],
  { before, after }: { readonly before: T; readonly after: T },
  what: string,
): void {
  const [first, last] = [JSON.stringify(before), JSON.stringify(after)];
  const isAfter = seen.map((one) => JSON.stringify(one) === last);
  const changes = isAfter.filter((is, index) => is !== (isAfter[index - 1] ?? false)).length;
  const known = seen.every((one) => [first, last].includes(JSON.stringify(one)));
  if (known && changes <= 1) return;
  const list = seen.map((one) => JSON.stringify(one)).join("\n  ");
  throw new Error(`${what} while a commit is made\n  before: ${first}\n  after:  ${last}\n  but saw:\n  ${list}`);
}
