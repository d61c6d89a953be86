// What is stored and finished while the clock is back: its order, and its age.

import type { DeliveryId, EpochMs } from "@postrider/core";
import { HOUR_MS } from "@postrider/core/engine";
import { expectEqual, expectThat } from "../check.js";
import { deletionScene } from "./deletion-scene.js";
import { attempt, claimedDelivery, DEAD, DELIVERED, rescheduledOutcome } from "./samples.js";
import { type Scene, type StoreCase } from "./scene.js";
import { back, later, commitWith } from "./clock-set-back.js";

export const ORDER_AFTER_SET_BACK_CASES: readonly StoreCase[] = [
  {
    name: "what is finished while the clock is back finished at that instant, for a sweep",
    needs: ["exactSweeps"],
    async play(scene) {
      const late = await scene.finish(DEAD);
      const early = await finishAt(scene, back(scene));
      const before = later(back(scene), 1);
      await scene.store().sweep({ deliveredBefore: before, deadBefore: before, limit: 10_000 }, scene.now());
      expectEqual(await scene.store().find(early), undefined, "what finished an hour before");
      expectEqual((await scene.record(late)).state, "dead", "what finished now");
    },
  },
  {
    name: "a list shows what was stored last first, whatever the clock said, and each delivery once",
    async play(scene) {
      const ids: DeliveryId[] = [];
      for (const ago of [0, HOUR_MS, 2 * HOUR_MS, HOUR_MS, 0])
        ids.push(await acceptAt(scene, later(scene.now(), -ago)));
      const listed: DeliveryId[] = [];
      for (let after = {}, pages = 0; pages < ids.length; pages += 1) {
        const { deliveries, next } = await scene.store().list({ source: scene.source, limit: 2, ...after });
        listed.push(...deliveries.map(({ id }) => id));
        if (next === undefined) break;
        after = { after: next };
      }
      expectEqual(listed, ids.toReversed(), "all pages");
    },
  },
  {
    name: "the first attempt recorded starts the window, even if a later one started earlier by the clock",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne();
      const first = { outcome: rescheduledOutcome(scene.now()), attempts: [attempt(scene.now())] };
      await scene.settle({ id, ...first });
      await scene.claimOne();
      await scene.settle({ id, ...first, attempts: [attempt(back(scene), { round: 2 })] });
      const { attempts } = await scene.record(id);
      expectEqual(
        attempts.map(({ round }) => round),
        [2, 1],
        "the rounds, ordered by the start of their attempts",
      );
      expectEqual((await scene.claimOne()).firstAttemptAt, scene.now(), "the start of the window");
    },
  },
  {
    name: "a request stored while the clock is back covers what was stored before, and nothing stored after",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user, open, purge } = deletionScene(scene);
      const userIds = [user("ann")];
      await open({ name: "0", userIds: [user("bob")], regulation: "unsuppress" });
      const before = await scene.acceptOne({ userIds });
      const request = { id: deletion("1"), regulation: "delete-only", userIds, sources: null } as const;
      await deletions().open(request, back(scene));
      const { accepted } = await commitWith(scene, later(back(scene), -1), { accept: [scene.message({ userIds })] });
      const [after] = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
      expectThat(after !== undefined, "a message of a deleted user is not stored");
      await purge();
      expectEqual((await scene.record(before)).reason, "purged", "what was stored before");
      expectEqual((await scene.record(after)).state, "waiting", "what was stored after");
      const [newest] = (await deletions().list({ limit: 1 })).deletions;
      expectEqual([newest?.id, newest?.requestedAt], [deletion("1"), back(scene)], "the newest request");
    },
  },
];

async function acceptAt(scene: Scene, now: EpochMs, given = {}): Promise<DeliveryId> {
  const { accepted } = await commitWith(scene, now, { accept: [scene.message({ receivedAt: now, ...given })] });
  const [answer] = accepted;
  const [id] = answer?.kind === "stored" ? answer.deliveries : [];
  expectThat(id !== undefined, "a message is not stored");
  return id;
}

async function finishAt(scene: Scene, now: EpochMs): Promise<DeliveryId> {
  const id = await acceptAt(scene, now, { deliveries: [claimedDelivery(scene.lane)] });
  const token = scene.token("at another time");
  await commitWith(scene, now, { settle: [{ id, token, outcome: DELIVERED, attempts: [], endpoints: [] }] });
  return id;
}
