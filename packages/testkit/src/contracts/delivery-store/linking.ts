// The `traceparent` of a message, by which the spans of its rounds are linked to the span in which it was accepted.

import type { ClaimedDelivery } from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { attempt, claimedDelivery, DEAD, rescheduledOutcome, waitingDelivery } from "./samples.js";
import { LEASE_MS, type StoreCase } from "./scene.js";

const ONE = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const OTHER = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";

/** Each of these needs a store that keeps it. */
const LINKING: readonly StoreCase[] = [
  {
    name: "a `traceparent` comes back with each delivery of its message, and a message without one has none",
    async play(scene) {
      const { lane, otherLane } = scene;
      const deliveries = [lane, otherLane].map((to) => waitingDelivery(to, scene.now()));
      const given = [{ traceparent: ONE }, {}, { traceparent: OTHER }];
      const messages = given.map((one, at) => scene.message({ messageId: `linked ${String(at)}`, deliveries, ...one }));
      await scene.commit({ accept: messages });
      const expected = [`linked 0 ${ONE}`, "linked 1 none", `linked 2 ${OTHER}`];
      for (const to of [lane, otherLane]) {
        const claimed = (await scene.claim({ lane: to })).deliveries;
        expectEqual(claimed.map(shown).toSorted(), expected, "what is claimed");
      }
    },
  },
  {
    name: "a `traceparent` comes back in each round of a delivery, and after the lease of one that was stored as claimed",
    async play(scene) {
      await scene.acceptOne({ traceparent: ONE, deliveries: [claimedDelivery(scene.lane)] });
      await scene.advance(LEASE_MS);
      for (const round of ["first", "second", "third"]) {
        const { id, traceparent } = await scene.claimOne();
        expectEqual(traceparent, ONE, `what is claimed for the ${round} round`);
        await scene.settle({ id, outcome: rescheduledOutcome(scene.now()), attempts: [attempt(scene.now())] });
      }
    },
  },
  {
    name: "a replay has the `traceparent` of its message, and so has the replay of a replay",
    async play(scene) {
      let of = await scene.finish(DEAD, { traceparent: ONE });
      const start = { kind: "waiting", dueAt: scene.now() } as const;
      for (const which of ["replay", "replay of the replay"]) {
        const { replayed } = await scene.commit({ replay: [{ of, start }] });
        of = expectPresent(replayed[0], `the ${which}`);
        expectEqual((await scene.claimOne()).traceparent, ONE, `the \`traceparent\` of the ${which}`);
        await scene.settle({ id: of, outcome: DEAD, attempts: [attempt(scene.now())] });
      }
    },
  },
  {
    name: "a `traceparent` survives a crash",
    needs: ["restart"],
    async play(scene) {
      await scene.acceptOne({ traceparent: ONE });
      await scene.crash();
      expectEqual((await scene.claimOne()).traceparent, ONE, "what is claimed after the crash");
    },
  },
];

export const LINKING_CASES: readonly StoreCase[] = LINKING.map(({ needs = [], ...one }) => {
  return { ...one, needs: [...needs, "traceparents"] as const };
});

function shown({ messageId, traceparent = "none" }: ClaimedDelivery): string {
  return `${messageId} ${traceparent}`;
}
