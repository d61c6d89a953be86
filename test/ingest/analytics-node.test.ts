// Segment's own library for Node, unmodified, pointed at a real server over a real relay.

import { Analytics } from "@segment/analytics-node";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { serving } from "../http/serving.js";
import { createWorld, type World } from "./world.js";

interface Run {
  readonly world: World;
  readonly url: string;
  readonly analytics: Analytics;
}

async function withLibrary(writeKey: string, use: (run: Run) => Promise<void>): Promise<void> {
  const world = createWorld();
  await serving(world.ingest, async ({ url }) => {
    const analytics = new Analytics({ writeKey, host: url, maxRetries: 0 });
    await use({ world, url, analytics });
    await analytics.closeAndFlush({ timeout: 60_000 });
  });
}

describe("@segment/analytics-node", () => {
  it("delivers every kind of call exactly once", async () => {
    await withLibrary(WRITE_KEY, async ({ world, analytics }) => {
      const errors: unknown[] = [];
      analytics.on("error", (error) => errors.push(error));
      const context = { locale: "de" };
      analytics.identify({ userId: "u1", traits: { plan: "pro" }, context, messageId: "m1" });
      analytics.track({ userId: "u1", event: "Signed Up", properties: { price: 1.5 }, messageId: "m2" });
      analytics.page({ userId: "u1", name: "Home", category: "Docs", properties: { path: "/" }, messageId: "m3" });
      analytics.screen({ anonymousId: "anon", name: "Start", messageId: "m4" });
      analytics.group({ userId: "u1", groupId: "g1", traits: { size: 3 }, messageId: "m5" });
      analytics.alias({ userId: "u1", previousId: "anon", messageId: "m6" });
      await analytics.closeAndFlush({ timeout: 60_000 });
      await world.clock.settle();

      expect(errors).toEqual([]);
      const messages = new Map(world.messages().map((message) => [message["messageId"], message]));
      expect(world.messages()).toHaveLength(6);
      expect(messages.get("m1")).toMatchObject({ type: "identify", userId: "u1", traits: { plan: "pro" }, context });
      expect(messages.get("m2")).toMatchObject({ type: "track", event: "Signed Up", properties: { price: 1.5 } });
      expect(messages.get("m3")).toMatchObject({ type: "page", name: "Home", category: "Docs" });
      expect(messages.get("m4")).toMatchObject({ type: "screen", anonymousId: "anon", name: "Start" });
      expect(messages.get("m5")).toMatchObject({ type: "group", groupId: "g1", traits: { size: 3 } });
      expect(messages.get("m6")).toMatchObject({ type: "alias", "User ID": "u1", "Previous ID": "anon" });
      const library = { name: "@segment/analytics-node" };
      for (const message of messages.values()) expect(message).toMatchObject({ version: 1, context: { library } });
    });
  });

  it("gets the answer that its key is unknown", async () => {
    await withLibrary("wrong", async ({ world, analytics }) => {
      const failure = new Promise((resolve) => analytics.on("error", resolve));
      analytics.track({ userId: "u1", event: "Signed Up" });
      await analytics.flush({ timeout: 60_000 });
      expect(await failure).toMatchObject({ code: "delivery_failure" });
      expect(world.messages()).toEqual([]);
    });
  });

  it("sends several batches, and a repeated call is accepted once", async () => {
    await withLibrary(WRITE_KEY, async ({ world, analytics }) => {
      for (let index = 0; index < 100; index += 1) {
        analytics.track({ userId: "u1", event: "Viewed", messageId: `m${String(index % 50)}` });
      }
      await analytics.closeAndFlush({ timeout: 60_000 });
      await world.clock.advance(1_000);
      expect(new Set(world.messages().map(({ messageId }) => messageId)).size).toBe(50);
      expect(world.messages()).toHaveLength(50);
      expect((await world.relay.stats())._unsafeUnwrap()).toMatchObject({
        accepted: 50,
        delivered: 50,
        duplicates: 50,
      });
    });
  });
});
