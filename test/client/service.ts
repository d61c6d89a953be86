// The service as a user of the client meets it: the real ingest behind a socket, which keeps each batch request as it came, and
// three destinations with a receiver. The client is the built package, as a program requires it.

import type * as ClientPackage from "@postrider/client";
import { createManualClock, type ManualClock } from "@postrider/memory";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingMessage } from "node:http";
import { createRequire } from "node:module";
import { fileURLToPath } from "node:url";
import { expect, onTestFinished } from "vitest";
import { createPostrider } from "../../packages/postrider/src/index.js";
import { look, TOKEN, WRITE_KEY } from "../canary.js";
import { close, listen } from "../loopback.js";
import { api } from "../postrider/server.js";
import { queuedId } from "./rig.js";

/** An import would be of the sources, to which the names of packages lead in tests. */
export const { createClient } = createRequire(import.meta.url)("@postrider/client") as typeof ClientPackage;

type Client = ClientPackage.Client;
type Options = Partial<ClientPackage.ClientOptions>;
type Json = Readonly<Record<string, unknown>>;
type Bodies = Readonly<Record<string, Json>>;

/** A call of each kind, with the fields without which it is refused. */
const CALLS = {
  identify: { userId: "u1" },
  track: { userId: "u1", event: "Signed Up" },
  page: { userId: "u1" },
  screen: { userId: "u1" },
  group: { userId: "u1", groupId: "g1" },
  alias: { userId: "u1", previousId: "a1" },
} as const;
export type Kind = keyof typeof CALLS;
export const KINDS = Object.keys(CALLS) as Kind[];

interface SeenCall extends Json {
  readonly filtered: readonly { readonly destination: string; readonly reason: string }[];
}

export interface BatchRequest {
  readonly line: string;
  readonly authorization: string | undefined;
  readonly bytes: number;
  readonly sentAt: string;
  readonly batch: readonly Json[];
}

export interface Service {
  readonly url: string;
  /** A client on a clock that stands still, and the requests since. */
  createRig(options?: Options): {
    readonly client: Client;
    readonly clock: ManualClock;
    readonly requests: () => readonly BatchRequest[];
  };
  /**
   * The batches of some calls, each with the milliseconds after which it was sent, while the clock makes steps. What the client does
   * not send by then goes out when it is closed, a millisecond later.
   */
  batchesOf(
    options: Options & { readonly calls: number; readonly steps?: readonly number[] },
  ): Promise<readonly string[]>;
  /** The bodies that the receiver has got of an accepted call, by the name of the destination, once all of them are there. */
  bodiesOf(messageId: string): Promise<Bodies>;
  /** Makes a call by a client with the clock of the machine, and answers what the receiver gets of it. */
  receivedOf(kind: Kind, fields: object): Promise<Bodies>;
  /** Makes calls from the handler of a web server: one in each of this many requests. */
  behindServer(requests: number, call: () => unknown): Promise<void>;
  /** Runs a program that imports the package, makes a call and closes, with this `DEBUG` in its environment. */
  play(DEBUG: string): Promise<{ readonly stdout: string; readonly stderr: string }>;
  /** What the API tells of the latest call, and each destination that did not get it, with the reason. */
  latestCall(): Promise<Json & { readonly reasons: readonly string[] }>;
  close(): Promise<void>;
}

/** Starts a service. `Archive` takes no historical calls. */
export async function createService(): Promise<Service> {
  const requests: BatchRequest[] = [];
  const messages: { readonly destination: string; readonly body: Json }[] = [];
  const receiver = createServer((request, response) => {
    void bytesOf(request).then((bytes) => {
      look("a message", bytes);
      messages.push({ destination: request.url!.slice(1), body: JSON.parse(bytes.toString()) });
      response.end();
      receiver.emit("message");
    });
  });
  const receiverPort = await listen(receiver);
  const postrider = await createPostrider({
    store: "memory:",
    logger: { log: (...entry) => look("a line of the log", entry) },
    apiToken: TOKEN,
    sources: [{ id: "website", writeKey: WRITE_KEY }],
    destinations: ["CRM", "Mail", "Archive"].map((name) => ({
      id: name.toLowerCase(),
      name,
      sources: ["website"],
      acceptsHistorical: name !== "Archive",
      endpoints: [{ url: `http://127.0.0.1:${receiverPort}/${name}` }],
    })),
    network: { allow: ["127.0.0.0/8"] },
  });
  const front = createServer((request, response) => {
    void bytesOf(request).then((rawBody) => {
      if (request.method === "POST") requests.push(batchRequestOf(request, rawBody));
      postrider.nodeListener(Object.assign(request, { rawBody }), response);
    });
  });
  const url = `http://127.0.0.1:${await listen(front)}`;
  const messagesOf = (messageId: string) => messages.filter(({ body }) => body["messageId"] === messageId);
  const createRig: Service["createRig"] = (options) => {
    const clock = createManualClock();
    const client = createClient(WRITE_KEY, { endpoint: url, clock, ...options });
    onTestFinished(async () => {
      await client.close();
    });
    const before = requests.length;
    return { client, clock, requests: () => requests.slice(before) };
  };
  const bodiesOf: Service["bodiesOf"] = async (messageId) => {
    const [seen] = (await postrider.relay.seen({ messageId }))._unsafeUnwrap();
    if (seen === undefined) throw new Error("the call was not accepted");
    while (messagesOf(messageId).length < seen.deliveries) await once(receiver, "message");
    return Object.fromEntries(messagesOf(messageId).map(({ destination, body }) => [destination, body]));
  };
  return {
    url,
    createRig,
    bodiesOf,
    batchesOf: async ({ calls, steps = [], ...options }) => {
      const rig = createRig(options);
      const start = rig.clock.wall();
      for (let n = 0; n < calls; n += 1) queuedId(make(rig.client, "track"));
      for (const ms of [...steps, 1]) await rig.clock.advance(ms);
      await deliver(rig.client);
      return rig
        .requests()
        .map(({ sentAt, batch }) => ({ ms: Date.parse(sentAt) - start, size: batch.length }))
        .toSorted((a, b) => a.ms - b.ms)
        .map(({ ms, size }) => `${size} at ${ms}`);
    },
    receivedOf: async (kind, fields) => {
      const client = createClient(WRITE_KEY, { endpoint: url });
      const messageId = queuedId(make(client, kind, fields));
      await deliver(client);
      return bodiesOf(messageId);
    },
    behindServer,
    play: (DEBUG) => play(url, DEBUG),
    latestCall: async () => {
      const { calls } = (await (await api(url, "calls", TOKEN)).json()) as { readonly calls: readonly SeenCall[] };
      const call = calls[0]!;
      return { ...call, reasons: call.filtered.map(({ destination, reason }) => `${destination} ${reason}`) };
    },
    close: async () => {
      await close(front);
      await postrider.close();
      await close(receiver);
    },
  };
}

function batchRequestOf({ method, url, headers }: IncomingMessage, bytes: Buffer): BatchRequest {
  const { sentAt, batch } = JSON.parse(bytes.toString()) as Pick<BatchRequest, "sentAt" | "batch">;
  look("a batch", bytes);
  const line = `${String(method)} ${String(url)}`;
  return { line, authorization: headers.authorization, bytes: bytes.length, sentAt, batch };
}

async function bytesOf(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  return Buffer.concat(chunks);
}

/** Makes a call of a kind with some fields more, or without one that is undefined. */
export function make(client: Client, kind: Kind, fields: object = {}): ClientPackage.CallResult {
  return (client[kind] as (call: object) => ClientPackage.CallResult)({ ...CALLS[kind], ...fields });
}

/** Closes a client all of whose calls are delivered. */
export async function deliver(client: Client): Promise<void> {
  expect(await client.close()).toEqual({ undelivered: [] });
}

async function behindServer(requests: number, call: () => unknown): Promise<void> {
  const server = createServer((_, response) => {
    call();
    response.end();
  });
  const url = `http://127.0.0.1:${await listen(server)}`;
  onTestFinished(() => close(server));
  await Promise.all(Array.from({ length: requests }, async () => (await fetch(url)).text()));
}

function play(url: string, DEBUG: string): ReturnType<Service["play"]> {
  const program = `
    import { createClient } from "@postrider/client";
    const client = createClient(process.env.WRITE_KEY, { endpoint: "${url}" });
    client.track({ userId: "u1", event: "Signed Up" });
    console.log(JSON.stringify(await client.close()));`;
  const options = { cwd: fileURLToPath(new URL(".", import.meta.url)), env: { ...process.env, WRITE_KEY, DEBUG } };
  return new Promise((resolve) => {
    execFile(process.execPath, ["--input-type=module", "--eval", program], options, (_, stdout, stderr) => {
      look("the output of a program", [stdout, stderr]);
      resolve({ stdout, stderr });
    });
  });
}
