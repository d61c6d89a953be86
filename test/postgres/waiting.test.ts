// What waits for what: a request whose transaction has not ended holds up those that must know how it ends, and no others.

import {
  type AttemptRecord,
  type Changes,
  deletionId,
  type DeliveryId,
  type DeliveryStore,
  destinationId,
  endpointId,
  type EpochMs,
  leaseToken,
  type NewMessage,
  sourceId,
} from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { type HeldPool, holdingPool } from "./held-pool.js";
import { installedServers, type Running } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const [LANE, OTHER_LANE] = [destinationId("lane"), destinationId("other lane")];
const LEASE_MS = 1_000;
/** Whether a request waits for a transaction that is held. */
const WAITS = `select exists (select from pg_stat_activity waiting, pg_stat_activity holding
  where waiting.wait_event_type = 'Lock' and holding.pid = any(pg_blocking_pids(waiting.pid))
    and holding.state = 'idle in transaction') as waits`;
const SWEEP_OF_ROWS = /\.sweep\(/u;
const DEAD = { deliveries: [{ destination: LANE, start: { kind: "dead", reason: "lane-full" } }] } as const;

interface Scene {
  /** The store whose requests can be held, and another process. */
  readonly store: DeliveryStore;
  readonly other: DeliveryStore;
  readonly pool: HeldPool;
  now(): EpochMs;
  commit(store: DeliveryStore, changes: Partial<Changes>, token?: string): ReturnType<DeliveryStore["commit"]>;
  claim(store: DeliveryStore, token: string, lane?: typeof LANE): Promise<readonly DeliveryId[]>;
  message(messageId: string, given?: Partial<NewMessage>): NewMessage;
  advance(ms: number): Promise<void>;
  /** Sweeps one delivery that is dead. */
  sweep(store: DeliveryStore): Promise<number>;
  rowsIn(table: string): Promise<number>;
}

for (const installed of installedServers()) {
  describe(`overlapping requests on ${installed.name}`, () => {
    const { server, pool: watching } = startForSuite(installed);

    /** Holds `first`, starts `second`, says whether that waited, and lets both end. */
    async function overlap<A, B>(
      pool: HeldPool,
      first: () => Promise<A>,
      second: () => Promise<B>,
      text = /./u,
    ): Promise<[A, B, "waited" | "went on"]> {
      pool.hold(text);
      const one = first();
      await pool.held();
      const two = second();
      const over = { two: false };
      void two.finally(() => (over.two = true)).catch(() => undefined);
      const waits = async (): Promise<unknown> => (await watching().query(WAITS)).rows[0]?.["waits"];
      await expect.poll(async () => over.two || (await waits())).toBe(true);
      const waited = over.two ? "went on" : "waited";
      pool.letGo();
      return [await one, await two, waited];
    }

    it("a claim waits for a settlement of a lease that has ended, and takes what that makes due at once", async () => {
      const scene = await setScene(server());
      const accept = [scene.message("1", { deliveries: [{ destination: LANE, start: { kind: "claimed" } }] })];
      const id = idOf(await scene.commit(scene.store, { accept }, "first"));
      await scene.advance(LEASE_MS);
      const settle = [
        {
          id,
          token: leaseToken("first"),
          outcome: { kind: "released", dueAt: scene.now() },
          attempts: [],
          endpoints: [],
        },
      ] as const;
      const [answer, claimed, waited] = await overlap(
        scene.pool,
        () => scene.commit(scene.store, { settle }),
        () => scene.claim(scene.other, "second"),
      );
      expect([answer.settled, claimed, waited]).toEqual([["settled"], [id], "waited"]);
    });

    it("a settlement waits for a claim that takes its delivery over, and is stale", async () => {
      const scene = await setScene(server());
      const accept = [scene.message("1", { deliveries: [{ destination: LANE, start: { kind: "claimed" } }] })];
      const id = idOf(await scene.commit(scene.store, { accept }, "first"));
      await scene.advance(LEASE_MS);
      const settle = [
        { id, token: leaseToken("first"), outcome: { kind: "delivered", detail: "200" }, attempts: [], endpoints: [] },
      ] as const;
      const [claimed, answer, waited] = await overlap(
        scene.pool,
        () => scene.claim(scene.store, "second"),
        () => scene.commit(scene.other, { settle }),
      );
      expect([claimed, answer.settled, waited]).toEqual([[id], ["stale"], "waited"]);
    });

    it("two claims of a lane wait for each other, and share what is due; a claim of another lane goes on", async () => {
      const scene = await setScene(server());
      await scene.commit(scene.store, { accept: [scene.message("1"), scene.message("2")] });
      await scene.commit(scene.store, {
        accept: [
          scene.message("3", {
            deliveries: [{ destination: OTHER_LANE, start: { kind: "waiting", dueAt: scene.now() } }],
          }),
        ],
      });
      const [mine, theirs, waited] = await overlap(
        scene.pool,
        () => scene.claim(scene.store, "one"),
        () => scene.claim(scene.other, "two"),
      );
      expect([mine.length, theirs.length, waited]).toEqual([2, 0, "waited"]);
      const [, others, wentOn] = await overlap(
        scene.pool,
        () => scene.claim(scene.store, "three"),
        () => scene.claim(scene.other, "four", OTHER_LANE),
      );
      expect([others.length, wentOn]).toEqual([1, "went on"]);
    });

    it("a claim hands out what is stored while it waits, of a source that the database did not know when it began", async () => {
      const scene = await setScene(server());
      const isWaiting = async (): Promise<unknown> => (await watching().query(WAITS)).rows[0]?.["waits"];
      scene.pool.hold(/./u);
      const first = scene.claim(scene.store, "one");
      await scene.pool.held();
      const second = scene.claim(scene.other, "two");
      await expect.poll(isWaiting).toBe(true);
      const id = idOf(await scene.commit(scene.other, { accept: [scene.message("1", { source: sourceId("new") })] }));
      scene.pool.letGo();
      expect([await first, await second]).toEqual([[], [id]]);
    });

    it("a commit does not wait for a claim of its lane, nor for a commit of other message ids", async () => {
      const scene = await setScene(server());
      await scene.commit(scene.store, { accept: [scene.message("1")] });
      const [claimed, answer, waited] = await overlap(
        scene.pool,
        () => scene.claim(scene.store, "one"),
        () => scene.commit(scene.other, { accept: [scene.message("2")] }),
      );
      expect([claimed.length, answer.accepted[0]?.kind, waited]).toEqual([1, "stored", "went on"]);
      const [first, second, again] = await overlap(
        scene.pool,
        () => scene.commit(scene.store, { accept: [scene.message("3")] }),
        () => scene.commit(scene.other, { accept: [scene.message("4")] }),
      );
      expect([first.accepted[0]?.kind, second.accepted[0]?.kind, again]).toEqual(["stored", "stored", "went on"]);
    });

    it("of two commits with one message id the second waits, and has a duplicate", async () => {
      const scene = await setScene(server());
      const [first, second, waited] = await overlap(
        scene.pool,
        () => scene.commit(scene.store, { accept: [scene.message("same")] }),
        () => scene.commit(scene.other, { accept: [scene.message("same")] }),
      );
      expect([first.accepted[0]?.kind, second.accepted[0]?.kind, waited]).toEqual(["stored", "duplicate", "waited"]);
    });

    it("a request about users waits for a commit under way, and covers what that stores", async () => {
      const scene = await setScene(server());
      const request = { id: deletionId("d"), regulation: "suppress-only", userIds: ["ann"], sources: null } as const;
      const [answer, , waited] = await overlap(
        scene.pool,
        () => scene.commit(scene.store, { accept: [scene.message("1", { userIds: ["ann"] })] }),
        () => scene.other.deletions?.open(request, scene.now()) ?? Promise.reject(new Error("no deletions")),
      );
      expect([answer.accepted[0]?.kind, waited]).toEqual(["stored", "waited"]);
      expect(await scene.claim(scene.store, "one")).toEqual([]);
      expect((await scene.store.find(idOf(answer)))?.reason).toBe("purged");
    });

    it("a replay waits for a sweep, and finds nothing that it has removed", async () => {
      const scene = await setScene(server());
      const of = idOf(await scene.commit(scene.store, { accept: [scene.message("1", DEAD)] }));
      const before = (scene.now() + 1) as EpochMs;
      const [swept, answer, waited] = await overlap(
        scene.pool,
        () => scene.store.sweep({ deliveredBefore: before, deadBefore: before, limit: 9 }, scene.now()),
        () => scene.commit(scene.other, { replay: [{ of, start: { kind: "claimed" } }] }),
        SWEEP_OF_ROWS,
      );
      expect([swept, answer.replayed, waited]).toEqual([1, [undefined], "waited"]);
    });

    it("a late attempt waits for a sweep, and finds its delivery gone; other commits do not wait", async () => {
      const scene = await setScene(server());
      const before = (scene.now() + 1) as EpochMs;
      const sweep = (): Promise<number> =>
        scene.store.sweep({ deliveredBefore: before, deadBefore: before, limit: 1 }, scene.now());
      const id = idOf(await scene.commit(scene.store, { accept: [scene.message("1", DEAD)] }));
      const append = [{ id, attempt: attemptAt(scene.now()) }];
      const add = () => scene.commit(scene.other, { append });
      const [swept, late, waited] = await overlap(scene.pool, sweep, add, SWEEP_OF_ROWS);
      expect([swept, late.appended, waited]).toEqual([1, ["gone"], "waited"]);

      await scene.commit(scene.store, { accept: [scene.message("2", DEAD)] });
      const accept = () => scene.commit(scene.other, { accept: [scene.message("3")] });
      const [sweptToo, answer, again] = await overlap(scene.pool, sweep, accept, SWEEP_OF_ROWS);
      expect([sweptToo, answer.accepted[0]?.kind, again]).toEqual([1, "stored", "went on"]);
    });

    it("a sweep goes on beside a late attempt, and takes its delivery the next time, with that attempt", async () => {
      const scene = await setScene(server());
      // The first sweep begins a leaf of message ids, for which it waits for commits.
      await scene.sweep(scene.other);
      const id = idOf(await scene.commit(scene.store, { accept: [scene.message("1", DEAD)] }));
      const append = [{ id, attempt: attemptAt(scene.now()) }];
      const [late, swept, waited] = await overlap(
        scene.pool,
        () => scene.commit(scene.store, { append }),
        () => scene.sweep(scene.other),
      );
      expect([late.appended, swept, waited]).toEqual([["appended"], 0, "went on"]);
      expect([await scene.sweep(scene.other), await scene.rowsIn("attempt")]).toEqual([1, 0]);
    });

    it("a sweep waits for a sweep of another delivery of its message, and one of them removes the message", async () => {
      const scene = await setScene(server());
      const deliveries = [LANE, OTHER_LANE].map((destination) => ({ ...DEAD.deliveries[0], destination }));
      await scene.commit(scene.store, { accept: [scene.message("1", { deliveries })] });
      const answers = await overlap(
        scene.pool,
        () => scene.sweep(scene.store),
        () => scene.sweep(scene.other),
        SWEEP_OF_ROWS,
      );
      expect([...answers, await scene.rowsIn("message")]).toEqual([1, 1, "waited", 0]);
    });

    it("bringing forward waits for a settlement, and leaves alone what that has finished", async () => {
      const scene = await setScene(server());
      const accept = [scene.message("1", { deliveries: [{ destination: LANE, start: { kind: "claimed" } }] })];
      const id = idOf(await scene.commit(scene.store, { accept }, "first"));
      const settle = [
        { id, token: leaseToken("first"), outcome: { kind: "delivered", detail: "200" }, attempts: [], endpoints: [] },
      ] as const;
      const request = { lane: LANE, dueAfter: scene.now(), dueAt: scene.now(), limit: 9 };
      const [answer, changed, waited] = await overlap(
        scene.pool,
        () => scene.commit(scene.store, { settle }),
        () => scene.other.pullIn(request, scene.now()),
      );
      expect([answer.settled, changed, waited]).toEqual([["settled"], 0, "waited"]);
      expect(await scene.claim(scene.store, "second")).toEqual([]);
    });

    it("a slice of a purge waits for a settlement, and counts its delivery once", async () => {
      const scene = await setScene(server());
      const deletion = deletionId("d");
      const accept = [
        scene.message("1", { userIds: ["ann"], deliveries: [{ destination: LANE, start: { kind: "claimed" } }] }),
      ];
      const id = idOf(await scene.commit(scene.store, { accept }, "first"));
      const { deletions } = scene.other;
      if (deletions === undefined) throw new Error("no deletions");
      const request = { id: deletion, regulation: "delete-only", userIds: ["ann"], sources: null } as const;
      await deletions.open(request, scene.now());
      const outcome = { kind: "rescheduled", dueAt: scene.now(), detail: "503" } as const;
      const settle = [{ id, token: leaseToken("first"), outcome, attempts: [], endpoints: [] }];
      const [answer, , waited] = await overlap(
        scene.pool,
        () => scene.commit(scene.store, { settle }),
        () => deletions.purge({ id: deletion, limit: 9 }, scene.now()),
      );
      const purged = (await deletions.find(deletion))?.purged;
      expect([answer.settled, purged, waited]).toEqual([["purged"], 1, "waited"]);
    });
  });
}

function attemptAt(startedAt: EpochMs): AttemptRecord {
  const result = { kind: "answered", status: 200 } as const;
  return { round: 1, endpoint: endpointId("https://a.example/"), startedAt, durationMs: 1, result, verdict: "success" };
}

let schemas = 0;

async function setScene(server: Running): Promise<Scene> {
  schemas += 1;
  // All of it in one leaf, so that sweeps take rows.
  const leafMs = Number.MAX_SAFE_INTEGER;
  const options = { schema: `waiting ${String(schemas)}`, time: "caller", clock: createSystemClock(), leafMs } as const;
  const pool = holdingPool(server.pool());
  const store = await openPostgresStore({ pool, ...options });
  const other = await openPostgresStore({ pool: server.pool(), ...options });
  const clock = createManualClock();
  const now = (): EpochMs => clock.wall();
  // Names get their numbers before anything is held.
  for (const one of [store, other]) {
    const lanes = [LANE, OTHER_LANE].map((lane) => ({ lane, limit: 0 }));
    await one.claim({ token: leaseToken("names"), leaseMs: LEASE_MS, lanes }, now());
    const tally = [{ source: sourceId("source"), refused: 0, suppressed: 0, shed: 0 }];
    await one.commit(
      { accept: [], settle: [], replay: [], append: [], tally, lease: { token: leaseToken("names"), leaseMs: 1 } },
      now(),
    );
  }
  return {
    ...{ store, other, pool, now },
    advance: (ms) => clock.advance(ms),
    sweep: (from) => {
      const before = (now() + 1) as EpochMs;
      return from.sweep({ deliveredBefore: before, deadBefore: before, limit: 1 }, now());
    },
    rowsIn: async (table) => {
      const { rows } = await server.pool(1).query(`select count(*) from "${options.schema}".${table}`);
      return Number(rows[0]?.["count"]);
    },
    commit: (to, changes, token = "commit") => {
      const lease = { token: leaseToken(token), leaseMs: LEASE_MS };
      return to.commit({ accept: [], settle: [], replay: [], append: [], tally: [], lease, ...changes }, now());
    },
    claim: async (from, token, lane = LANE) => {
      const lanes = [{ lane, limit: 10 }];
      return (await from.claim({ token: leaseToken(token), leaseMs: LEASE_MS, lanes }, now())).deliveries.map(
        ({ id }) => id,
      );
    },
    message: (messageId, given = {}) => ({
      ...{ source: sourceId("source"), messageId, type: "track", receivedAt: now(), filtered: [] },
      body: new TextEncoder().encode("{}") as NewMessage["body"],
      deliveries: [{ destination: LANE, start: { kind: "waiting", dueAt: now() } }],
      ...given,
    }),
  };
}

function idOf({ accepted: [answer] }: Awaited<ReturnType<DeliveryStore["commit"]>>): DeliveryId {
  if (answer?.kind !== "stored" || answer.deliveries[0] === undefined) throw new Error("the message was not stored");
  return answer.deliveries[0];
}
