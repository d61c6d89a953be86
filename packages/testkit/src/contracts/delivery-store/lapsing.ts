// Claims that are not settled before their lease ends: each may have sent a round, so each is counted.

import { type DeliveryId, type Lapses, type LeaseToken, leaseToken, type ProcessId, holderOf } from "@postrider/core";
import { expectEqual } from "../check.js";
import { attempt, claimedDelivery, DELIVERED, releasedOutcome } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";

export const LAPSING_CASES: readonly StoreCase[] = [
  {
    name: "a claim that was not settled is counted when its delivery is claimed again, with both processes and both times",
    async play(scene) {
      const id = await scene.acceptOne();
      const { leaseUntil } = await claimAs(scene, "first");
      expectEqual(await lapsesOf(scene, id), undefined, "the lapses while the lease lives");
      await scene.advance(LEASE_MS + 7);
      expectEqual(await lapsesOf(scene, id), undefined, "the lapses before it is claimed again");
      const takenAt = scene.now();
      const again = await claimAs(scene, "second");
      const first = { count: 1, process: nameOf("first"), leaseUntil, takenAt, takenBy: nameOf("second") };
      expectEqual(await lapsesOf(scene, id), first, "the lapses once it is");
      await scene.advance(LEASE_MS);
      const second = { process: nameOf("second"), leaseUntil: again.leaseUntil, takenAt: scene.now() };
      await claimAs(scene, "second");
      expectEqual(
        await lapsesOf(scene, id),
        { ...second, count: 2, takenBy: nameOf("second") },
        "those after a further one",
      );
    },
  },
  {
    name: "a delivery that was stored as claimed lapses too, and one whose lease is over when it is ended",
    async play(scene) {
      const token = tokenOf(scene, "first");
      const leaseUntil = scene.later(LEASE_MS);
      const deliveries = [claimedDelivery(scene.lane), claimedDelivery(scene.otherLane)];
      const accept = [scene.message({ deliveries })];
      const [answer] = (await scene.commit({ accept, lease: { token, leaseMs: LEASE_MS } })).accepted;
      const [taken, ended] = answer?.kind === "stored" ? answer.deliveries : [];
      await scene.advance(LEASE_MS);
      await claimAs(scene, "second");
      await scene.store().end({ lane: scene.otherLane, reason: "destination-removed", limit: 1 }, scene.now());
      const lapse = { count: 1, process: nameOf("first"), leaseUntil, takenAt: scene.now() };
      expectEqual(await lapsesOf(scene, taken), { ...lapse, takenBy: nameOf("second") }, "the one claimed again");
      expectEqual(await lapsesOf(scene, ended), lapse, "the one ended");
    },
  },
  {
    name: "a claim that was settled is not counted, late or released; what was counted stays, and a replay has none of it",
    async play(scene) {
      const id = await scene.acceptOne();
      await claimAs(scene, "first");
      await scene.settle({ id, outcome: releasedOutcome(scene.now()) });
      await claimAs(scene, "first");
      await scene.advance(LEASE_MS);
      expectEqual(await scene.settle({ id, outcome: releasedOutcome(scene.now()) }), "settled", "the late settlement");
      await claimAs(scene, "second");
      expectEqual(await lapsesOf(scene, id), undefined, "the lapses after a release, and a late one");
      await scene.advance(LEASE_MS);
      await claimAs(scene, "third");
      await scene.settle({ id, outcome: DELIVERED, attempts: [attempt(scene.now())] });
      const { count, process } = (await lapsesOf(scene, id)) ?? {};
      expectEqual({ count, process }, { count: 1, process: nameOf("second") }, "the lapses once it is delivered");
      const { replayed } = await scene.commit({ replay: [{ of: id, start: { kind: "waiting", dueAt: scene.now() } }] });
      expectEqual(await lapsesOf(scene, replayed[0]), undefined, "the lapses of its replay");
    },
  },
];

/** A process of a case. The names begin alike, and are as long as the part of a token that names one. */
function nameOf(process: "first" | "second" | "third"): ProcessId {
  return holderOf(leaseToken(process.padStart(16, "-")));
}

let tokens = 0;

/** A new token of a process. */
function tokenOf({ source }: Scene, process: "first" | "second" | "third"): LeaseToken {
  tokens += 1;
  return leaseToken(`${nameOf(process)}${source}${String(tokens)}`);
}

function claimAs(scene: Scene, process: "first" | "second" | "third"): ReturnType<Scene["claimOne"]> {
  return scene.claimOne({ token: tokenOf(scene, process) });
}

async function lapsesOf(scene: Scene, id: DeliveryId | undefined): Promise<Lapses | undefined> {
  return id && (await scene.record(id)).lapses;
}
