import {
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  type DeliveryId,
  type DeliveryRecord,
  type Destination,
  type DestinationId,
  type SourceId,
  verifySignature,
  type Workspace,
} from "@postrider/core";
import type { HttpScript, RepliesByUrl } from "@postrider/memory";
import { createWorld, type World } from "@postrider/simulator/world";
import { describe, expect, it } from "vitest";
import { SECRET, WRITE_KEY } from "../canary.js";

const SITE = "site" as SourceId;
const URL = "https://crm.example/hook";
const HOUR_MS = 3_600_000;
const OK = { kind: "answers", status: 200, afterMs: 40 } as const;
const DOWN = { kind: "answers", status: 503, afterMs: 40 } as const;

function workspaceOf(given: Partial<Destination> = {}): Workspace {
  const destination: Destination = {
    id: "crm" as DestinationId,
    name: "Webhooks",
    enabled: true,
    paused: false,
    acceptsHistorical: true,
    sources: [{ source: SITE, mode: "cloud" }],
    endpoints: [{ url: URL, headers: [] }],
    secrets: [createSecret(SECRET)],
    ...given,
  };
  const sources = [{ id: SITE, name: "Site", writeKey: createSecret(WRITE_KEY) }];
  return { sources, destinations: [destination], delivery: DEFAULT_DELIVERY, retention: DEFAULT_RETENTION };
}

function worldOf(receivers: HttpScript | RepliesByUrl, seed = 1): World {
  return createWorld({ workspace: workspaceOf(), receivers, seed });
}

async function track(world: World, userId = "u1"): Promise<DeliveryId> {
  const receipts = await world.relay().accept({ source: SITE, calls: [{ type: "track", userId, event: "Tried" }] });
  const [receipt] = receipts._unsafeUnwrap();
  if (receipt?.kind !== "accepted") throw new Error(`not accepted: ${JSON.stringify(receipt)}`);
  const { deliveries } = (await world.relay().deliveries({ messageId: receipt.messageId, limit: 1 }))._unsafeUnwrap();
  return deliveries[0]?.id as DeliveryId;
}

async function deliveryOf(world: World, id: DeliveryId): Promise<DeliveryRecord | undefined> {
  return (await world.relay().delivery(id))._unsafeUnwrap();
}

describe("a world in memory", () => {
  it("delivers a call as a signed request", async () => {
    const world = worldOf({ [URL]: OK });
    const id = await track(world);
    await world.advance(100);
    const [sent, ...others] = world.received();
    expect(others).toEqual([]);
    const signature = new Map(sent?.headers).get("X-Signature");
    expect(verifySignature(SECRET, sent?.body ?? new Uint8Array(), signature)).toBe(true);
    expect((await deliveryOf(world, id))?.state).toBe("delivered");
  });

  it("tells the same story from the same seed, and another from another", async () => {
    const story = async (seed: number): Promise<unknown> => {
      const world = worldOf({ [URL]: [DOWN, DOWN, DOWN, OK] }, seed);
      await track(world);
      await world.advance(HOUR_MS);
      return [world.received(), world.events()];
    };
    expect(await story(7)).toEqual(await story(7));
    expect(await story(7)).not.toEqual(await story(8));
  });

  it("passes an outage of four hours in no time", async () => {
    const world = worldOf({ [URL]: DOWN });
    const id = await track(world);
    await world.advance(5 * HOUR_MS);
    const delivery = await deliveryOf(world, id);
    expect(delivery).toMatchObject({ state: "dead", reason: "expired", detail: "503" });
    expect(delivery?.attempts.length).toBeGreaterThanOrEqual(12);
    const [first, last] = [delivery?.attempts.at(0), delivery?.attempts.at(-1)];
    expect((last?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeLessThanOrEqual(4 * HOUR_MS);
  });

  it("repeats after a crash what was under way, and delivers it", async () => {
    const world = worldOf({ [URL]: [{ kind: "hangs" }, OK] });
    const id = await track(world);
    await world.advance(1_000);
    expect(world.received()).toHaveLength(1);
    world.crash();
    world.restart();
    await world.advance(60_000);
    expect(world.received()).toHaveLength(2);
    expect(world.received()[1]?.body).toEqual(world.received()[0]?.body);
    expect(await deliveryOf(world, id)).toMatchObject({ state: "delivered", attemptCount: 1 });
  });

  it("loses nothing that was accepted right before a crash", async () => {
    const world = worldOf({ [URL]: OK });
    const tracked = Promise.all([track(world, "u1"), track(world, "u2")]);
    await world.advance(5); // what comes in together is stored together, a moment later
    const ids = await tracked;
    world.crash();
    await world.advance(2 * HOUR_MS);
    world.restart();
    await world.advance(60_000);
    for (const id of ids) expect((await deliveryOf(world, id))?.state).toBe("delivered");
  });

  it("leaves a killed process without hands: nothing is sent or stored any more", async () => {
    const world = worldOf({ [URL]: [DOWN, DOWN, OK] });
    await track(world);
    await world.advance(1_000);
    world.crash();
    const [received, events] = [world.received().length, world.events().length];
    await world.advance(6 * HOUR_MS);
    expect([world.received().length, world.events().length]).toEqual([received, events]);
  });

  it("keeps from a killed process the reply to what it had sent", async () => {
    const world = worldOf({ [URL]: OK });
    const id = await track(world);
    await world.advance(20);
    const events = world.events().length;
    world.crash();
    await world.advance(5_000);
    expect(world.events()).toHaveLength(events);
    world.restart();
    expect((await deliveryOf(world, id))?.state).toBe("claimed");
  });

  it("stores nothing that a killed process is still asked to store", async () => {
    const world = worldOf({ [URL]: OK });
    const relay = world.relay();
    world.crash();
    void relay.accept({ source: SITE, calls: [{ type: "track", userId: "u1", event: "Too Late" }] });
    await world.advance(1_000);
    world.restart();
    expect((await world.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 0 });
  });

  it("answers nothing that a killed process still asks", async () => {
    const world = worldOf({ [URL]: OK });
    const relay = world.relay();
    world.crash();
    let isAnswered = false;
    void relay.stats().match(
      () => (isAnswered = true),
      () => (isAnswered = true),
    );
    await world.advance(HOUR_MS);
    expect(isAnswered).toBe(false);
  });

  it("stops as an operator would: what is open settles first", async () => {
    const world = worldOf({ [URL]: OK });
    const id = await track(world);
    await world.clock.settle();
    const stopped = world.stop();
    await world.advance(100);
    await stopped;
    world.restart();
    expect(await deliveryOf(world, id)).toMatchObject({ state: "delivered", attemptCount: 1 });
    await world.advance(HOUR_MS);
    expect(world.received()).toHaveLength(1);
  });

  it("restarts with the settings that were in force, unless given others", async () => {
    const world = worldOf({ [URL]: OK });
    world
      .relay()
      .configure(workspaceOf({ paused: true }))
      ._unsafeUnwrap();
    world.crash();
    world.restart();
    const id = await track(world);
    await world.advance(10_000);
    expect((await deliveryOf(world, id))?.state).toBe("waiting");
    world.crash();
    world.restart(workspaceOf());
    await world.advance(10_000);
    expect((await deliveryOf(world, id))?.state).toBe("delivered");
  });

  it("deletes users, also when the process dies right after the answer", async () => {
    const world = worldOf({ [URL]: [DOWN, OK] });
    const id = await track(world);
    await world.advance(100);
    const asked = world.relay().requestDeletion({ userIds: ["u1"], regulation: "suppress-with-delete" });
    (await asked)._unsafeUnwrap();
    world.crash();
    world.restart();
    await world.advance(HOUR_MS);
    expect(await deliveryOf(world, id)).toMatchObject({ state: "dead", reason: "purged" });
    const types = world.received().map(({ body }) => String(JSON.parse(new TextDecoder().decode(body)).type));
    expect(types).toEqual(["track", "delete"]);
    const [receipt] = (
      await world.relay().accept({ source: SITE, calls: [{ type: "identify", userId: "u1" }] })
    )._unsafeUnwrap();
    expect(receipt?.kind).toBe("suppressed");
  });

  it("says what is wrong when there is no process, when there is one already, and when settings are bad", () => {
    const world = worldOf({ [URL]: OK });
    expect(() => {
      world.restart();
    }).toThrow("a process runs");
    world.crash();
    expect(() => world.relay()).toThrow("no process runs");
    expect(() => {
      world.crash();
    }).toThrow("no process runs");
    expect(() => {
      world.restart(workspaceOf({ endpoints: [] }));
    }).toThrow("destinations[0].endpoints");
  });
});
