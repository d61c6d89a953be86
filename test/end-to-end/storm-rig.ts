// A real server between callers that call evenly and receivers whose answers a run changes. Each destination has a separate source, and
// each request is kept with its answer. All instants are those of the wall clock, as in the log of the server. Needs `tsc -b` first.

import { createServer } from "node:http";
import { join } from "node:path";
import { onTestFinished } from "vitest";
import { SHOP_KEY, TOKEN } from "../canary.js";
import { close, listen } from "../loopback.js";
import { tempFolder, writeConfig } from "../postrider/config-file.js";
import { pause } from "./receiver.js";
import { ask } from "./scene.js";
import { type ServerProcess, serve } from "./server-process.js";

const TICK_MS = 20;
/** Most calls in one batch. */
const MAX_BATCH = 100;

/** The status with which a request of a message is answered. */
export type Answers = (event: string) => number;

export interface Post {
  readonly at: number;
  readonly messageId: string;
  readonly event: string;
  readonly status: number;
}

export interface RigReceiver {
  readonly url: string;
  readonly posts: readonly Post[];
  /** When each message was first answered 200. */
  readonly taken: ReadonlyMap<string, number>;
  /** Sets the answers from now on. */
  answer(answers: Answers): void;
}

/** Starts a receiver that answers 200 until `answer` sets something else; it is closed after the test. */
export async function createRigReceiver(): Promise<RigReceiver> {
  const posts: Post[] = [];
  const taken = new Map<string, number>();
  let answers: Answers = () => 200;
  const server = createServer({ keepAliveTimeout: 120_000 }, (request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const { messageId, event } = JSON.parse(Buffer.concat(chunks).toString()) as Call;
      const status = answers(event);
      const at = Date.now();
      posts.push({ at, messageId, event, status });
      if (status === 200 && !taken.has(messageId)) taken.set(messageId, at);
      response.writeHead(status).end();
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, posts, taken, answer: (next) => void (answers = next) };
}

export interface Call {
  readonly messageId: string;
  readonly event: string;
}

/** A destination with its source, its receivers and what came of its calls. */
export interface RigLane {
  readonly id: string;
  readonly receivers: readonly RigReceiver[];
  /** When each call was made, by its message id, in the order of the calls. All are accepted, or the run ends. */
  readonly made: ReadonlyMap<string, number>;
  /** Makes calls at once; rejects if they are not accepted. */
  call(events: readonly string[]): Promise<readonly string[]>;
  /** Calls evenly until it is stopped. */
  callEvenly(perSecond: number): { readonly stop: () => Promise<void> };
  /** All requests to its receivers, in the order of arrival. */
  posts(): readonly Post[];
  /** When the message first was answered 200. */
  takenAt(messageId: string): number | undefined;
  /** When the server has held the lane, and opened it. */
  moves(): readonly { readonly at: number; readonly to: "held" | "open" }[];
  counts(): Promise<SourceCounts>;
}

interface SourceCounts {
  readonly source: string;
  readonly accepted: number;
  readonly delivered: number;
  readonly dead: number;
}

export interface Rig<Id extends string> {
  readonly server: ServerProcess;
  readonly lanes: Readonly<Record<Id, RigLane>>;
}

/** Starts a server on a SQLite file with a lane for each name, which has this many receivers. */
export async function startRig<Id extends string>(
  receivers: Readonly<Record<Id, number>>,
  delivery: object = {},
): Promise<Rig<Id>> {
  const folder = tempFolder();
  const ids = Object.keys(receivers) as Id[];
  const created = await Promise.all(
    ids.map((id) => Promise.all(Array.from({ length: receivers[id] }, () => createRigReceiver()))),
  );
  const config = {
    listen: { host: "127.0.0.1", port: 0 },
    store: `sqlite:${join(folder, "postrider.db")}`,
    apiToken: TOKEN,
    sources: ids.map((id) => ({ id, writeKey: keyOf(id) })),
    destinations: ids.map((id, index) => ({
      id,
      sources: [id],
      endpoints: (created[index] ?? []).map(({ url }) => ({ url })),
    })),
    delivery,
    network: { allow: ["127.0.0.0/8"] },
  };
  const server = await serve(writeConfig(config, folder));
  const lanes = ids.map((id, index) => [id, createLane(server, id, created[index] ?? [])]);
  return { server, lanes: Object.fromEntries(lanes) as Record<Id, RigLane> };
}

function createLane(server: ServerProcess, id: string, receivers: readonly RigReceiver[]): RigLane {
  const made = new Map<string, number>();
  let number = 0;

  async function call(events: readonly string[]): Promise<readonly string[]> {
    const batch = events.map((event) => {
      number += 1;
      return { type: "track", userId: "u1", event, messageId: `${id}-${String(number)}` };
    });
    const at = Date.now();
    for (const { messageId } of batch) made.set(messageId, at);
    const response = await fetch(`${server.url}/v1/batch`, {
      method: "POST",
      headers: { authorization: `Basic ${Buffer.from(`${keyOf(id)}:`).toString("base64")}` },
      body: JSON.stringify({ batch }),
    });
    const text = await response.text();
    if (response.status !== 200) throw new Error(`${id}: ${String(response.status)} ${text}`);
    return batch.map(({ messageId }) => messageId);
  }

  return {
    id,
    receivers,
    made,
    call,
    callEvenly: (perSecond) => callEvenly(perSecond, call),
    posts: () => receivers.flatMap(({ posts }) => posts).toSorted((one, other) => one.at - other.at),
    takenAt: (messageId) => {
      const at = Math.min(...receivers.map(({ taken }) => taken.get(messageId) ?? Infinity));
      return at === Infinity ? undefined : at;
    },
    moves: () =>
      server
        .log()
        .filter(({ code, destination }) => destination === id && /^lane-(?:held|open)$/.test(code))
        .map(({ time, code }) => ({ at: Date.parse(time), to: code === "lane-held" ? "held" : "open" })),
    counts: async () => {
      const { sources } = await ask<{ readonly sources: readonly SourceCounts[] }>(server.url, "stats");
      const counts = sources.find(({ source }) => source === id);
      if (counts === undefined) throw new Error(`no counts of ${id}`);
      return counts;
    },
  };
}

function callEvenly(perSecond: number, call: RigLane["call"]): { readonly stop: () => Promise<void> } {
  let isOver = false;
  const run = async (): Promise<void> => {
    const beganAt = performance.now();
    let made = 0;
    while (!isOver) {
      const due = Math.floor(((performance.now() - beganAt) * perSecond) / 1_000) + 1 - made;
      const wanted = Math.min(due, MAX_BATCH);
      if (wanted > 0) await call(Array.from({ length: wanted }, () => "Good"));
      made += wanted;
      await pause(TICK_MS);
    }
  };
  const running = run();
  return {
    stop: async () => {
      isOver = true;
      await running;
    },
  };
}

function keyOf(id: string): string {
  return `${SHOP_KEY}-${id}`;
}
