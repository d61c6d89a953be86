// Instants, leases and numbers of requests, up to the last millisecond and the highest number.

import { epochMs } from "@postrider/core";
import { expectEqual } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import { attempt, DELIVERED, endpoint, releasedOutcome, rescheduledOutcome, waitingDelivery } from "./samples.js";
import type { StoreCase } from "./scene.js";
import { listAll } from "./walk-list.js";

/** Instants in 1970, beyond 32 bits of seconds, beyond what `Date` can hold, and one that a float of seconds rounds. */
const INSTANTS = [0, 1, 2 ** 31, 2 ** 32, 1_767_225_600_123, 4_294_967_296_001, 2 ** 53 - 2].map((ms) => epochMs(ms));

export const INSTANT_LIMIT_CASES: readonly StoreCase[] = [
  {
    name: "an instant comes back to the millisecond: when it was accepted, when it is due",
    async play(scene) {
      for (const instant of INSTANTS) {
        const id = await scene.acceptOne({ receivedAt: instant, deliveries: [waitingDelivery(scene.lane, instant)] });
        const { acceptedAt, dueAt } = await scene.record(id);
        expectEqual({ acceptedAt, dueAt }, { acceptedAt: instant, dueAt: instant }, "a new delivery");
        const listed = await listAll(scene, { acceptedSince: instant, acceptedBefore: epochMs(instant + 1) });
        expectEqual(
          listed.map((delivery) => delivery.id),
          [id],
          "what was accepted within that millisecond",
        );
      }
      const due = INSTANTS.filter((instant) => instant <= scene.now());
      const claimed = (await scene.claim({ limit: INSTANTS.length })).deliveries;
      expectEqual(
        claimed.map(({ dueAt, acceptedAt }) => [dueAt, acceptedAt]),
        due.map((instant) => [instant, instant]),
        "when what is claimed was due and accepted",
      );
    },
  },
  {
    name: "an instant comes back to the millisecond: when an attempt started, when a round is due again",
    async play(scene) {
      const attempts = INSTANTS.map((startedAt, index) =>
        attempt(startedAt, { endpoint: endpoint(`e${String(index)}`) }),
      );
      for (const dueAt of INSTANTS) {
        const rescheduled = await scene.finish(rescheduledOutcome(dueAt), { attempts });
        const released = await scene.finish(releasedOutcome(dueAt));
        expectEqual((await scene.record(rescheduled)).attempts, attempts, "the attempts");
        expectEqual((await scene.record(rescheduled)).dueAt, dueAt, "when a rescheduled delivery is due");
        expectEqual((await scene.record(released)).dueAt, dueAt, "when a released delivery is due");
      }
    },
  },
  {
    name: "a lease of any length ends when it ends",
    async play(scene) {
      for (const leaseMs of [1, 2 ** 31 - 1, 2 ** 31, 2 ** 32, 2 ** 52]) {
        const id = await scene.acceptOne();
        const request = { token: scene.token(String(leaseMs)), leaseMs, lanes: [{ lane: scene.lane, limit: 1 }] };
        const { deliveries } = await scene.store().claim(request, scene.now());
        expectEqual(
          deliveries.map(({ leaseUntil }) => leaseUntil),
          [scene.later(leaseMs)],
          "the end of a lease",
        );
        expectEqual((await scene.record(id)).dueAt, scene.later(leaseMs), "the end of the lease as found");
        await scene.settle({ id, token: request.token, outcome: DELIVERED });
      }
    },
  },
  {
    name: "a message takes any number of requests into account",
    needs: ["deletions"],
    async play(scene) {
      const { user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "unsuppress" });
      const accept = [0, Number.MAX_SAFE_INTEGER].map((asOf) => scene.message({ asOf }));
      const { accepted } = await scene.commit({ accept });
      expectEqual(
        accepted.map(({ kind }) => kind),
        ["outdated", "stored"],
        "the answers",
      );
    },
  },
];
