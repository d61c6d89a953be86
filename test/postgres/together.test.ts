// What three servers on one database tell as one: their metrics in sum, a hook once, a replay job to its end.

import { describe, expect, it } from "vitest";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { askServer } from "../crash/users-site.js";
import { createReceiver } from "../end-to-end/receiver.js";
import { ask, destination, stats, track } from "../end-to-end/scene.js";
import type { ServerProcess } from "../end-to-end/server-process.js";
import { installedServers } from "../programs/postgres/servers.js";
import { serveMany, writeFleetConfig } from "./fleet.js";
import { startForSuite } from "./suite-server.js";

const CALLS = 120;
const REPLAYED = 3_000;
const BATCH = 500;

interface Lanes {
  readonly lanes: readonly { readonly mode: string }[];
}

interface Job {
  readonly state: string;
  readonly expected: number;
  readonly replayed: number;
}

/** The sum of a counter over all of its series whose labels have this text. */
async function sumOf(servers: readonly ServerProcess[], name: string, labels: string): Promise<number> {
  const pages = await Promise.all(
    servers.map(({ url }) => fetch(`${url}/metrics`, { headers: { authorization: `Bearer ${TOKEN}` } })),
  );
  const lines = (await Promise.all(pages.map((page) => page.text()))).flatMap((text) => text.split("\n"));
  const series = lines.filter((line) => line.startsWith(`${name}{`) && line.includes(labels));
  return series.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(" ") + 1)), 0);
}

async function callInBatches(url: string, calls: number): Promise<void> {
  for (let at = 0; at < calls; at += BATCH) {
    const batch = Array.from({ length: BATCH }, (_, nth) => ({
      ...{ type: "track", userId: "u1", event: "Bought", messageId: `m${String(at + nth)}` },
    }));
    const body = JSON.stringify({ writeKey: WRITE_KEY, batch });
    expect((await fetch(`${url}/v1/batch`, { method: "POST", body })).status).toBe(200);
  }
}

for (const installed of installedServers().slice(0, 1)) {
  describe(`three servers on ${installed.name}`, () => {
    const { newDatabase } = startForSuite(installed);

    it("count in sum what the database counts", async () => {
      const receiver = await createReceiver(200);
      const servers = await serveMany(writeFleetConfig(await newDatabase(), [destination([receiver.url])]), 3);
      for (let call = 0; call < CALLS; call += 1)
        expect(await track(servers[call % 3]!.url, { messageId: `m${String(call % 100)}` })).toBe(200);
      await expect.poll(() => stats(servers[0]!.url)).toMatchObject({ accepted: 100, delivered: 100, duplicates: 20 });
      await expect.poll(() => sumOf(servers, "postrider_deliveries_total", 'outcome="delivered"')).toBe(100);
      expect(await sumOf(servers, "postrider_calls_total", 'outcome="accepted"')).toBe(100);
      expect(await sumOf(servers, "postrider_calls_total", 'outcome="duplicate"')).toBe(20);
    });

    it("tell a hook once that a lane is held, although each of them holds it", async () => {
      const [receiver, hook] = [await createReceiver(503), await createReceiver(200)];
      const notify = [{ url: hook.url, on: ["lane-held"] }];
      const config = writeFleetConfig(await newDatabase(), [destination([receiver.url])], { notify });
      const servers = await serveMany(config, 3);
      for (let call = 0; call < CALLS; call += 1)
        expect(await track(servers[call % 3]!.url, { messageId: `m${String(call)}` })).toBe(200);
      const areHeld = async (): Promise<readonly unknown[]> => {
        const told = await Promise.all(servers.map(({ url }) => ask<Lanes>(url, "lanes")));
        return told.map(({ lanes }) => lanes[0]?.mode);
      };
      await expect.poll(areHeld).toEqual(["held", "held", "held"]);
      await hook.count(1);
      // Longer than the turns of all three take.
      await new Promise((resolve) => setTimeout(resolve, 5_000));
      expect(hook.requests.map(({ message }) => message["kind"])).toEqual(["lane-held"]);
    });

    it("go on with a replay job whose owner is killed", async () => {
      const receiver = await createReceiver(422);
      const config = writeFleetConfig(await newDatabase(), [destination([receiver.url])]);
      const [owner, ...others] = await serveMany(config, 3);
      await callInBatches(owner!.url, REPLAYED);
      await expect.poll(() => stats(others[0]!.url)).toMatchObject({ dead: REPLAYED });
      receiver.behave(200);
      const before = receiver.requests.length;
      const started = await askServer(owner!.url, "replay-jobs", { method: "POST", body: "{}" });
      const id = String(started?.json["id"]);
      const job = (): Promise<Job> => ask<Job>(others[0]!.url, `replay-jobs/${id}`);
      await expect.poll(async () => (await job()).replayed).toBeGreaterThan(0);
      await owner!.kill();
      const { state, replayed } = await job();
      expect({ state, isPartDone: replayed < REPLAYED }).toEqual({ state: "running", isPartDone: true });
      await expect.poll(job).toMatchObject({ state: "done", expected: REPLAYED, replayed: REPLAYED });
      await expect.poll(() => stats(others[1]!.url)).toMatchObject({ accepted: 2 * REPLAYED, delivered: REPLAYED });
      const arrived = new Set(receiver.requests.slice(before).map(({ message }) => message["messageId"]));
      expect(arrived.size).toBe(REPLAYED);
    });
  });
}
