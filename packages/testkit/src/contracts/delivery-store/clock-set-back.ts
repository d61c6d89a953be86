// Cases of a clock that was set back: a store compares instants with the `now` that it is given, which may be earlier
// than before, and orders its contents as they were stored (decision: clocks set back).

import type { Changes, CommitResult, EpochMs, DeliveryId } from "@postrider/core";
import { HOUR_MS } from "@postrider/core/engine";
import { expectEqual, expectThat } from "../check.js";
import { rescheduledOutcome, waitingDelivery, attempt, claimedDelivery, DEAD, DELIVERED } from "./samples.js";
import { LEASE_MS, type Scene, type StoreCase } from "./scene.js";
import { deletionScene } from "./users.js";

export const CLOCK_SET_BACK_CASES: readonly StoreCase[] = [
  {
    name: "after the clock was set back by an hour a message is still a duplicate, and seen at its time",
    async play(scene) {
      const { source } = scene;
      const firstSighting = { source, seenAt: scene.now(), deliveries: 1 };
      await scene.accept({ messageId: "first" });
      const { accepted } = await commitWith(scene, hourEarlier(scene), {
        accept: ["first", "second"].map((messageId) => scene.message({ messageId })),
      });
      expectEqual(
        accepted.map(({ kind }) => kind),
        ["duplicate", "stored"],
        "the answers an hour before",
      );
      const sightings = await scene.store().seen({ source, messageId: "first" }, hourEarlier(scene));
      expectEqual(sightings, [firstSighting], "what is seen an hour before");
      const secondSighting = { source, seenAt: hourEarlier(scene), deliveries: 1 };
      expectEqual(
        await scene.store().seen({ source, messageId: "second" }, scene.now()),
        [secondSighting],
        "the second, later",
      );
    },
  },
  {
    name: "each message is forgotten a day after its own instant, also one that was stored while the clock was back",
    needs: ["days"],
    async play(scene) {
      const day = 24 * HOUR_MS;
      await scene.accept({ messageId: "first" });
      await commitWith(scene, hourEarlier(scene), { accept: [scene.message({ messageId: "second" })] });
      await scene.advance(day - HOUR_MS);
      const accept = ["first", "second"].map((messageId) => scene.message({ messageId, deliveries: [] }));
      const { accepted } = await scene.commit({ accept });
      expectEqual(
        accepted.map(({ kind }) => kind),
        ["duplicate", "stored"],
        "the answers 23 hours later",
      );
    },
  },
  {
    name: "after the clock was set back a claim takes what is due at the earlier time, and nothing else",
    async play(scene) {
      await scene.accept();
      const dueId = await scene.acceptOne({ deliveries: [waitingDelivery(scene.lane, hourEarlier(scene))] });
      const { deliveries, nextDueAt } = await claimAt(scene, hourEarlier(scene), "back");
      expectEqual(
        deliveries.map(({ id }) => id),
        [dueId],
        "what is claimed an hour before",
      );
      expectEqual(deliveries[0]?.leaseUntil, later(hourEarlier(scene), LEASE_MS), "the end of its lease");
      expectEqual(nextDueAt.get(scene.lane), later(hourEarlier(scene), LEASE_MS), "when the next can be claimed");
      const again = (await claimAt(scene, later(hourEarlier(scene), LEASE_MS), "again")).deliveries;
      expectEqual(
        again.map(({ id }) => id),
        [dueId],
        "what is claimed when that lease ends",
      );
    },
  },
  {
    name: "after the clock was set back a delivery is not due only because an earlier claim had a later `now`",
    async play(scene) {
      expectEqual((await claimAt(scene, scene.now(), "before")).deliveries, [], "what is claimed before");
      await scene.accept({ deliveries: [waitingDelivery(scene.lane, later(hourEarlier(scene), 1))] });
      expectEqual((await claimAt(scene, hourEarlier(scene), "back")).deliveries, [], "what is claimed an hour before");
      const dueDeliveries = (await claimAt(scene, later(hourEarlier(scene), 1), "due")).deliveries;
      expectEqual(dueDeliveries.length, 1, "how many are claimed when it is due");
    },
  },
  {
    name: "after the clock was set back a lease lasts until its instant, and its token settles",
    async play(scene) {
      const id = await scene.acceptOne();
      await scene.claimOne({ token: scene.token("held") });
      expectEqual(
        (await claimAt(scene, hourEarlier(scene), "other")).deliveries,
        [],
        "what another claims an hour before",
      );
      const request = { lane: scene.lane, reason: "expired", limit: 5 } as const;
      expectEqual(await scene.store().end(request, hourEarlier(scene)), 0, "how many are ended an hour before");
      const outcome = rescheduledOutcome(hourEarlier(scene));
      const settle = [{ id, token: scene.token("held"), outcome, attempts: [], endpoints: [] }];
      expectEqual((await commitWith(scene, hourEarlier(scene), { settle })).settled, ["settled"], "the settlement");
      expectEqual((await scene.record(id)).dueAt, hourEarlier(scene), "when it is due");
    },
  },
];

/** An hour before the clock of the scene. */
function hourEarlier(scene: Scene): EpochMs {
  return scene.later(-HOUR_MS);
}

function later(instant: EpochMs, ms: number): EpochMs {
  return (instant + ms) as EpochMs;
}

function commitWith(scene: Scene, now: EpochMs, changes: Partial<Changes>): Promise<CommitResult> {
  const lease = { token: scene.token("at another time"), leaseMs: LEASE_MS };
  const nothing = { accept: [], replay: [], settle: [], append: [], tally: [] };
  return scene.store().commit({ ...nothing, lease, ...changes }, now);
}

function claimAt(scene: Scene, now: EpochMs, name: string) {
  const lanes = [{ lane: scene.lane, limit: 10 }];
  return scene.store().claim({ token: scene.token(name), leaseMs: LEASE_MS, lanes }, now);
}

export const ORDER_AFTER_SET_BACK_CASES: readonly StoreCase[] = [
  {
    name: "a sweep takes the earlier instant as the finish of what was finished while the clock was back",
    needs: ["exactSweeps"],
    async play(scene) {
      const late = await scene.finish(DEAD);
      const early = await finishAt(scene, hourEarlier(scene));
      const bound = later(hourEarlier(scene), 1);
      await scene.store().sweep({ deliveredBefore: bound, deadBefore: bound, limit: 10_000 }, scene.now());
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
      const outcome = rescheduledOutcome(scene.now());
      await scene.settle({ id, outcome, attempts: [attempt(scene.now())] });
      await scene.claimOne();
      await scene.settle({ id, outcome, attempts: [attempt(hourEarlier(scene), { round: 2 })] });
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
      const earlierId = await scene.acceptOne({ userIds });
      const request = { id: deletion("1"), regulation: "delete-only", userIds, sources: null } as const;
      await deletions().open(request, hourEarlier(scene));
      const { accepted } = await commitWith(scene, later(hourEarlier(scene), -1), {
        accept: [scene.message({ userIds })],
      });
      const [laterId] = accepted.flatMap((answer) => (answer.kind === "stored" ? answer.deliveries : []));
      expectThat(laterId !== undefined, "a message of a deleted user is not stored");
      await purge();
      expectEqual((await scene.record(earlierId)).reason, "purged", "what was stored before");
      expectEqual((await scene.record(laterId)).state, "waiting", "what was stored after");
      const [newest] = (await deletions().list({ limit: 1 })).deletions;
      expectEqual([newest?.id, newest?.requestedAt], [deletion("1"), hourEarlier(scene)], "the newest request");
    },
  },
];

async function acceptAt(scene: Scene, now: EpochMs, fields = {}): Promise<DeliveryId> {
  const { accepted } = await commitWith(scene, now, { accept: [scene.message({ receivedAt: now, ...fields })] });
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
