// The longest lists that a relay gives to a store, each of its length in core's limits, and lists without an item.

import {
  type DeliveryId,
  destinationId,
  MAX_BATCH_CALLS,
  MAX_CLAIMED_DELIVERIES,
  MAX_CLAIMED_LANES,
} from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { attempt, claimedDelivery, DELIVERED, waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const LIST_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "a claim takes from as many lanes as one claim may name, from each as many as there may be in all",
    async play(scene) {
      const lanes = Array.from({ length: MAX_CLAIMED_LANES }, (_, index) =>
        destinationId(`${scene.lane}-${String(index)}`),
      );
      await scene.accept({ deliveries: lanes.map((lane) => waitingDelivery(lane, scene.now())) });
      const request = {
        token: scene.token("many"),
        leaseMs: LEASE_MS,
        lanes: lanes.map((lane) => ({ lane, limit: 1 })),
      };
      const { deliveries, nextDueAt } = await scene.store().claim(request, scene.now());
      expectEqual(deliveries.map(({ lane }) => lane).toSorted(), lanes.toSorted(), "the lanes that were claimed from");
      expectEqual([...nextDueAt.keys()].toSorted(), lanes.toSorted(), "the lanes whose next delivery is told");

      const accept = Array.from({ length: MAX_CLAIMED_DELIVERIES + 1 }, () => scene.message());
      await scene.commit({ accept });
      const claimed = await scene.claimIds({ limit: MAX_CLAIMED_DELIVERIES });
      expectEqual(new Set(claimed).size, MAX_CLAIMED_DELIVERIES, "how many one lane hands out");
    },
  },
  {
    name: "a commit of 2,500 settlements, late attempts or replays carries out each",
    async play(scene) {
      const ids = await acceptClaimed(scene, MAX_BATCH_CALLS);
      const token = scene.commitToken();
      const attempts = [attempt(scene.now())];
      const settle = ids.map((id) => ({ id, token, outcome: DELIVERED, attempts, endpoints: [] }));
      const { settled } = await scene.commit({ settle });
      expectEqual(settled.filter((answer) => answer === "settled").length, MAX_BATCH_CALLS, "how many are settled");
      const late = attempt(scene.later(1), { round: 2 });
      const { appended } = await scene.commit({ append: ids.map((id) => ({ id, attempt: late })) });
      expectEqual(appended.filter((answer) => answer === "appended").length, MAX_BATCH_CALLS, "how many are appended");
      const { replayed } = await scene.commit({ replay: ids.map((of) => ({ of, start: { kind: "claimed" } })) });
      expectEqual(new Set(replayed).size, MAX_BATCH_CALLS, "how many are replayed");
      await scene.expectCounts(
        { accepted: 2 * MAX_BATCH_CALLS, delivered: MAX_BATCH_CALLS, claimed: MAX_BATCH_CALLS },
        "after it",
      );
      const last = await scene.record(expectPresent(ids.at(-1), "the id of the last delivery"));
      expectEqual(last.attempts, [...attempts, late], "the attempts of the last");
    },
  },
];

async function acceptClaimed(scene: Scene, count: number): Promise<readonly DeliveryId[]> {
  const accept = Array.from({ length: count }, () => scene.message({ deliveries: [claimedDelivery(scene.lane)] }));
  const { accepted } = await scene.commit({ accept });
  return accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
}
