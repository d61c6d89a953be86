// Calls at the same time that hand out deliveries, or change which can be handed out.

import { expectEqual, expectThat } from "../check.js";
import { raceCases } from "./race.js";
import { DELIVERED, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase, type StoreRace } from "./scene.js";

const CLAIM_RACES: readonly StoreRace[] = [
  {
    name: "two claims at the same time hand out each delivery once, and keep both limits",
    async play(scene, { other, together }) {
      for (let message = 0; message < 6; message += 1) await scene.acceptOne();
      const [mine, theirs] = await together(
        () => scene.claimIds({ limit: 4, token: scene.token("one") }),
        () => scene.claimIds({ limit: 3, token: scene.token("other"), store: other }),
      );
      expectThat(mine.length <= 4 && theirs.length <= 3, `limits of 4 and 3: ${sizes(mine, theirs)} were handed out`);
      expectThat(mine.length > 0 && theirs.length > 0, `a claim came back empty: ${sizes(mine, theirs)}, of 6 due`);
      const rest = await scene.claimIds();
      expectEqual(new Set([...mine, ...theirs, ...rest]).size, 6, "how many different ones were handed out");
      expectEqual([...mine, ...theirs, ...rest].length, 6, "how many were handed out");
      for (const id of mine) await settled(scene, id, "one");
      for (const id of theirs) await settled(scene, id, "other");
      await scene.expectCounts({ accepted: 6, claimed: rest.length, delivered: 6 - rest.length }, "after it");
    },
  },
  {
    name: "a settlement at the end of a lease and a claim at the same time: exactly one of both gets the delivery",
    async play(scene, { other, together }) {
      const id = await scene.acceptOne();
      await scene.claim({ token: scene.token("one") });
      await scene.advance(LEASE_MS);
      const [settlement, claimed] = await together(
        () => scene.settle({ id, outcome: DELIVERED, token: scene.token("one") }),
        () => scene.claimIds({ token: scene.token("other"), store: other }),
      );
      const isSettled = settlement === "settled";
      expectEqual(
        claimed,
        isSettled ? [] : [id],
        `what is handed out beside a settlement that is ${String(settlement)}`,
      );
      expectEqual((await scene.record(id)).state, isSettled ? "delivered" : "claimed", "the state after it");
      await scene.expectCounts({ accepted: 1, [isSettled ? "delivered" : "claimed"]: 1 }, "after it");
      if (!isSettled) await settled(scene, id, "other");
    },
  },
  {
    name: "ending deliveries and a claim at the same time: none is handed out and ended",
    async play(scene, { other, together }) {
      for (let message = 0; message < 4; message += 1) await scene.acceptOne();
      const request = { lane: scene.lane, reason: "expired", limit: 10 } as const;
      const [ended, claimed] = await together(
        () => scene.store().end(request, scene.now()),
        () => scene.claimIds({ limit: 2, token: scene.token("other"), store: other }),
      );
      const more = await scene.store().end(request, scene.now());
      expectEqual(ended + more + claimed.length, 4, `${String(claimed.length)} handed out, and how many in all`);
      const { length: count } = claimed;
      await scene.expectCounts({ accepted: 4, claimed: count, dead: 4 - count }, "after it");
      for (const id of claimed) await settled(scene, id, "other");
    },
  },
  {
    name: "bringing forward and a claim at the same time: each delivery is handed out once",
    async play(scene, { other, together }) {
      const due = await scene.acceptOne();
      const far = await scene.acceptOne({ deliveries: [waitingDelivery(scene.lane, scene.later(900_000))] });
      const request = { lane: scene.lane, dueAfter: scene.later(LEASE_MS + 5), dueAt: scene.now(), limit: 5 };
      const [changed, claimed] = await together(
        () => scene.store().pullIn(request, scene.now()),
        () => scene.claimIds({ token: scene.token("other"), store: other }),
      );
      expectEqual(changed, 1, "how many were brought forward");
      const rest = await scene.claimIds({ token: scene.token("rest") });
      expectEqual([...claimed, ...rest].toSorted(), [due, far].toSorted(), "what was handed out");
      for (const id of claimed) await settled(scene, id, "other");
      await scene.expectCounts({ accepted: 2, delivered: claimed.length, claimed: rest.length }, "after it");
    },
  },
];

export const RACING_CLAIM_CASES: readonly StoreCase[] = raceCases(CLAIM_RACES);

async function settled(scene: Scene, id: Parameters<Scene["record"]>[0], token: string): Promise<void> {
  const answer = await scene.settle({ id, outcome: DELIVERED, token: scene.token(token) });
  expectEqual(answer, "settled", `the settlement of what the claim "${token}" handed out`);
}

function sizes(mine: readonly unknown[], theirs: readonly unknown[]): string {
  return `${String(mine.length)} and ${String(theirs.length)}`;
}
