// Leaves of the tables: nothing that is not to be swept goes with one, whatever happens while it is looked through, and what cannot be
// done now is done later.

import {
  type DeliveryId,
  type DeliveryStore,
  destinationId,
  epochMs,
  leaseToken,
  type NewMessage,
  type Outcome,
  sourceId,
} from "@postrider/core";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const [LANE, OTHER_LANE] = [destinationId("lane"), destinationId("other lane")];
const SOURCE = sourceId("website");
const DAY_MS = 86_400_000;
const LEASE_MS = 30_000;
const RUNS = 40;
/** A day after 1970 and more, so that what is a day older is an instant. */
const START_MS = 10 * DAY_MS;
const NOTHING = { accept: [], settle: [], replay: [], append: [], tally: [] };
const DEAD: Outcome = { kind: "dead", reason: "refused" };
const DELIVERED: Outcome = { kind: "delivered", detail: "200" };

for (const installed of installedServers().slice(0, 1)) {
  describe(`a leaf on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);
    let schemas = 0;

    async function setScene() {
      schemas += 1;
      const schema = `leaves${String(schemas)}`;
      const open = (): Promise<DeliveryStore> =>
        openPostgresStore({ pool: pool(), clock: createSystemClock(), schema, time: "caller", leafMs: 1 });
      const [store, other] = [await open(), await open()];
      let now = START_MS;
      let names = 0;
      let tokens = 0;

      function message(kind: "claimed" | "waiting"): NewMessage {
        names += 1;
        const start = kind === "claimed" ? { kind } : { kind, dueAt: epochMs(now) };
        return {
          ...{ source: SOURCE, messageId: `m${String(names)}`, type: "track", receivedAt: epochMs(now), filtered: [] },
          body: new TextEncoder().encode(`m${String(names)}`) as NewMessage["body"],
          deliveries: [{ destination: LANE, start }],
        };
      }
      async function accept(messages: readonly NewMessage[]): Promise<readonly Held[]> {
        tokens += 1;
        const token = leaseToken(`accept ${String(tokens)}`);
        const { accepted } = await store.commit(
          { ...NOTHING, accept: messages, lease: { token, leaseMs: LEASE_MS } },
          epochMs(now),
        );
        return accepted.map((result) => {
          if (result.kind !== "stored" || result.deliveries[0] === undefined) throw new Error(`it is ${result.kind}`);
          return { id: result.deliveries[0], token };
        });
      }
      async function settle({ id, token }: Held, outcome: Outcome): Promise<void> {
        const settlement = { id, token, outcome, attempts: [], endpoints: [] };
        const lease = { token: leaseToken("settles"), leaseMs: LEASE_MS };
        const { settled } = await other.commit({ ...NOTHING, settle: [settlement], lease }, epochMs(now));
        expect(settled).toEqual(["settled"]);
      }
      const scene = {
        ...{ schema, store, other, message, accept, settle },
        now: () => now,
        advance: (ms: number) => void (now += ms),
        accepted: async (kind: "claimed" | "waiting"): Promise<Held> => (await accept([message(kind)]))[0] as Held,
        finished: async (outcome: Outcome): Promise<DeliveryId> => {
          const held = await scene.accepted("claimed");
          await settle(held, outcome);
          return held.id;
        },
        claim: async (limit: number): Promise<readonly Held[]> => {
          tokens += 1;
          const token = leaseToken(`claim ${String(tokens)}`);
          const { deliveries } = await other.claim(
            { lanes: [{ lane: LANE, limit }], token, leaseMs: LEASE_MS },
            epochMs(now),
          );
          return deliveries.map(({ id }) => ({ id, token }));
        },
        /** Sweeps what was delivered, or is dead, for as long as this. */
        sweep: (delivered: number, dead = delivered): Promise<number> =>
          store.sweep(
            { deliveredBefore: epochMs(now - delivered), deadBefore: epochMs(now - dead), limit: 1_000 },
            epochMs(now),
          ),
        /** One step of what a sweep does, over two messages of a leaf. */
        step: async (delivered: number): Promise<void> => {
          await pool().query(
            `select * from ${schema}.tend_leaves(0::int2, ${String(now)}, 1, ${String(now - delivered)}, ${String(now - DAY_MS)}, 2)`,
          );
        },
        leaves: async (): Promise<readonly number[]> =>
          (await pool().query(`select number from ${schema}.leaf order by 1`)).rows.map(({ number }) => Number(number)),
        rowsIn: async (table: string): Promise<number> =>
          Number((await pool().query(`select count(*) from ${schema}.${table}`)).rows[0]?.["count"]),
      };
      return scene;
    }

    it("goes with what was delivered in it, and keeps what is dead, waits or is claimed, with its body", async () => {
      const { finished, accepted, claim, sweep, store, advance, rowsIn } = await setScene();
      const delivered = await finished(DELIVERED);
      const dead = await finished(DEAD);
      const claimed = await accepted("claimed");
      const waiting = await accepted("waiting");
      advance(100);
      expect(await sweep(50, DAY_MS)).toBe(0);
      advance(100);
      expect(await sweep(50, DAY_MS)).toBe(1);
      expect([await rowsIn("message_0"), await rowsIn("ended_0")]).toEqual([0, 0]);
      expect(await store.find(delivered)).toBeUndefined();
      for (const [id, state] of [
        [dead, "dead"],
        [claimed.id, "claimed"],
        [waiting.id, "waiting"],
      ] as const)
        expect((await store.find(id))?.state).toBe(state);
      const [taken] = await claim(1);
      expect(taken?.id).toBe(waiting.id);
    });

    it("is emptied without a row that is deleted", async () => {
      const { accept, message, store, advance, sweep, now, schema } = await setScene();
      const held = await accept(Array.from({ length: 500 }, () => message("claimed")));
      const settle = held.map(({ id, token }) => ({ id, token, outcome: DELIVERED, attempts: [], endpoints: [] }));
      await store.commit({ ...NOTHING, settle, lease: { token: leaseToken("x"), leaseMs: 1 } }, epochMs(now()));
      advance(100);
      await sweep(50);
      advance(100);
      expect(await sweep(50)).toBe(500);
      await expect
        .poll(async () => {
          const sql = `select sum(n_tup_ins) as added, sum(n_tup_del) as removed from pg_stat_user_tables where schemaname = '${schema}'
            and relname ~ '^(message|ended)_'`;
          return (await pool().query(sql)).rows[0];
        })
        .toEqual({ added: "1000", removed: "0" });
    });

    it("is neither begun nor emptied while nothing is old enough, however often it is asked", async () => {
      const { finished, sweep, store, advance, leaves } = await setScene();
      const id = await finished(DELIVERED);
      for (let time = 0; time < 20; time += 1) {
        advance(10);
        await sweep(DAY_MS);
      }
      expect(await leaves()).toEqual([0, 1]);
      expect((await store.find(id))?.state).toBe("delivered");
    });

    it("is written to for longer if the next one is not empty yet", async () => {
      const { finished, sweep, store, advance, leaves } = await setScene();
      const ids: DeliveryId[] = [];
      for (let time = 0; time < 12; time += 1) {
        ids.push(await finished(DELIVERED));
        advance(10);
        await sweep(DAY_MS);
      }
      expect(await leaves()).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
      const states = await Promise.all(ids.map(async (id) => (await store.find(id))?.state));
      expect(new Set(states)).toEqual(new Set(["delivered"]));
      advance(DAY_MS);
      for (let time = 0; time < 4; time += 1) {
        await sweep(10);
        advance(100);
      }
      expect((await store.list({ limit: 20 })).deliveries).toEqual([]);
    });

    it("keeps the later messages that have come into it because nothing was swept for very long", async () => {
      const { finished, sweep, store, advance, schema, rowsIn } = await setScene();
      const old = await finished(DELIVERED);
      advance(1_000);
      // As many commits later as eight leaves have ids for.
      await pool().query(`select setval('${schema}.block', ${String(2 ** 27)})`);
      await sweep(500);
      advance(1_000);
      const late = await finished(DELIVERED);
      expect(await rowsIn("message_0")).toBe(2);
      expect(await sweep(500)).toBe(1);
      expect(await store.find(old)).toBeUndefined();
      expect((await store.find(late))?.state).toBe("delivered");
      for (let time = 0; time < 4; time += 1) {
        await sweep(500);
        advance(1_000);
      }
      expect(await store.find(late)).toBeUndefined();
    });

    it("waits while another transaction reads it, which keeps no commit, claim or list waiting for long", async () => {
      const { finished, sweep, store, advance, accepted, claim, schema } = await setScene();
      const id = await finished(DELIVERED);
      advance(100);
      await sweep(50);
      advance(100);
      const reader = await pool().connect();
      try {
        await reader.query({ text: "begin" });
        await reader.query({ text: `select count(*) from ${schema}.message` });
        // Looked through, and so swept, but not emptied.
        expect(await sweep(50)).toBe(1);
        expect((await store.find(id))?.state).toBe("delivered");
        await accepted("waiting");
        expect(await claim(1)).toHaveLength(1);
      } finally {
        await reader.query({ text: "rollback" });
        reader.release();
      }
      expect(await sweep(50)).toBe(0);
      expect(await store.find(id)).toBeUndefined();
    });

    it("holds no message for ever of which one delivery was swept with it, and another one before it was emptied", async () => {
      const { message, settle, sweep, store, advance, now, schema, rowsIn } = await setScene();
      const token = leaseToken("both");
      const start = { kind: "claimed" } as const;
      const deliveries = [LANE, OTHER_LANE].map((destination) => ({ destination, start }));
      const accept = [{ ...message("claimed"), deliveries }];
      const { accepted } = await store.commit(
        { ...NOTHING, accept, lease: { token, leaseMs: LEASE_MS } },
        epochMs(now()),
      );
      const [one, other] = accepted[0]?.kind === "stored" ? accepted[0].deliveries : [];
      await settle({ id: one as DeliveryId, token }, DELIVERED);
      await settle({ id: other as DeliveryId, token }, DEAD);
      advance(100);
      await sweep(50, DAY_MS);
      advance(100);
      const reader = await pool().connect();
      await reader.query({ text: "begin" });
      await reader.query({ text: `select count(*) from ${schema}.message` });
      expect(await sweep(50, DAY_MS)).toBe(1);
      expect(await sweep(50)).toBe(1);
      await reader.query({ text: "rollback" });
      reader.release();
      await sweep(50);
      expect([await rowsIn("message"), await rowsIn("ended")]).toEqual([0, 0]);
    });

    it("keeps a message of which a delivery waits, also once another one is swept as a row", async () => {
      const { message, settle, claim, sweep, store, advance, now } = await setScene();
      const token = leaseToken("both");
      const deliveries = [
        { destination: OTHER_LANE, start: { kind: "claimed" } },
        { destination: LANE, start: { kind: "waiting", dueAt: epochMs(now()) } },
      ] as const;
      const accept = [{ ...message("claimed"), deliveries }];
      const lease = { token, leaseMs: LEASE_MS };
      const { accepted } = await store.commit({ ...NOTHING, accept, lease }, epochMs(now()));
      const [dead, waiting] = accepted[0]?.kind === "stored" ? accepted[0].deliveries : [];
      await settle({ id: dead as DeliveryId, token }, DEAD);
      for (let time = 0; time < 2; time += 1) {
        advance(100);
        expect(await sweep(50, DAY_MS)).toBe(0);
      }
      expect(await sweep(50)).toBe(1);
      expect((await claim(1)).map(({ id }) => id)).toEqual([waiting]);
    });

    it("is looked through also if ids have passed all of it while nothing was swept", async () => {
      const { accepted, finished, claim, sweep, advance, schema } = await setScene();
      const waiting = [(await accepted("waiting")).id];
      for (const leaf of [2, 4]) {
        await pool().query(`select setval('${schema}.block', ${String(leaf * 2 ** 24)})`);
        waiting.push((await accepted("waiting")).id);
      }
      for (let turn = 0; turn < 15; turn += 1) {
        await finished(DELIVERED);
        advance(100);
        await sweep(50);
      }
      expect((await claim(9)).map(({ id }) => id)).toEqual(waiting);
    });

    it("is retired once nothing is under way that adds to it", async () => {
      const { accepted, settle, step, store, advance, schema, rowsIn } = await setScene();
      const held = await accepted("claimed");
      advance(100);
      await step(50);
      advance(100);
      const holder = await pool().connect();
      await holder.query({ text: "begin" });
      await holder.query({ text: `select 1 from ${schema}.lease for update` });
      const settled = settle(held, DELIVERED);
      await waits(1);
      const retired = step(50);
      try {
        await waits(2);
      } finally {
        await holder.query({ text: "rollback" });
        holder.release();
        await Promise.all([settled, retired]);
      }
      for (let time = 0; time < 3; time += 1) await step(50);
      expect([await rowsIn("message_0"), await rowsIn("ended_0")]).toEqual([0, 0]);
      expect((await store.find(held.id))?.state).toBe("delivered");
    });

    /** Until this number of connections wait for a lock. */
    async function waits(count: number): Promise<void> {
      const sql = "select count(*)::int4 as count from pg_stat_activity where wait_event_type = 'Lock'";
      await expect.poll(async () => Number((await pool().query(sql)).rows[0]?.["count"])).toBe(count);
    }

    it("takes the attempts and the replayed marks of a delivery along, or leaves them with it", async () => {
      const { accepted, settle, claim, sweep, store, advance, now, rowsIn } = await setScene();
      const held = await accepted("claimed");
      const attempt = {
        round: 1,
        endpoint: "https://a.example/",
        startedAt: epochMs(now()),
        durationMs: 1,
        verdict: "retry",
      };
      const first = { ...attempt, result: { kind: "answered", status: 503 } };
      await store.commit(
        {
          ...NOTHING,
          settle: [
            {
              ...held,
              outcome: { kind: "rescheduled", dueAt: epochMs(now()), detail: "503" },
              attempts: [first] as never,
              endpoints: [],
            },
          ],
          lease: { token: leaseToken("x"), leaseMs: 1 },
        },
        epochMs(now()),
      );
      const [again] = await claim(1);
      await settle(again as Held, DEAD);
      const replay = { of: held.id, start: { kind: "waiting", dueAt: epochMs(now()) } } as const;
      await store.commit(
        { ...NOTHING, replay: [replay], lease: { token: leaseToken("x"), leaseMs: 1 } },
        epochMs(now()),
      );
      advance(100);
      await sweep(50, DAY_MS);
      advance(100);
      await sweep(50, DAY_MS);
      expect(await rowsIn("attempt_0")).toBe(0);
      expect((await store.find(held.id))?.attempts).toHaveLength(1);
      const listed = async () => (await store.list({ notReplayed: true, limit: 9 })).deliveries.map(({ id }) => id);
      expect(await listed()).not.toContain(held.id);
      advance(DAY_MS);
      for (let time = 0; time < 4; time += 1) await sweep(50);
      expect([await rowsIn("attempt"), await rowsIn("replayed"), await rowsIn("ended")]).toEqual([0, 0, 0]);
    });

    /** A scene with one message that is repeated. A leaf of ids is begun about each day, however often it is swept. */
    async function setRepeats(kind: "claimed" | "waiting") {
      const scene = await setScene();
      const { message, accepted, sweep, store, advance, now } = scene;
      const repeated = message(kind);
      const again = async (): Promise<string | undefined> => {
        const lease = { token: leaseToken("x"), leaseMs: LEASE_MS };
        return (await store.commit({ ...NOTHING, accept: [repeated], lease }, epochMs(now()))).accepted[0]?.kind;
      };
      const sweepAfter = async (ms: number): Promise<void> => {
        advance(ms);
        await accepted("waiting");
        for (let time = 0; time < 3; time += 1) await sweep(1_000);
      };
      return { ...scene, again, sweepAfter };
    }

    for (const kind of ["claimed", "waiting"] as const) {
      it(`of message ids remembers for a day, and for another one if the clock is set back, of ${kind} calls`, async () => {
        const { again, sweepAfter, advance, rowsIn } = await setRepeats(kind);
        await sweepAfter(0);
        advance(10);
        expect(await again()).toBe("stored");
        await sweepAfter(DAY_MS - 10);
        expect(await again()).toBe("duplicate");
        await sweepAfter(DAY_MS);
        const setBackMs = DAY_MS - 9;
        advance(-setBackMs);
        expect(await again()).toBe("duplicate");
        advance(1);
        expect(await again()).toBe("stored");
        advance(setBackMs);
        for (let day = 0; day < 4; day += 1) await sweepAfter(DAY_MS);
        expect(await rowsIn("seen")).toBeLessThan(4);
      });

      it(`of message ids remembers for a day what came just before the clock was set back and the leaf turned, of ${kind} calls`, async () => {
        const { again, sweepAfter, advance } = await setRepeats(kind);
        await sweepAfter(0);
        advance(DAY_MS + 1_000);
        expect(await again()).toBe("stored");
        await sweepAfter(-1_000);
        await sweepAfter(DAY_MS);
        advance(500);
        expect(await again()).toBe("duplicate");
        advance(500);
        expect(await again()).toBe("stored");
      });
    }

    it("loses nothing, whatever is accepted, claimed and settled during its steps", async () => {
      const move = fc.oneof(
        ...[
          { weight: 3, arbitrary: fc.constant("accept claimed" as const) },
          { weight: 2, arbitrary: fc.constant("accept waiting" as const) },
          { weight: 2, arbitrary: fc.constant("claim" as const) },
          { weight: 3, arbitrary: fc.constant("deliver" as const) },
          { weight: 2, arbitrary: fc.constant("give back" as const) },
          { weight: 1, arbitrary: fc.constant("give up" as const) },
          { weight: 6, arbitrary: fc.constant("step" as const) },
          { weight: 2, arbitrary: fc.constant("wait" as const) },
        ],
      );
      await fc.assert(
        fc.asyncProperty(fc.array(move, { minLength: 30, maxLength: 60 }), async (moves) => {
          const scene = await setScene();
          const held: Held[] = [];
          const delivered = new Map<DeliveryId, number>();
          const [alive, dead] = [new Set<DeliveryId>(), new Set<DeliveryId>()];
          const steps: Promise<void>[] = [];
          for (const one of moves) {
            if (one === "accept claimed") held.push(await scene.accepted("claimed"));
            if (one === "accept waiting") alive.add((await scene.accepted("waiting")).id);
            if (one === "claim") held.push(...(await scene.claim(1)));
            if (one === "wait") await Promise.all(steps.splice(0)).then(() => scene.advance(20));
            if (one === "step") steps.push(scene.step(30));
            for (const { id } of held) alive.add(id);
            const [first] = held;
            if (first === undefined || !["deliver", "give back", "give up"].includes(one)) continue;
            held.shift();
            if (one === "give back") {
              await scene.settle(first, { kind: "released", dueAt: epochMs(scene.now()) });
              continue;
            }
            alive.delete(first.id);
            if (one === "deliver") delivered.set(first.id, scene.now());
            else dead.add(first.id);
            await scene.settle(first, one === "deliver" ? DELIVERED : DEAD);
          }
          await Promise.all(steps);
          const stateOf = async (id: DeliveryId) => (await scene.store.find(id))?.state;
          const rightly = { alive: ["waiting", "claimed"], dead: ["dead"] };
          for (const id of alive) expect(rightly.alive).toContain(await stateOf(id));
          for (const id of dead) expect(rightly.dead).toContain(await stateOf(id));
          for (const [id, at] of delivered) if (at >= scene.now() - 30) expect(await stateOf(id)).toBe("delivered");
          expect((await scene.claim(100)).length + held.length).toBe(alive.size);
          await pool().query(`drop schema ${scene.schema} cascade`);
        }),
        { numRuns: RUNS },
      );
    });
  });
}

interface Held {
  readonly id: DeliveryId;
  readonly token: ReturnType<typeof leaseToken>;
}
