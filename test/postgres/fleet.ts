// Real servers on one database, alike but for their ports, a receiver, and callers that remember what was answered.

import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { expect } from "vitest";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { pause, type Receiver } from "../end-to-end/receiver.js";
import { type DestinationJson, SHORT_LEASE, settledStats, track } from "../end-to-end/scene.js";
import { serve, type ServerProcess } from "../end-to-end/server-process.js";
import { tempFolder } from "../postrider/config-file.js";

/** A config file for any number of servers on the database. */
export function writeFleetConfig(store: string, destinations: readonly DestinationJson[], more: object = {}): string {
  const config = join(tempFolder(), "postrider.json");
  const json = {
    listen: { host: "127.0.0.1", port: 0 },
    store,
    apiToken: TOKEN,
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations,
    delivery: SHORT_LEASE,
    network: { allow: ["127.0.0.0/8"] },
    ...more,
  };
  writeFileSync(config, JSON.stringify(json));
  return config;
}

export function serveMany(config: string, count: number): Promise<readonly ServerProcess[]> {
  return Promise.all(Array.from({ length: count }, () => serve(config)));
}

/** Callers that make calls one after the other until told to stop, each at the next server, and go on if one does not answer. */
export interface Load {
  /** The ids of the messages that were answered 200. */
  readonly accepted: readonly string[];
  /** How many calls had another answer, or none. */
  readonly refused: () => number;
  stop(): Promise<void>;
}

/** A pause of a caller after a server that does not answer 200. */
const PAUSE_MS = 20;

export function startLoad(urls: () => readonly string[], callers: number): Load {
  const accepted: string[] = [];
  let refused = 0;
  let isStopped = false;

  async function call(caller: number): Promise<void> {
    for (let made = 0; !isStopped; made += 1) {
      const messageId = `m${String(caller)}-${String(made)}`;
      const all = urls();
      const url = all[(caller + made) % all.length] ?? "";
      const status = await track(url, { messageId }).catch(() => undefined);
      if (status === 200) {
        accepted.push(messageId);
        continue;
      }
      refused += 1;
      await pause(PAUSE_MS);
    }
  }

  const running = Array.from({ length: callers }, (_, caller) => call(caller));
  return {
    accepted,
    refused: () => refused,
    stop: async (): Promise<void> => {
      isStopped = true;
      await Promise.all(running);
    },
  };
}

/** Expects that all that was answered 200 arrives, and is counted as delivered once by each server. */
export async function expectAllDelivered(
  urls: readonly string[],
  receiver: Receiver,
  { accepted }: Pick<Load, "accepted">,
): Promise<void> {
  for (const url of urls) {
    const told = await settledStats(url);
    const arrived = new Set(receiver.requests.map(({ message }) => message["messageId"]));
    expect(accepted.filter((messageId) => !arrived.has(messageId))).toEqual([]);
    expect(told.delivered).toBe(told.accepted);
    expect(told.accepted).toBeGreaterThanOrEqual(accepted.length);
    expect(told.accepted).toBeLessThanOrEqual(arrived.size);
  }
}
