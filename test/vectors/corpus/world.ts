// The setting in which the corpus is played: real ingest over the real relay, a store in memory, a receiver that accepts
// everything. Each accepted call must be sent as a request, whose bytes stay the same when they are parsed and written
// again.

import { createHmac } from "node:crypto";
import { createSecret, DEFAULT_DELIVERY, DEFAULT_RETENTION, type Destination, type DestinationId, type SourceId, type Workspace } from "@postrider/core";
import { parseTimestamp } from "@postrider/core/engine";
import { createSimulatedHost, type SimulatedHost } from "@postrider/simulator/simulated-host";
import { expect } from "vitest";
import { look, SECRET, SHOP_KEY, WRITE_KEY } from "../../canary.js";

/** When every case is played. */
const NOW = parseTimestamp("2026-01-31T12:00:00Z")!;
const MAX_TURNS = 1_000;
const PROTOTYPE_KEYS = JSON.stringify(Object.getOwnPropertyNames(Object.prototype));
export const WEBSITE = "website" as SourceId;

/** A world with one source and one destination, which is connected to it. */
export function openWorld(changes: Partial<Destination> = {}): SimulatedHost {
  return openWorldOf({
    sources: [
      { id: WEBSITE, name: "Website", writeKey: createSecret(WRITE_KEY) },
      { id: "shop" as SourceId, name: "Shop", writeKey: createSecret(SHOP_KEY) },
    ],
    destinations: [{ ...DESTINATION, ...changes }],
    delivery: DEFAULT_DELIVERY,
    retention: DEFAULT_RETENTION,
  });
}

export function openWorldOf(workspace: Workspace): SimulatedHost {
  return createSimulatedHost({ workspace, receivers: () => ({ kind: "answers", status: 200 }), wall: NOW });
}

const DESTINATION: Destination = {
  id: "crm" as DestinationId,
  name: "Webhooks",
  enabled: true,
  paused: false,
  acceptsHistorical: true,
  sources: [{ source: WEBSITE, mode: "cloud" }],
  endpoints: [{ url: "https://example.com/hook", headers: [] }],
  secrets: [createSecret(SECRET)],
};

export type Message = Readonly<Record<string, unknown>>;

/**
 * The messages that were sent once all accepted calls had time for it: each must have valid bytes, a signature, and our
 * headers and no others. No delivery may be left, and the prototype of all objects must be unchanged.
 */
export async function soundDeliveries(world: SimulatedHost): Promise<readonly Message[]> {
  await drain(world);
  expect((await world.relay().stats())._unsafeUnwrap()).toMatchObject({ waiting: 0, claimed: 0, dead: 0 });
  expect(JSON.stringify(Object.getOwnPropertyNames(Object.prototype))).toBe(PROTOTYPE_KEYS);
  return world.received().map(({ body, headers }) => {
    look("a request", headers);
    look("a message", body);
    expect(headers.slice(0, 5)).toEqual([
      ["User-Agent", "Postrider/1.0"],
      ["Content-Type", "application/json"],
      ["Accept-Encoding", "identity"],
      ["Accept", "*/*"],
      ["X-Signature", createHmac("sha1", SECRET).update(body).digest("hex")],
    ]);
    expect(headers).toHaveLength(5);
    return soundMessage(body);
  });
}

/** Lets the relay work until nothing is left, within bounds: a large batch takes many turns. */
async function drain(world: SimulatedHost): Promise<void> {
  for (let turn = 0; turn < MAX_TURNS; turn += 1) {
    await world.advance(1);
    const { waiting, claimed } = (await world.relay().stats())._unsafeUnwrap();
    if (waiting + claimed === 0) return;
  }
}

/** The message in these bytes, if they are what a receiver gets that parses and writes them again. */
export function soundMessage(body: Uint8Array): Message {
  const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(body);
  const message = JSON.parse(text) as Message;
  expect(JSON.stringify(message) === text).toBe(true);
  return message;
}
