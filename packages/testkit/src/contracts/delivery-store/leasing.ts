// How long a claim is valid, and which settlements take effect.

import { expectEqual } from "../check.js";
import { DELIVERED } from "./samples.js";
import { LEASE_MS, type StoreCase } from "./scene.js";

export const LEASING_CASES: readonly StoreCase[] = [
  {
    name: "a lease ends only by time, and on time",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.advance(LEASE_MS - 1);
      expectEqual(await scene.claimIds({ token: scene.token("second") }), [], "what is claimed 1 ms too early");
      await scene.advance(1);
      expectEqual(await scene.claimIds({ token: scene.token("second") }), [id], "what is claimed when the lease ends");
    },
  },
  {
    name: "a delivery whose lease has ended counts and lists as claimed until it is claimed again",
    async play(scene) {
      const id = await scene.acceptOne();
      const { leaseUntil } = await scene.claimOne();
      await scene.advance(LEASE_MS + 5);
      const { state, dueAt } = await scene.record(id);
      expectEqual({ state, dueAt }, { state: "claimed", dueAt: leaseUntil }, "the delivery after its lease");
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after the lease");
      await scene.claimOne({ token: scene.token("second") });
      await scene.expectCounts({ accepted: 1, claimed: 1 }, "after the second claim");
      expectEqual((await scene.record(id)).dueAt, scene.later(LEASE_MS), "the end of the second lease");
    },
  },
  {
    name: "a settlement after its lease has ended takes effect, unless the delivery was claimed again",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      await scene.advance(LEASE_MS + 5);
      expectEqual(await scene.settle({ id, outcome: DELIVERED }), "settled", "the late settlement");
      expectEqual(await scene.claimIds(), [], "what is left to claim");
    },
  },
];
