// Our client, our server as a process, a receiver: every kind of call, all the way. Needs `tsc -b` first.

import { createClient } from "@postrider/client";
import { verifySignature } from "@postrider/core";
import { readFileSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { SECRET, WRITE_KEY } from "../canary.js";
import { portForRestarts } from "../loopback.js";
import { createReceiver } from "../end-to-end/receiver.js";
import { createScene, destination } from "../end-to-end/scene.js";
import { serve } from "../end-to-end/server-process.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";
import { queuedId } from "./rig.js";

describe("our client, pointed at our server", () => {
  it.each([{ gzip: false }, { gzip: true }])("delivers every kind of call, signed, once: %j", async ({ gzip }) => {
    const receiver = await createReceiver(200);
    const server = await serve(createScene([destination([receiver.url], { sharedSecret: SECRET })]).config);
    const client = createClient(WRITE_KEY, { endpoint: server.url, gzip });
    const ids = [
      client.identify({ userId: "u1", traits: { plan: "pro" } }),
      client.track({ userId: 7, event: "Signed Up", properties: { price: 1.5 }, timestamp: "2026-01-01T00:00:00Z" }),
      client.page({ userId: "u1", name: "Home", category: "Docs", traits: { url: "https://a.example", path: "/" } }),
      client.screen({ anonymousId: "a1", name: "Inbox", properties: { unread: 3 } }),
      client.group({ userId: "u1", groupId: "g1", traits: { size: 3 } }),
      client.alias({ userId: "u1", previousId: "a1" }),
    ].map(queuedId);
    expect(await client.close()).toEqual({ undelivered: [] });
    await receiver.count(6);

    const messages = ids.map((id) => receiver.requests.find(({ message }) => message["messageId"] === id)!.message);
    expect(messages).toMatchObject([
      { type: "identify", userId: "u1", traits: { plan: "pro" } },
      { type: "track", userId: "7", event: "Signed Up", properties: { price: 1.5 } },
      { type: "page", name: "Home", category: "Docs", properties: { url: "https://a.example", path: "/" } },
      { type: "screen", anonymousId: "a1", name: "Inbox", properties: { unread: 3 } },
      { type: "group", userId: "u1", groupId: "g1", traits: { size: 3 } },
      { type: "alias", "User ID": "u1", "Previous ID": "a1" },
    ]);
    expect(messages[1]!["originalTimestamp"]).toBe("2026-01-01T00:00:00.000Z");
    for (const message of messages) {
      expect(message).toMatchObject({ version: 1, context: { library: { name: "@postrider/client" } } });
    }
    for (const { body, headers } of receiver.requests) {
      expect(verifySignature(SECRET, body, headers["x-signature"] as string)).toBe(true);
    }
    expect(receiver.requests).toHaveLength(6);
  });

  it("reports what the server refuses, whole batches and single calls", async () => {
    const server = await serve(createScene([destination(["http://127.0.0.1:9"])]).config);
    const wrong = createClient("wrong", { endpoint: server.url });
    wrong.track({ userId: "u1", event: "e" });
    expect((await wrong.close()).undelivered).toMatchObject([{ reason: "refused", code: "unknown-key" }]);
  });

  it("delivers calls that were made while the server was down", async () => {
    const receiver = await createReceiver(200);
    const scene = createScene([destination([receiver.url])]);
    const port = await portForRestarts();
    const client = createClient(WRITE_KEY, {
      endpoint: `http://127.0.0.1:${String(port)}`,
      firstRetryMs: 100,
      maxRetries: 100,
      maxRetryMs: 500,
    });
    for (let n = 0; n < 30; n += 1) queuedId(client.track({ userId: "u1", event: "e", properties: { n } }));
    const flushed = client.flush({ timeoutMs: CONDITION_WATCHDOG_MS });
    takePort(scene.config, port);
    await serve(scene.config);
    expect(await flushed).toEqual({ delivered: 30, failed: 0, pending: 0 });
    await client.close();
  });
});

/** Writes this port for the server into the config. */
function takePort(config: string, port: number): void {
  const settings = JSON.parse(readFileSync(config, "utf8")) as { listen: object };
  const listen = { ...settings.listen, port };
  writeFileSync(config, JSON.stringify({ ...settings, listen }));
}
