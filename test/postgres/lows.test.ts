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
import { createLows } from "../../packages/postgres/src/delivery-store/functions.js";
import { int4Array, int8Array } from "../../packages/postgres/src/wire/values.js";
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

describe("the memory of searches", () => {
  const at = (ms: number) => epochMs(START_MS + ms);

  it("begins with a search from the beginning, whose age later searches do not change", () => {
    const lows = createLows();
    lows.learn(1, { low: 50, isFull: false, at: at(0) });
    lows.learn(2, { low: 60, isFull: true, at: at(1) });
    lows.learn(2, { low: 70, isFull: false, at: at(2) });
    expect(lows.ofLanes([1, 2])).toEqual([int8Array([-1, 70]), int8Array([-1, at(1)])]);
  });

  it("is sent for all lanes only while the newest search is less than half a minute younger", () => {
    const lows = createLows();
    lows.learn(1, { low: 10, isFull: true, at: at(0) });
    lows.learn(2, { low: 20, isFull: true, at: at(1) });
    lows.learn(3, { low: 30, isFull: true, at: at(30_000) });
    expect(lows.ofAllLanes()).toEqual([int4Array([2, 3]), int8Array([20, 30]), int8Array([at(1), at(30_000)])]);
  });

  it("is forgotten at once when there are too many lanes, but a lane that is known is only learnt anew", () => {
    const lows = createLows();
    for (let lane = 1; lane <= 100_000; lane += 1) lows.learn(lane, { low: lane, isFull: true, at: at(0) });
    lows.learn(7, { low: 8, isFull: true, at: at(0) });
    expect(lows.ofLanes([7, 100_000])[0]).toEqual(int8Array([8, 100_000]));
    lows.learn(100_001, { low: 9, isFull: true, at: at(0) });
    expect(lows.ofLanes([7, 100_001])[0]).toEqual(int8Array([-1, 9]));
  });
});

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
