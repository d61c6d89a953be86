// One commit for many arrivals: everyone hears what became of theirs, and all of it happens or nothing.

import type { DeliveryId, NewMessage } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { attempt, DEAD, DELIVERED, endpoint, rescheduled, waiting } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

/** The calls of the largest batch that there is, each with one delivery. */
export const MANY = 2_500;

export const COMMITTING: readonly StoreCase[] = [
  {
    name: "a commit of many arrivals answers each list in its order",
    async play(scene) {
      const [done, gone] = [await scene.finish(DELIVERED), await scene.finish(DEAD)];
      const [first, second, third] = [await scene.acceptOne(), await scene.acceptOne(), await scene.acceptOne()];
      await scene.claim();
      await scene.accept({ messageId: "known" });
      const start = { kind: "waiting", dueAt: scene.later(500) } as const;
      const rest = { token: scene.claimToken(), attempts: [], endpoints: [] };
      const unknown = "no such delivery" as DeliveryId;
      const committed = await scene.commit({
        accept: ["new", "known", "newer", "new"].map((messageId) => scene.message({ messageId })),
        settle: [
          { id: third, outcome: rescheduled(scene.later(500)), ...rest },
          { id: second, outcome: DELIVERED, ...rest, token: scene.token("forged") },
          { id: first, outcome: DEAD, ...rest },
        ],
        replay: [gone, unknown, done].map((of) => ({ of, start })),
        append: [unknown, done].map((id) => ({ id, attempt: attempt(scene.now()) })),
      });
      expectEqual(committed.settled, ["settled", "stale", "settled"], "the answers to the settlements");
      expectEqual(await statesOf(scene, [first, second, third]), ["dead", "claimed", "waiting"], "what became of them");
      expectEqual(committed.appended, ["gone", "appended"], "the answers to late attempts");
      const [ofGone, ofUnknown, ofDone] = committed.replayed;
      expectThat(ofUnknown === undefined, "a delivery that never was is replayed");
      for (const [id, replayOf] of [[ofGone, gone] as const, [ofDone, done] as const]) {
        expectEqual((await scene.record(expectPresent(id, "a replay"))).replayOf, replayOf, "what a replay repeats");
      }
      const kinds = committed.accepted.map(({ kind }) => kind);
      expectEqual(kinds, ["stored", "duplicate", "stored", "duplicate"], "the answers to the messages");
      const ids = committed.accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
      const messageIds = await Promise.all(ids.map(async (id) => (await scene.record(id)).messageId));
      expectEqual(messageIds, ["new", "newer"], "the messages behind the deliveries answered");
    },
  },
  {
    name: "a settlement and a late attempt of one delivery go into one commit",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const settled = attempt(scene.now(), { endpoint: endpoint("a") });
      const late = attempt(scene.now(), { endpoint: endpoint("b") });
      const committed = await scene.commit({
        settle: [{ id, token: scene.claimToken(), outcome: DELIVERED, attempts: [settled], endpoints: [] }],
        append: [{ id, attempt: late }],
      });
      expectEqual([committed.settled, committed.appended], [["settled"], ["appended"]], "the answers");
      const { state, attempts: recorded } = await scene.record(id);
      expectEqual({ state, recorded }, { state: "delivered", recorded: [settled, late] }, "the delivery after it");
    },
  },
  {
    name: "a commit of 2,500 messages is stored whole",
    async play(scene) {
      const ids = await acceptMany(scene);
      expectEqual(new Set(ids).size, MANY, "how many ids differ");
      const ends = [ids[0], ids.at(-1)].map((id) => scene.record(expectPresent(id, "the id of a delivery")));
      const shown = (await Promise.all(ends)).map(({ messageId }) => messageId);
      expectEqual(shown, ["many-1", `many-${String(MANY)}`], "the first message and the last");
      await scene.expectCounts({ accepted: MANY, waiting: MANY }, "after it");
      expectEqual((await scene.claimIds({ limit: MANY + 1 })).length, MANY, "how many can be claimed");
    },
  },
  {
    name: "a commit of 2,500 messages is there whole after a crash",
    needs: ["restart"],
    async play(scene) {
      const ids = await acceptMany(scene);
      await scene.crash();
      await scene.expectCounts({ accepted: MANY, waiting: MANY }, "after the crash");
      const claimed = await scene.claimIds({ limit: MANY + 1 });
      expectEqual(claimed.toSorted(), ids.toSorted(), "what can be claimed");
    },
  },
  {
    name: "a second process sees all of a commit or nothing of it",
    needs: ["sharing"],
    async play(scene) {
      const other = await scene.openAnother();
      const claim = () => {
        const lanes = [{ lane: scene.lane, limit: MANY + 1 }];
        return other.claim({ token: scene.token("other"), leaseMs: LEASE_MS, lanes }, scene.now());
      };
      const [, during] = await Promise.all([acceptMany(scene), claim()]);
      const count = during.deliveries.length;
      expectThat(count === 0 || count === MANY, `the other process could claim ${String(count)} of ${String(MANY)}`);
      expectEqual(count + (await claim()).deliveries.length, MANY, "how many it could claim in the end");
      await other.close();
    },
  },
];

/** So many messages as a batch may have, numbered, each with one delivery that is due. */
export function manyMessages(scene: Scene, given: Partial<NewMessage> = {}): readonly NewMessage[] {
  const deliveries = [waiting(scene.lane, scene.now())];
  return Array.from({ length: MANY }, (_, index) =>
    scene.message({ messageId: `many-${String(index + 1)}`, deliveries, ...given }),
  );
}

async function acceptMany(scene: Scene): Promise<readonly DeliveryId[]> {
  const { accepted } = await scene.commit({ accept: manyMessages(scene) });
  return accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
}

function statesOf(scene: Scene, ids: readonly DeliveryId[]): Promise<readonly string[]> {
  return Promise.all(ids.map(async (id) => (await scene.record(id)).state));
}
