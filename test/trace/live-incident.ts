// An incident of a real server, with sockets, a SQLite file and the real clock: a receiver that always fails, one that hangs
// now and then, one that is well; a store that is busy for hundreds of milliseconds; deletions, other settings, lookups.

import { DatabaseSync } from "@photostructure/sqlite";
import { createServer } from "node:http";
import { join } from "node:path";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import type { RelayEvent } from "@postrider/relay";
import { recordPorts, type RecordOptions } from "@postrider/relay/trace";
import { onTestFinished } from "vitest";
import { startServer } from "../../packages/postrider/src/server/start-server.js";
import { readConfig } from "../../packages/postrider/src/config/read-config.js";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { pause } from "../end-to-end/receiver.js";
import { close, listen } from "../loopback.js";
import { tempFolder, writeConfig } from "../postrider/config-file.js";

/** Rounds end quickly, so that seconds have retries, timeouts and probes. */
const DELIVERY = { timeoutMs: 1_000, leaseMs: 6_000, retryWindowMs: 120_000, firstRetryMs: 200, maxRetryMs: 2_000 };
const CALLS_AT_ONCE = 8;
const PAUSE_MS = 40;
const BUSY_EVERY_MS = 3_000;
const BUSY_MS = 400;
/** It goes on until this number of segments has begun: the ring, which holds about four, has wrapped at least twice then. */
export const MIN_SEGMENTS = 12;

export interface LiveIncident {
  readonly events: readonly RelayEvent[];
  readonly bytes: Uint8Array;
  /** How many segments were begun; those that are not in the trace were dropped. */
  readonly segments: number;
}

/** Plays the incident for that long, or longer on a machine that is busy, and saves its trace while the server still delivers. */
export async function playLiveIncident(lastsMs: number, recorded: RecordOptions): Promise<LiveIncident> {
  const folder = tempFolder();
  const urls = await Promise.all([receiver(() => 503), receiver(hangNowAndThen()), receiver(() => 200)]);
  const read = readConfig(writeConfig(configOf(urls), folder), () => undefined);
  if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
  const { config } = read;
  const events: RelayEvent[] = [];
  let segments = 0;
  let save: (() => Promise<Uint8Array>) | undefined;
  const started = await startServer({
    config,
    logger: { log: () => undefined },
    clock: createSystemClock(),
    random: createSystemRandom(),
    observe: (event) => void events.push(event),
    record: (ports) => {
      const recording = recordPorts(ports, recorded);
      save = recording.saveTrace;
      const { recorder } = recording.ports;
      return {
        begin: (...given) => {
          segments += 1;
          return recorder.begin(...given);
        },
      };
    },
  });
  if (started.kind === "refused") throw new Error(started.reason);
  const { server } = started;
  const endAt = performance.now() + lastsMs;
  const isOver = (): boolean => performance.now() > endAt && segments >= MIN_SEGMENTS;
  await Promise.all([
    callOn(server.url, isOver),
    lockNowAndThen(join(folder, "postrider.db"), isOver),
    (async () => {
      await pause(lastsMs / 2);
      server.configure({
        ...config,
        workspace: { ...config.workspace, retention: { deliveredHours: 1, deadHours: 1 } },
      });
      while (!isOver()) {
        await ask(server.url, "/api/deletions", { userIds: ["u3"], regulation: "delete-only" });
        await ask(server.url, "/api/deliveries?state=waiting");
        await pause(lastsMs / 6);
      }
    })(),
  ]);
  if (save === undefined) throw new Error("nothing was recorded");
  const bytes = await save();
  await server.stop();
  return { events, bytes, segments };
}

function configOf(urls: readonly string[]) {
  return {
    listen: { host: "127.0.0.1", port: 0 },
    store: "sqlite:./postrider.db",
    apiToken: TOKEN,
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: urls.map((url, at) => ({ id: `d${String(at)}`, sources: ["website"], endpoints: [{ url }] })),
    delivery: DELIVERY,
    network: { allow: ["127.0.0.0/8"] },
  };
}

async function receiver(behave: () => number | "silent"): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      const does = behave();
      if (does !== "silent") response.writeHead(does).end("an excerpt");
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${String(port)}/hook`;
}

function hangNowAndThen(): () => number | "silent" {
  let requests = 0;
  return () => {
    requests += 1;
    return requests % 40 === 0 ? "silent" : requests % 10 === 0 ? 429 : 200;
  };
}

async function callOn(url: string, isOver: () => boolean): Promise<void> {
  for (let batch = 0; !isOver(); batch += 1) {
    await Promise.all(
      Array.from({ length: CALLS_AT_ONCE }, (_, call) =>
        send(`${url}/v1/track`, `Basic ${btoa(`${WRITE_KEY}:`)}`, {
          userId: `u${String((batch + call) % 11)}`,
          event: "Order Completed",
          properties: { batch, call, note: "für Zoë" },
        }),
      ),
    );
    await pause(PAUSE_MS);
  }
}

/** Another process holds the write lock of the file now and then. */
async function lockNowAndThen(file: string, isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await pause(BUSY_EVERY_MS);
    const holder = new DatabaseSync(file);
    holder.exec("pragma busy_timeout = 1000; begin immediate");
    await pause(BUSY_MS);
    holder.exec("rollback");
    holder.close();
  }
}

async function ask(url: string, path: string, body?: object): Promise<void> {
  await send(`${url}${path}`, `Bearer ${TOKEN}`, body);
}

async function send(url: string, authorization: string, body?: object): Promise<void> {
  const asked = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answered = await fetch(url, { headers: { authorization, "content-type": "application/json" }, ...asked });
  await answered.text();
}
