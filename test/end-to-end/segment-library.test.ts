import { verifySignature } from "@postrider/core";
import { Analytics } from "@segment/analytics-node";
import { describe, expect, it } from "vitest";
import { SECRET, WRITE_KEY } from "../canary.js";
import { createReceiver, pause } from "./receiver.js";
import { createScene, destination } from "./scene.js";
import { serve } from "./server-process.js";

describe("Segment's own library for Node, pointed at the server", () => {
  it("delivers every kind of call, signed, exactly once", async () => {
    const receiver = await createReceiver(200);
    const server = await serve(createScene([destination([receiver.url], { sharedSecret: SECRET })]).config);
    const analytics = new Analytics({ writeKey: WRITE_KEY, host: server.url });
    const errors: unknown[] = [];
    analytics.on("error", (error) => errors.push(error));
    analytics.identify({ userId: "u1", traits: { plan: "pro" } });
    analytics.track({ userId: "u1", event: "Signed Up", properties: { price: 1.5 } });
    analytics.page({ userId: "u1", name: "Home", category: "Docs", properties: { path: "/" } });
    analytics.screen({ anonymousId: "a1", name: "Inbox", properties: { unread: 3 } });
    analytics.group({ userId: "u1", groupId: "g1", traits: { size: 3 } });
    analytics.alias({ userId: "u1", previousId: "a1" });
    await analytics.closeAndFlush({ timeout: 60_000 });
    await receiver.count(6);
    await pause(800);

    expect(errors).toEqual([]);
    const messages = receiver.requests.map(({ message }) => message);
    expect(messages).toHaveLength(6);
    expect(messages).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ type: "identify", userId: "u1", traits: { plan: "pro" } }),
        expect.objectContaining({ type: "track", userId: "u1", event: "Signed Up", properties: { price: 1.5 } }),
        expect.objectContaining({ type: "page", name: "Home", category: "Docs" }),
        expect.objectContaining({ type: "screen", anonymousId: "a1", name: "Inbox", properties: { unread: 3 } }),
        expect.objectContaining({ type: "group", userId: "u1", groupId: "g1", traits: { size: 3 } }),
        expect.objectContaining({ type: "alias", "User ID": "u1", "Previous ID": "a1" }),
      ]),
    );
    for (const { body, headers } of receiver.requests) {
      expect(verifySignature(SECRET, body, headers["x-signature"] as string)).toBe(true);
      expect(headers).toMatchObject({ "user-agent": "Postrider/1.0", "content-type": "application/json" });
    }
  });
});
