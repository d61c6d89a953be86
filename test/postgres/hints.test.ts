// Hints by real notifications: what one store tells, those of other connections hear, and no other schema does.

import { type DeliveryStore, destinationId, type DestinationId, type Hints } from "@postrider/core";
import { openPostgresStore } from "@postrider/postgres";
import { describe, expect, it, onTestFinished } from "vitest";
import { createSystemClock } from "@postrider/system";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const SYSTEM = createSystemClock();
const LISTENS = "select pid from pg_stat_activity where query like 'listen %'";

for (const installed of installedServers()) {
  describe(`hints on ${installed.name}`, () => {
    const { pool, server } = startForSuite(installed);

    function storeIn(schema: string): Promise<DeliveryStore> {
      return openPostgresStore({ pool: server().pool(3), clock: SYSTEM, schema, hints: true });
    }

    async function hintsOf(schema: string): Promise<Hints> {
      return (await storeIn(schema)).hints!;
    }

    interface Ear {
      readonly heard: readonly (readonly string[])[];
      readonly close: () => void;
    }

    /** Resolves once the connection listens. */
    async function earOn(hints: Hints): Promise<Ear> {
      const before = await listening();
      const heard: (readonly DestinationId[])[] = [];
      const close = hints.listen((lanes) => heard.push(lanes));
      onTestFinished(close);
      await expect.poll(async () => (await listening()).length).toBe(before.length + 1);
      return { heard, close };
    }

    async function listening(): Promise<readonly unknown[]> {
      return (await pool().query(LISTENS)).rows.map(({ pid }) => pid);
    }

    it("arrive as they were told, whichever texts lanes have", async () => {
      const ear = await earOn(await hintsOf("one"));
      const lanes = ["crm", 'it\'s "x"', "\u0000", "\ud800", "ä\u{1f600}", ""].map(destinationId);
      const teller = await hintsOf("one");
      await teller.tell(lanes);
      await teller.tell([]);
      await expect.poll(() => ear.heard).toEqual([lanes, []]);
    });

    it("stand for any lane if they are too long for a notification", async () => {
      const ear = await earOn(await hintsOf("one"));
      const lanes = Array.from({ length: 100 }, (_, index) => `${"ü".repeat(50)}${String(index)}` as DestinationId);
      await (await hintsOf("one")).tell(lanes);
      await expect.poll(() => ear.heard).toEqual([[]]);
    });

    it("stand for any lane if another program has sent them", async () => {
      const ear = await earOn(await hintsOf("one"));
      await pool().query("notify one, 'some words'");
      await pool().query("notify one, '[1, 2]'");
      await pool().query("notify one");
      await expect.poll(() => ear.heard).toEqual([[], [], []]);
    });

    it("are not heard by a store in another schema", async () => {
      const [one, other] = [await earOn(await hintsOf("one")), await earOn(await hintsOf("another one"))];
      await (await hintsOf("another one")).tell(["crm" as DestinationId]);
      await expect.poll(() => other.heard).toEqual([["crm"]]);
      expect(one.heard).toEqual([]);
    });

    it("are heard again after the connection was ended", async () => {
      const hints = await hintsOf("ended");
      const ear = await earOn(hints);
      const [first] = await listening();
      await pool().query(`select pg_terminate_backend(pid) from (${LISTENS}) l`);
      await expect.poll(async () => (await listening()).filter((pid) => pid !== first).length).toBe(1);
      await hints.tell(["crm" as DestinationId]);
      await expect.poll(() => ear.heard).toEqual([["crm"]]);
    });

    it("are not heard any more, and take no connection, once the listener has closed", async () => {
      const hints = await hintsOf("closed");
      const ear = await earOn(hints);
      ear.close();
      await expect.poll(async () => (await listening()).length).toBe(0);
      await hints.tell(["crm" as DestinationId]);
      expect(ear.heard).toEqual([]);
    });

    it("are not heard, and take no connection, by a listener that comes after its store has closed", async () => {
      const store = await storeIn("closed first");
      await store.close();
      const heard: unknown[] = [];
      const stop = store.hints!.listen((lanes) => heard.push(lanes));
      const ear = await earOn(await hintsOf("closed first"));
      await (await hintsOf("closed first")).tell(["crm" as DestinationId]);
      await expect.poll(() => ear.heard).toEqual([["crm"]]);
      expect([heard, (await listening()).length]).toEqual([[], 1]);
      stop();
    });

    it("are absent unless a host wants them", async () => {
      const store = await openPostgresStore({ pool: server().pool(1), clock: SYSTEM, schema: "silent" });
      expect(store.hints).toBeUndefined();
    });
  });
}
