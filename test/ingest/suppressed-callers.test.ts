// The answers to calls of a suppressed user do not show the suppression.

import { describe, expect, it } from "vitest";
import { serving } from "../http/serving.js";
import { basic } from "./requests.js";
import { createWorld, type World } from "./world.js";

interface Told {
  readonly status: number;
  readonly body: unknown;
}

/** A world in which `blocked` is suppressed, and a way to post to it over a socket. */
async function withBlocked(
  use: (post: (path: string, body: object) => Promise<Told>, world: World) => Promise<void>,
): Promise<void> {
  const world = createWorld();
  (await world.relay.requestDeletion({ userIds: ["blocked"], regulation: "suppress-only" }))._unsafeUnwrap();
  await serving(world.ingest, async ({ url }) => {
    await use(async (path, body) => {
      const headers = { ...basic(), "Content-Type": "application/json" };
      const response = await fetch(`${url}${path}`, { method: "POST", headers, body: JSON.stringify(body) });
      return { status: response.status, body: await response.json() };
    }, world);
  });
}

async function expectNothingOf(world: World): Promise<void> {
  await world.clock.advance(60_000);
  expect(world.messages().filter((message) => JSON.stringify(message).includes("blocked"))).toEqual([]);
  const { deliveries } = (await world.relay.deliveries({ limit: 100 }))._unsafeUnwrap();
  expect(deliveries.filter(({ messageId }) => messageId.startsWith("blocked"))).toEqual([]);
}

describe("a call of a suppressed user", () => {
  it("gets the same answer as an accepted one, each time", async () => {
    await withBlocked(async (post, world) => {
      const accepted = await post("/v1/track", { userId: "u1", event: "e", messageId: "m1" });
      const call = { userId: "blocked", event: "e", messageId: "blocked-1" };
      const suppressed = [await post("/v1/track", call), await post("/v1/track", call)];
      expect(accepted).toEqual({ status: 200, body: { success: true, messageId: "m1" } });
      const same = { status: 200, body: { success: true, messageId: "blocked-1" } };
      expect(suppressed).toEqual([same, same]);
      await expectNothingOf(world);
      expect((await world.relay.stats())._unsafeUnwrap()).toMatchObject({ accepted: 1, suppressed: 2, duplicates: 0 });
    });
  });

  it("gets a messageId if it has none, like any other", async () => {
    await withBlocked(async (post) => {
      const { status, body } = await post("/v1/identify", { userId: "blocked" });
      expect(status).toBe(200);
      expect(body).toEqual({ success: true, messageId: expect.stringMatching(/^[0-9a-f-]{36}$/) });
    });
  });

  it("counts as accepted in a batch, and is not among the rejected", async () => {
    await withBlocked(async (post, world) => {
      const batch = [
        { type: "track", userId: "blocked", event: "e", messageId: "blocked-1" },
        { type: "track", userId: "u1", event: "e", messageId: "m1" },
        { type: "track", event: "e" },
        { type: "alias", userId: "u1", previousId: "blocked", messageId: "blocked-2" },
        { type: "track", userId: "u1", event: "e", messageId: "m1" },
      ];
      expect(await post("/v1/batch", { batch })).toMatchObject({
        status: 200,
        body: { success: true, accepted: 3, duplicates: 1, rejected: [{ index: 2, code: "no-ids" }] },
      });
      await expectNothingOf(world);
      expect(world.messages()).toHaveLength(1);
    });
  });
});
