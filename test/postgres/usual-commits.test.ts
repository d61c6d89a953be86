// A usual commit leaves the store as the function for any commit would leave it, and what is not as its process believes is left to that
// function.

import {
  deletionId,
  type DeliveryId,
  type DeliveryStore,
  destinationId,
  endpointId,
  epochMs,
  leaseToken,
  type NewMessage,
  type Settlement,
  sourceId,
} from "@postrider/core";
import { openPostgresStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { holdingPool } from "./held-pool.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";
import { notingCommits, withoutUsualCommits } from "./usual-pool.js";

const LANES = ["crm", "mail", "ads"].map((name) => destinationId(name));
const SOURCES = ["website", "app"].map((name) => sourceId(name));
const USERS = ["anna", "ben", "cleo"];
const NOW = 100 * 86_400_000;
const LEASE_MS = 30_000;
const NOTHING = { accept: [], settle: [], replay: [], append: [], tally: [] };
const RUNS = 15;

/** A call of a commit: few ids and users, so that some meet. */
interface Call {
  readonly id: number;
  readonly source: number;
  readonly lanes: readonly number[];
  readonly user: number;
  /** The number of requests that the call has not seen; 3: they do not matter for it. */
  readonly behind: number;
  readonly filtered: number;
  readonly size: number;
}

interface Step {
  readonly calls: readonly Call[];
  /** Settles these of the deliveries that have been stored, with a byte of the answer if there is an excerpt. */
  readonly settle: readonly { readonly nth: number; readonly token: number; readonly excerpt: number }[];
  /** Opens a request about this user before, if it is one. */
  readonly request: number;
  readonly laterMs: number;
}

const CALL = fc.record<Call>({
  id: fc.nat(30),
  source: fc.nat(1),
  lanes: fc.uniqueArray(fc.nat(2), { minLength: 1 }),
  user: fc.nat(USERS.length),
  behind: fc.constantFrom(0, 0, 0, 1, 3),
  filtered: fc.nat(2),
  size: fc.integer({ min: 1, max: 3_000 }),
});

const PLAIN: Call = { id: 1, source: 0, lanes: [0], user: USERS.length, behind: 3, filtered: 0, size: 10 };

const STEP = fc.record<Step>({
  calls: fc.array(CALL, { maxLength: 12 }),
  settle: fc.array(fc.record({ nth: fc.nat(40), token: fc.nat(9), excerpt: fc.nat(3) }), { maxLength: 12 }),
  request: fc.nat(30),
  laterMs: fc.constantFrom(1, 1, 1, 1_000, 90_000_000),
});

/** True if a request waits for a transaction that is held. */
const WAITS = `select exists (select from pg_stat_activity waiting, pg_stat_activity holding
  where waiting.wait_event_type = 'Lock' and holding.pid = any(pg_blocking_pids(waiting.pid))
    and holding.state = 'idle in transaction') as waits`;

let schemas = 0;

/** Each run has other names, since all runs share a schema. */
function messageOf(call: Call, requests: number, run = 0): NewMessage {
  const user = USERS[call.user];
  return {
    source: SOURCES[call.source] ?? sourceId(""),
    messageId: `m${String(call.id)} of ${String(run)}`,
    type: "track",
    receivedAt: epochMs(NOW),
    ...(user !== undefined && { userIds: [`${user} of ${String(run)}`] }),
    ...(call.behind < 3 && {
      asOf: Math.max(0, requests - call.behind),
      traceparent: `00-${"1".repeat(32)}-${"2".repeat(16)}-01`,
    }),
    body: new Uint8Array(call.size).fill(call.id) as NewMessage["body"],
    deliveries: call.lanes.map((lane) => ({
      destination: LANES[lane] ?? destinationId(""),
      start: { kind: "claimed" },
    })),
    filtered: Array.from({ length: call.filtered }, (_, unit) => ({
      destination: destinationId(`d${String(unit)}`),
      reason: "integrations",
    })),
  };
}

function delivered(id: DeliveryId, token: string, excerpt: number): Settlement {
  const endpoint = endpointId("https://hooks.example/in");
  const attempt = { round: 1, endpoint, startedAt: epochMs(NOW), durationMs: 3, verdict: "success" } as const;
  return {
    ...{ id, token: leaseToken(token), outcome: { kind: "delivered", detail: "200" } },
    attempts: [{ ...attempt, result: { kind: "answered", status: 200 } }],
    endpoints: [{ endpoint, refused: false, ...(excerpt === 0 && { excerpt: new Uint8Array([excerpt]) }) }],
  };
}

/** A store, and the number of requests about users that it has had. */
interface Played {
  readonly store: DeliveryStore;
  requests: number;
}

/**
 * Plays the steps, and tells all that can be seen of the store then. Ids are told by the order in which they were given. At the end,
 * nothing of the run is unfinished.
 */
async function play(played: Played, steps: readonly Step[], run: number): Promise<unknown> {
  const { store } = played;
  const held: { readonly id: DeliveryId; readonly token: string }[] = [];
  const told: unknown[] = [];
  let now = epochMs(NOW);
  for (const [index, step] of steps.entries()) {
    now = epochMs(now + step.laterMs);
    const user = USERS[step.request];
    if (user !== undefined) {
      played.requests += 1;
      const regulation = step.laterMs === 1 ? "suppress-with-delete" : "delete-only";
      await store.deletions?.open(
        {
          ...{ id: deletionId(`r${String(index)} of ${String(run)}`), regulation, sources: null },
          userIds: [`${user} of ${String(run)}`],
        },
        now,
      );
    }
    const tokenOf = (step: number): string => `t${String(step)} of ${String(run)}`;
    const token = tokenOf(index);
    const settle = step.settle.flatMap(({ nth, token: other, excerpt }) => {
      const found = held[nth];
      return found === undefined ? [] : [delivered(found.id, other === 0 ? tokenOf(nth) : found.token, excerpt)];
    });
    const accept = step.calls.map((call) => messageOf(call, played.requests, run));
    const result = await store.commit(
      { ...NOTHING, accept, settle, lease: { token: leaseToken(token), leaseMs: LEASE_MS } },
      now,
    );
    told.push(
      result.settled,
      result.accepted.map(({ kind }) => kind),
    );
    for (const accepted of result.accepted)
      if (accepted.kind === "stored") held.push(...accepted.deliveries.map((id) => ({ id, token })));
  }
  const nth = new Map(held.map(({ id }, index) => [id, index]));
  for (const { id } of held) {
    told.push({ ...(await store.find(id)), id: "" });
  }
  told.push(await store.counts(), await store.lanes({ limit: 9 }, now));
  const lanes = LANES.map((lane) => ({ lane, limit: 500 }));
  const lease = { token: leaseToken(`last of ${String(run)}`), leaseMs: LEASE_MS };
  const claim = await store.claim({ ...lease, lanes }, epochMs(now + LEASE_MS));
  told.push(claim.deliveries.map(({ id, ...delivery }) => ({ ...delivery, nth: nth.get(id) })));
  const settle = claim.deliveries.map(({ id }) => delivered(id, lease.token, 1));
  told.push((await store.commit({ ...NOTHING, settle, lease }, epochMs(now + LEASE_MS))).settled);
  return told;
}

for (const installed of installedServers()) {
  describe(`usual commits on ${installed.name}`, () => {
    const { server } = startForSuite(installed);

    /** A process on a new schema, or on one that there is. */
    function open(pool: PostgresPool, schema?: string): Promise<DeliveryStore> {
      schemas += schema === undefined ? 1 : 0;
      const options = {
        schema: schema ?? `usual${String(schemas)}`,
        time: "caller",
        clock: createSystemClock(),
      } as const;
      return openPostgresStore({ pool, ...options });
    }

    it("leave the store as the function for any commit would leave it, also with known ids, requests about users and lost leases", async () => {
      const kinds = new Set<string>();
      const pool = notingCommits(server().pool(1));
      const usual = { store: await open(pool), requests: 0 };
      const any = { store: await open(withoutUsualCommits(server().pool(1))), requests: 0 };
      let run = 0;
      await fc.assert(
        fc.asyncProperty(fc.array(STEP, { minLength: 1, maxLength: 6 }), async (steps) => {
          run += 1;
          expect(await play(usual, steps, run)).toEqual(await play(any, steps, run));
        }),
        { numRuns: RUNS },
      );
      for (const [index, kind] of pool.commits.entries())
        kinds.add(kind === "any" && pool.commits[index - 1] === "usual" ? "usual, then any" : kind);
      // Some were usual, some were not, and some seemed to be and were not.
      expect(kinds).toEqual(new Set(["usual", "any", "usual, then any"]));
    });

    it("of two processes with the same new calls at the same time, each call is stored by one", async () => {
      const store = await open(server().pool(1));
      const other = await open(server().pool(1), `usual${String(schemas)}`);
      const ids = Array.from({ length: 60 }, (_, id) => id);
      const stored = await Promise.all(
        [store, other].flatMap((by, process) =>
          Array.from({ length: 10 }, async (_, first) => {
            const some = ids.slice(first * 5, first * 5 + 15);
            const accept = (process === 0 ? some : some.toReversed()).map((id) => messageOf({ ...PLAIN, id }, 0));
            const lease = { token: leaseToken(`t${String(process)}`), leaseMs: LEASE_MS };
            const { accepted } = await by.commit({ ...NOTHING, accept, lease }, epochMs(NOW));
            return accepted.filter(({ kind }) => kind === "stored").length;
          }),
        ),
      );
      expect(stored.reduce((sum, count) => sum + count, 0)).toBe(ids.length);
      expect((await store.counts()).map(({ claimed, duplicates }) => [claimed, duplicates])).toEqual([[60, 240]]);
    });

    it("two that settle the last two deliveries of a lease at the same time leave nothing of it", async () => {
      const noting = notingCommits(server().pool(2));
      const store = await open(noting);
      const accept = [1, 2, 3].map((id) => messageOf({ ...PLAIN, id }, 0));
      const lease = { token: leaseToken("t"), leaseMs: LEASE_MS };
      const { accepted } = await store.commit({ ...NOTHING, accept, lease }, epochMs(NOW));
      const ids = accepted.flatMap((result) => (result.kind === "stored" ? result.deliveries : []));
      const results = await Promise.all(
        ids.map((id) => store.commit({ ...NOTHING, settle: [delivered(id, "t", 1)], lease }, epochMs(NOW))),
      );
      expect(results.map(({ settled }) => settled)).toEqual([["settled"], ["settled"], ["settled"]]);
      expect(noting.commits).toEqual(["usual", "usual", "usual", "usual"]);
      const { rows } = await server()
        .pool(1)
        .query(`select count(*)::int4 as leases from usual${String(schemas)}.lease`);
      expect(rows).toEqual([{ leases: 0 }]);
      expect(await store.lanes({ limit: 9 }, epochMs(NOW))).toEqual({ lanes: [], more: false });
    });

    it("a settlement that is made twice at the same time, of a lease of which more is open, counts once", async () => {
      const pool = holdingPool(server().pool(3));
      const store = await open(pool);
      const lease = { token: leaseToken("t"), leaseMs: LEASE_MS };
      const accept = [1, 2].map((id) => messageOf({ ...PLAIN, id }, 0));
      const { accepted } = await store.commit({ ...NOTHING, accept, lease }, epochMs(NOW));
      const [id] = accepted.flatMap((result) => (result.kind === "stored" ? result.deliveries : []));
      if (id === undefined) throw new Error("two deliveries are stored");
      const settle = async (): Promise<unknown> =>
        (await store.commit({ ...NOTHING, settle: [delivered(id, "t", 1)], lease }, epochMs(NOW))).settled;
      pool.hold(/commit_usual/u);
      const first = settle();
      await pool.held();
      const second = settle();
      await expect.poll(async () => (await server().pool(1).query(WAITS)).rows).toEqual([{ waits: true }]);
      pool.letGo();
      expect([await first, await second]).toEqual([["settled"], ["stale"]]);
      expect((await store.find(id))?.attemptCount).toBe(1);
    });

    it("a request about a user waits for one that is under way", async () => {
      const pool = holdingPool(server().pool(2));
      const store = await open(pool);
      const request = {
        id: deletionId("r"),
        regulation: "delete-only",
        userIds: ["anna of 0"],
        sources: null,
      } as const;
      const lease = { token: leaseToken("t"), leaseMs: LEASE_MS };
      pool.hold(/commit_usual/u);
      const first = store.commit({ ...NOTHING, accept: [messageOf({ ...PLAIN, user: 0 }, 0)], lease }, epochMs(NOW));
      await pool.held();
      const second = store.deletions?.open(request, epochMs(NOW));
      await expect.poll(async () => (await server().pool(1).query(WAITS)).rows).toEqual([{ waits: true }]);
      pool.letGo();
      await Promise.all([first, second]);
    });

    for (const [what, count] of [
      ["whole", 2],
      ["in part", 1],
    ] as const)
      it(`a lease whose number another one has, as after a failover, is not settled ${what}`, async () => {
        const [schema, store] = [`usual${String(schemas + 1)}`, await open(server().pool(1))];
        const lease = { token: leaseToken("t"), leaseMs: LEASE_MS };
        const accept = [1, 2].map((id) => messageOf({ ...PLAIN, id }, 0));
        const { accepted } = await store.commit({ ...NOTHING, accept, lease }, epochMs(NOW));
        const ids = accepted.flatMap((result) => (result.kind === "stored" ? result.deliveries : []));
        await server().pool(1).query(`update ${schema}.lease set token = gen_random_uuid()`);
        const settle = ids.slice(0, count).map((id) => delivered(id, "t", 1));
        const { settled } = await store.commit({ ...NOTHING, settle, lease }, epochMs(NOW));
        expect(settled).toEqual(settle.map(() => "stale"));
      });

    it("a request about another user that is open makes no commit unusual", async () => {
      const noting = notingCommits(server().pool(1));
      const store = await open(noting);
      const request = {
        id: deletionId("r"),
        regulation: "suppress-with-delete",
        userIds: ["anna of 0"],
        sources: null,
      } as const;
      await store.deletions?.open(request, epochMs(NOW));
      const lease = { token: leaseToken("t"), leaseMs: LEASE_MS };
      const accept = [messageOf({ ...PLAIN, user: 1, behind: 0 }, 1)];
      const { accepted } = await store.commit({ ...NOTHING, accept, lease }, epochMs(NOW));
      const ids = accepted.flatMap((result) => (result.kind === "stored" ? result.deliveries : []));
      await store.commit({ ...NOTHING, settle: ids.map((id) => delivered(id, "t", 1)), lease }, epochMs(NOW));
      expect(noting.commits).toEqual(["usual", "usual"]);
      // A call of the user is none, and is not stored.
      const ofAnna = [messageOf({ ...PLAIN, id: 2, user: 0, behind: 0 }, 1)];
      expect((await store.commit({ ...NOTHING, accept: ofAnna, lease }, epochMs(NOW))).accepted).toEqual([
        { kind: "suppressed" },
      ]);
    });
  });
}
