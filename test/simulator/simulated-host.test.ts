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
import { createSimulatedHost, type SimulatedHost } from "@postrider/simulator/simulated-host";
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

function hostOf(receivers: HttpScript | RepliesByUrl, seed = 1): SimulatedHost {
  return createSimulatedHost({ workspace: workspaceOf(), receivers, seed });
}

async function track(host: SimulatedHost, userId = "u1"): Promise<DeliveryId> {
  const receipts = await host.relay().accept({ source: SITE, calls: [{ type: "track", userId, event: "Tried" }] });
  const [receipt] = receipts._unsafeUnwrap();
  if (receipt?.kind !== "accepted") throw new Error(`not accepted: ${JSON.stringify(receipt)}`);
  const { deliveries } = (await host.relay().deliveries({ messageId: receipt.messageId, limit: 1 }))._unsafeUnwrap();
  return deliveries[0]?.id as DeliveryId;
}

async function deliveryOf(host: SimulatedHost, id: DeliveryId): Promise<DeliveryRecord | undefined> {
  return (await host.relay().delivery(id))._unsafeUnwrap();
}

describe("a host in memory", () => {
  it("delivers a call as a signed request", async () => {
    const host = hostOf({ [URL]: OK });
    const id = await track(host);
    await host.advance(100);
    const [sent, ...others] = host.received();
    expect(others).toEqual([]);
    const signature = new Map(sent?.headers).get("X-Signature");
    expect(verifySignature(SECRET, sent?.body ?? new Uint8Array(), signature)).toBe(true);
    expect((await deliveryOf(host, id))?.state).toBe("delivered");
  });

  it("gives the same run for the same seed, and a different one for another seed", async () => {
    const story = async (seed: number): Promise<unknown> => {
      const host = hostOf({ [URL]: [DOWN, DOWN, DOWN, OK] }, seed);
      await track(host);
      await host.advance(HOUR_MS);
      return [host.received(), host.events()];
    };
    expect(await story(7)).toEqual(await story(7));
    expect(await story(7)).not.toEqual(await story(8));
  });

  it("simulates an outage of four hours in a moment", async () => {
    const host = hostOf({ [URL]: DOWN });
    const id = await track(host);
    await host.advance(5 * HOUR_MS);
    const delivery = await deliveryOf(host, id);
    expect(delivery).toMatchObject({ state: "dead", reason: "expired", detail: "503" });
    expect(delivery?.attempts.length).toBeGreaterThanOrEqual(12);
    const [first, last] = [delivery?.attempts.at(0), delivery?.attempts.at(-1)];
    expect((last?.startedAt ?? 0) - (first?.startedAt ?? 0)).toBeLessThanOrEqual(4 * HOUR_MS);
  });

  it("repeats after a crash what was under way, and delivers it", async () => {
    const host = hostOf({ [URL]: [{ kind: "hangs" }, OK] });
    const id = await track(host);
    await host.advance(1_000);
    expect(host.received()).toHaveLength(1);
    host.crash();
    host.restart();
    await host.advance(60_000);
    expect(host.received()).toHaveLength(2);
    expect(host.received()[1]?.body).toEqual(host.received()[0]?.body);
    expect(await deliveryOf(host, id)).toMatchObject({ state: "delivered", attemptCount: 1 });
  });

  it("loses nothing that was accepted right before a crash", async () => {
    const host = hostOf({ [URL]: OK });
    const tracked = Promise.all([track(host, "u1"), track(host, "u2")]);
    await host.advance(5); // calls that arrive together are stored together, a moment later
    const ids = await tracked;
    host.crash();
    await host.advance(2 * HOUR_MS);
    host.restart();
    await host.advance(60_000);
    for (const id of ids) expect((await deliveryOf(host, id))?.state).toBe("delivered");
  });

  it("lets a killed process send and store nothing any more", async () => {
    const host = hostOf({ [URL]: [DOWN, DOWN, OK] });
    await track(host);
    await host.advance(1_000);
    host.crash();
    const [received, events] = [host.received().length, host.events().length];
    await host.advance(6 * HOUR_MS);
    expect([host.received().length, host.events().length]).toEqual([received, events]);
  });

  it("gives a killed process no reply to what it had sent", async () => {
    const host = hostOf({ [URL]: OK });
    const id = await track(host);
    await host.advance(20);
    const events = host.events().length;
    host.crash();
    await host.advance(5_000);
    expect(host.events()).toHaveLength(events);
    host.restart();
    expect((await deliveryOf(host, id))?.state).toBe("claimed");
  });

  it("stores nothing when a killed process is asked to store something", async () => {
    const host = hostOf({ [URL]: OK });
    const relay = host.relay();
    host.crash();
    void relay.accept({ source: SITE, calls: [{ type: "track", userId: "u1", event: "Too Late" }] });
    await host.advance(1_000);
    host.restart();
    expect((await host.relay().stats())._unsafeUnwrap()).toMatchObject({ accepted: 0 });
  });

  it("answers no request that a killed process still makes", async () => {
    const host = hostOf({ [URL]: OK });
    const relay = host.relay();
    host.crash();
    let isAnswered = false;
    void relay.stats().match(
      () => (isAnswered = true),
      () => (isAnswered = true),
    );
    await host.advance(HOUR_MS);
    expect(isAnswered).toBe(false);
  });

  it("stops as an operator would: open rounds settle first", async () => {
    const host = hostOf({ [URL]: OK });
    const id = await track(host);
    await host.clock.settle();
    const stopped = host.stop();
    await host.advance(100);
    await stopped;
    host.restart();
    expect(await deliveryOf(host, id)).toMatchObject({ state: "delivered", attemptCount: 1 });
    await host.advance(HOUR_MS);
    expect(host.received()).toHaveLength(1);
  });

  it("restarts with the settings that were in force, unless given others", async () => {
    const host = hostOf({ [URL]: OK });
    host
      .relay()
      .configure(workspaceOf({ paused: true }))
      ._unsafeUnwrap();
    host.crash();
    host.restart();
    const id = await track(host);
    await host.advance(10_000);
    expect((await deliveryOf(host, id))?.state).toBe("waiting");
    host.crash();
    host.restart(workspaceOf());
    await host.advance(10_000);
    expect((await deliveryOf(host, id))?.state).toBe("delivered");
  });

  it("deletes users, also when the process dies right after the answer", async () => {
    const host = hostOf({ [URL]: [DOWN, OK] });
    const id = await track(host);
    await host.advance(100);
    const asked = host.relay().requestDeletion({ userIds: ["u1"], regulation: "suppress-with-delete" });
    (await asked)._unsafeUnwrap();
    host.crash();
    host.restart();
    await host.advance(HOUR_MS);
    expect(await deliveryOf(host, id)).toMatchObject({ state: "dead", reason: "purged" });
    const types = host.received().map(({ body }) => String(JSON.parse(new TextDecoder().decode(body)).type));
    expect(types).toEqual(["track", "delete"]);
    const [receipt] = (
      await host.relay().accept({ source: SITE, calls: [{ type: "identify", userId: "u1" }] })
    )._unsafeUnwrap();
    expect(receipt?.kind).toBe("suppressed");
  });

  it("throws if there is no process, if there is one already, and if settings are bad", () => {
    const host = hostOf({ [URL]: OK });
    expect(() => {
      host.restart();
    }).toThrow("a process runs");
    host.crash();
    expect(() => host.relay()).toThrow("no process runs");
    expect(() => {
      host.crash();
    }).toThrow("no process runs");
    expect(() => {
      host.restart(workspaceOf({ endpoints: [] }));
    }).toThrow("destinations[0].endpoints");
  });
});
