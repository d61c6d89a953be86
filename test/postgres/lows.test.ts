// Claims that begin where the last one ended: they miss nothing that is stored meanwhile, however far in the past it is due.

import {
  type DeliveryId,
  type DeliveryStore,
  destinationId,
  epochMs,
  leaseToken,
  type NewMessage,
  sourceId,
} from "@postrider/core";
import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const LANE = destinationId("lane");
const LEASE_MS = 30_000;
const HOUR_MS = 3_600_000;
/** A day after 1970, so that instants before it are instants. */
const START_MS = 86_400_000;

for (const installed of installedServers().slice(0, 1)) {
  describe(`claims on ${installed.name}`, () => {
    const { pool } = startForSuite(installed);
    let schemas = 0;

    /** Two processes on a new schema; the first has claimed, and has found nothing. */
    async function setScene() {
      schemas += 1;
      const schema = `lows${String(schemas)}`;
      let now = START_MS;
      let messages = 0;
      const open = (): Promise<DeliveryStore> =>
        openPostgresStore({ pool: pool(), clock: createSystemClock(), schema, time: "caller" });
      const [one, other] = [await open(), await open()];

      function message(start: NewMessage["deliveries"][number]["start"]): NewMessage {
        messages += 1;
        return {
          ...{ source: sourceId("website"), messageId: `m${String(messages)}`, type: "track" },
          ...{ receivedAt: epochMs(now), body: new Uint8Array([1]) as NewMessage["body"], filtered: [] },
          deliveries: [{ destination: LANE, start }],
        };
      }
      async function commit(changes: object, token = "t"): Promise<readonly DeliveryId[]> {
        const lease = { token: leaseToken(token), leaseMs: LEASE_MS };
        const nothing = { accept: [], settle: [], replay: [], append: [], tally: [] };
        const { accepted } = await other.commit({ ...nothing, lease, ...changes }, epochMs(now));
        return accepted.flatMap((result) => (result.kind === "stored" ? result.deliveries : []));
      }
      const scene = {
        schema,
        other,
        now: () => now,
        advance: (ms: number) => void (now += ms),
        /** The other process stores a delivery that waits. */
        waits: async (dueAt: number) =>
          (await commit({ accept: [message({ kind: "waiting", dueAt: epochMs(dueAt) })] }))[0],
        claimed: async (token: string) => (await commit({ accept: [message({ kind: "claimed" })] }, token))[0],
        settle: (settlement: object) => commit({ settle: [{ attempts: [], endpoints: [], ...settlement }] }),
        claim: async (): Promise<readonly DeliveryId[]> => {
          const lanes = [{ lane: LANE, limit: 10 }];
          const lease = { token: leaseToken(`claim ${String(now)}`), leaseMs: LEASE_MS };
          return (await one.claim({ lanes, ...lease }, epochMs(now))).deliveries.map(({ id }) => id);
        },
        nextDueAt: async () => (await one.lanes({ limit: 10 }, epochMs(now))).lanes[0]?.nextDueAt,
      };
      expect(await scene.claim()).toEqual([]);
      scene.advance(1_000);
      return scene;
    }

    it("find what another process has stored since, due now or long ago", async () => {
      const { waits, claim, nextDueAt, now, advance } = await setScene();
      const fresh = await waits(now());
      const old = await waits(now() - HOUR_MS);
      expect(await nextDueAt()).toBe(now() - HOUR_MS);
      expect(await claim()).toEqual([old, fresh]);
      advance(10_000);
      const older = await waits(now() - 2 * HOUR_MS);
      expect(await claim()).toEqual([older]);
    });

    it("find what another process has given back as due long ago", async () => {
      const { claimed, settle, claim, now } = await setScene();
      const id = await claimed("held");
      await settle({ id, token: leaseToken("held"), outcome: { kind: "released", dueAt: epochMs(now() - HOUR_MS) } });
      expect(await claim()).toEqual([id]);
    });

    it("find what another process has brought forward", async () => {
      const { waits, other, claim, now } = await setScene();
      const id = await waits(now() + HOUR_MS);
      expect(await claim()).toEqual([]);
      const request = { lane: LANE, dueAfter: epochMs(now()), dueAt: epochMs(now() - HOUR_MS), limit: 10 };
      expect(await other.pullIn(request, epochMs(now()))).toBe(1);
      expect(await claim()).toEqual([id]);
    });

    it("find what is due after the clock was set back", async () => {
      const { waits, claim, now, advance } = await setScene();
      advance(-HOUR_MS);
      const id = await waits(now());
      expect(await claim()).toEqual([id]);
    });

    it("search from the beginning again after half a minute, whatever they have learnt", async () => {
      const { schema, waits, claim, nextDueAt, now, advance } = await setScene();
      const id = await waits(now() + HOUR_MS);
      expect(await claim()).toEqual([]);
      // Behind the back of the store, so that only a search from the beginning finds it.
      await pool().query(`update ${schema}.waiting set due_at = 1`);
      expect(await claim()).toEqual([]);
      expect(await nextDueAt()).toBe(1);
      advance(30_000);
      expect(await claim()).toEqual([id]);
    });
  });
}
