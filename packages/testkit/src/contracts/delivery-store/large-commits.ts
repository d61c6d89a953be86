// Commits of the size of the largest batch: stored whole or not at all. These cases come last, since their data would
// slow the others down in a store that reads everything when it opens.

import type { DeliveryId, NewMessage } from "@postrider/core";
import { expectEqual, expectPresent, expectThat } from "../check.js";
import { waitingDelivery } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

/** The number of calls in the largest batch. Here each has one delivery. */
const MANY = 2_500;

export const LARGE_COMMIT_CASES: readonly StoreCase[] = [
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

/** As many numbered messages as a batch may have, each with one delivery that is due. */
export function manyMessages(scene: Scene, given: Partial<NewMessage> = {}): readonly NewMessage[] {
  const deliveries = [waitingDelivery(scene.lane, scene.now())];
  return Array.from({ length: MANY }, (_, index) =>
    scene.message({ messageId: `many-${String(index + 1)}`, deliveries, ...given }),
  );
}

async function acceptMany(scene: Scene): Promise<readonly DeliveryId[]> {
  const { accepted } = await scene.commit({ accept: manyMessages(scene) });
  return accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
}
