// Cases of each member of each closed list of the port, stored and given back: types, states, reasons, outcomes,
// verdicts, regulations. Where core has no list of the members, the compiler refuses a missing one.

import {
  type AttemptResult,
  CALL_KINDS,
  type DeadReason,
  DEAD_REASONS,
  type DeliveryId,
  DELIVERY_STATES,
  type EndRequest,
  FAULTS,
  type FilterReason,
  type InitialState,
  type MessageType,
  type Outcome,
  type Verdict,
  effectsOf,
  REGULATIONS,
} from "@postrider/core";
import { expectEqual, expectPresent } from "../check.js";
import { attempt, claimedDelivery, DELIVERED, endpoint, waitingDelivery } from "./samples.js";
import type { Scene, StoreCase } from "./scene.js";
import { idsOf, listAll } from "./pages.js";
import { deletionScene } from "./users.js";

const TYPES: readonly MessageType[] = [...CALL_KINDS, "delete"];

const VERDICTS = namesOf<Verdict>({ success: 0, retry: 0, refused: 0 });

const FILTER_REASONS = namesOf<FilterReason>({
  integrations: 0,
  "destination-off": 0,
  historical: 0,
  "no-destination": 0,
});

const END_REASONS = namesOf<EndRequest["reason"]>({ expired: 0, refused: 0, "destination-removed": 0 });

const SETTLED_DEAD = namesOf<Extract<Outcome, { kind: "dead" }>["reason"]>({ expired: 0, refused: 0, purged: 0 });

const STATUSES = [200, 204, 299, 304, 400, 404, 410, 429, 500, 503, 599];

const RESULTS: readonly AttemptResult[] = [
  ...STATUSES.map((status) => ({ kind: "answered", status }) as const),
  ...FAULTS.map((fault) => ({ kind: "silent", fault }) as const),
];

export const MEMBER_CASES: readonly StoreCase[] = [
  {
    name: "a message of each type is stored, found, claimed and listed by its type",
    async play(scene) {
      const ids = [];
      for (const type of TYPES) ids.push(await scene.acceptOne({ type }));
      for (const [index, type] of TYPES.entries()) {
        const id = expectPresent(ids[index], "the id of a delivery");
        expectEqual((await scene.record(id)).type, type, "the type as found");
        expectEqual(idsOf(await listAll(scene, { type })), [id], `the list by type ${type}`);
      }
      const claimedTypes = (await scene.claim({ limit: TYPES.length })).deliveries.map(({ id, type }) => [id, type]);
      expectEqual(
        claimedTypes.toSorted(),
        ids.map((id, index) => [id, TYPES[index]]).toSorted(),
        "the types as claimed",
      );
    },
  },
  {
    name: "an attempt with each result and each verdict is stored as it was, of a settlement and late",
    async play(scene) {
      const pairs = RESULTS.flatMap((result) => VERDICTS.map((verdict) => ({ result, verdict })));
      const attempts = pairs.map((pair, index) => {
        return attempt(scene.later(index), { ...pair, endpoint: endpoint(`e${String(index)}`) });
      });
      const id = await scene.finish(DELIVERED, { attempts });
      expectEqual((await scene.record(id)).attempts, attempts, "the attempts of a settlement");
      const lateId = await scene.finish(DELIVERED);
      await scene.commit({ append: attempts.map((lateAttempt) => ({ id: lateId, attempt: lateAttempt })) });
      expectEqual((await scene.record(lateId)).attempts, attempts, "the late attempts");
    },
  },
  {
    name: "a delivery in each state, and dead for each reason, is listed and counted as that",
    async play(scene) {
      const deadDeliveries = await killForEachReason(scene);
      await scene.finish(DELIVERED);
      await scene.accept({ deliveries: [claimedDelivery(scene.lane)] });
      await scene.accept();
      const allDeliveries = await listAll(scene);
      for (const reason of DEAD_REASONS) {
        const expected = deadDeliveries.filter((delivery) => delivery.reason === reason).map(({ id }) => id);
        expectEqual(
          idsOf(await listAll(scene, { reason })).toSorted(),
          expected.toSorted(),
          `those dead for ${reason}`,
        );
        for (const id of expected) expectEqual((await scene.record(id)).reason, reason, "the reason as found");
      }
      const counts = (await scene.store().counts()).find(({ source }) => source === scene.source);
      for (const state of DELIVERY_STATES) {
        const listedIds = idsOf(await listAll(scene, { states: [state] }));
        expectEqual(
          listedIds,
          idsOf(allDeliveries.filter((delivery) => delivery.state === state)),
          `the list by state ${state}`,
        );
        expectEqual(counts?.[state], listedIds.length, `how many are counted as ${state}`);
      }
    },
  },
  {
    name: "a new delivery, and a replay, begins in each initial state",
    async play(scene) {
      const starts: readonly InitialState[] = [
        { kind: "claimed" },
        { kind: "waiting", dueAt: scene.later(5) },
        { kind: "dead", reason: "lane-full" },
      ];
      const id = await scene.finish(DELIVERED);
      const newIds = await scene.accept({ deliveries: starts.map((start) => ({ destination: scene.lane, start })) });
      const { replayed } = await scene.commit({ replay: starts.map((start) => ({ of: id, start })) });
      for (const [index, { kind }] of starts.entries()) {
        const ids = [newIds[index], replayed[index]].map((newId) => expectPresent(newId, "the id of a delivery"));
        const states = await Promise.all(ids.map(async (newId) => (await scene.record(newId)).state));
        expectEqual(states, [kind, kind], "a new delivery, and a replay");
      }
    },
  },
  {
    name: "a unit filtered for each reason is counted as filtered",
    async play(scene) {
      const filtered = FILTER_REASONS.map((reason) => ({
        destination: reason === "no-destination" ? null : scene.otherLane,
        reason,
      }));
      await scene.accept({ deliveries: [], filtered });
      for (const unit of filtered) await scene.accept({ deliveries: [], filtered: [unit] });
      const count = 2 * FILTER_REASONS.length;
      await scene.expectCounts({ accepted: count, filtered: count }, "in the end");
    },
  },
];

interface DeadDelivery {
  readonly id: DeliveryId;
  readonly reason: DeadReason;
}

/** Kills a delivery in each way, and returns them. */
async function killForEachReason(scene: Scene): Promise<readonly DeadDelivery[]> {
  const deadDeliveries: DeadDelivery[] = [];
  for (const reason of SETTLED_DEAD) deadDeliveries.push({ id: await scene.finish({ kind: "dead", reason }), reason });
  const start = { kind: "dead", reason: "lane-full" } as const;
  const laneFullId = await scene.acceptOne({ deliveries: [{ destination: scene.lane, start }] });
  deadDeliveries.push({ id: laneFullId, reason: "lane-full" });
  for (const reason of END_REASONS) {
    const deliveries = [waitingDelivery(scene.otherLane, scene.now())];
    deadDeliveries.push({ id: await scene.acceptOne({ deliveries }), reason });
    await scene.store().end({ lane: scene.otherLane, reason, limit: 1 }, scene.now());
  }
  return deadDeliveries;
}

/** The members of a closed list that core has only as a type: the compiler wants each, and no other. */
function namesOf<Name extends string>(names: Readonly<Record<Name, 0>>): readonly Name[] {
  return Object.keys(names) as Name[];
}

export const REQUEST_MEMBER_CASES: readonly StoreCase[] = [
  {
    name: "a request of each regulation keeps it, and suppresses, purges and ends what it says",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user, open, purge } = deletionScene(scene);
      const userIds = [user("ann")];
      for (const regulation of REGULATIONS) {
        await open({ name: `before-${regulation}`, userIds, regulation: "unsuppress" });
        const id = await scene.acceptOne({ userIds });
        await open({ name: regulation, userIds, regulation });
        await purge(deletion(regulation));
        const { suppression, purges } = effectsOf(regulation);
        expectEqual((await deletions().find(deletion(regulation)))?.regulation, regulation, "the regulation as found");
        const listedRegulation = (await deletions().list({ limit: 1 })).deletions[0]?.regulation;
        expectEqual(listedRegulation, regulation, "the regulation as listed");
        const { reason } = await scene.record(id);
        expectEqual(reason === "purged", purges, `whether ${regulation} purges`);
        const [answer] = (await scene.commit({ accept: [scene.message({ userIds })] })).accepted;
        expectEqual(answer?.kind === "suppressed", suppression === "begins", `whether ${regulation} suppresses`);
      }
      await open({ name: "suppressed again", userIds, regulation: "suppress-only" });
      await open({ name: "ended", userIds, regulation: "unsuppress" });
      const [answer] = (await scene.commit({ accept: [scene.message({ userIds })] })).accepted;
      expectEqual(answer?.kind, "stored", "the answer once unsuppress has ended the suppression");
    },
  },
  {
    name: "a flag that is false asks for the same as one that is absent",
    async play(scene) {
      const id = await scene.finish(DELIVERED);
      await scene.commit({ replay: [{ of: id, start: { kind: "claimed" } }] });
      const lists = [await listAll(scene, { notReplayed: false }), await listAll(scene)];
      expectEqual(idsOf(lists[0] ?? []), idsOf(lists[1] ?? []), "the list with `notReplayed: false`");
      expectEqual(
        lists.map((list) => list.length),
        [2, 2],
        "how many are listed",
      );
      expectEqual((await listAll(scene, { notReplayed: true })).length, 1, "how many are not replayed");
    },
  },
  {
    name: "requests are listed with `unfinished` false as without it",
    needs: ["deletions"],
    async play(scene) {
      const { deletions, deletion, user, open } = deletionScene(scene);
      await open({ userIds: [user("ann")], regulation: "unsuppress" });
      await deletions().finish(deletion("1"), scene.now());
      await open({ name: "2", userIds: [user("ann")] });
      const listIds = async (query: object): Promise<readonly string[]> =>
        (await deletions().list({ ...query, limit: 2 })).deletions.map(({ id }) => id);
      expectEqual(await listIds({ unfinished: false }), [deletion("2"), deletion("1")], "with `unfinished: false`");
      expectEqual(await listIds({}), [deletion("2"), deletion("1")], "without it");
      expectEqual((await listIds({ unfinished: true }))[0], deletion("2"), "the first that is unfinished");
    },
  },
];
