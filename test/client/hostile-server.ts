// A server on a real socket that fails in every way a server can, drawn from a seed: it is down, answers 500 and 429, is
// slow, resets connections before and after it has read, and exits while the client is flushing. It records what it has
// read and acknowledged, independent of the client's reports.

import type { Random } from "@postrider/core";
import { createSeededRandom } from "@postrider/memory";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { look } from "../canary.js";
import { close, listen, listenForRestarts } from "../loopback.js";

export interface HostileServer {
  readonly url: string;
  /** The messageIds under which each call was ever read, by its number. */
  readonly idsOfCall: ReadonlyMap<number, ReadonlySet<string>>;
  /** Calls that were read in full and answered 200. */
  readonly acknowledged: ReadonlySet<string>;
  /** How often it behaved in each way. */
  readonly behaved: ReadonlyMap<string, number>;
  /** Closes every connection and refuses new ones for `ms`. */
  goDown(ms: number): Promise<void>;
  /** From now on it only answers 200. */
  calmDown(): void;
  close(): Promise<void>;
}

const BEHAVIOURS = {
  200: 12,
  500: 2,
  503: 1,
  408: 1,
  "429 with Retry-After": 0.05,
  slow: 1,
  "slower than the client waits": 0.3,
  "reset before it has read": 1,
  "reset after it has read": 1,
  "half an answer": 1,
} as const;
type Behaviour = keyof typeof BEHAVIOURS;

export interface HostileOptions {
  readonly seed: number;
  readonly clientTimeoutMs: number;
}

export async function startHostileServer({ seed, clientTimeoutMs }: HostileOptions): Promise<HostileServer> {
  const random = createSeededRandom(seed);
  const idsOfCall = new Map<number, Set<string>>();
  const acknowledged = new Set<string>();
  const behaved = new Map<string, number>();
  let isCalm = false;

  async function onRequest(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const behaviour = isCalm ? "200" : draw(random);
    behaved.set(behaviour, (behaved.get(behaviour) ?? 0) + 1);
    if (behaviour === "reset before it has read") return void request.socket.resetAndDestroy();
    const calls = await readCalls(request);
    for (const { messageId, properties } of calls) {
      const ids = idsOfCall.get(properties.n) ?? new Set();
      idsOfCall.set(properties.n, ids.add(messageId));
    }
    const acknowledge = (): void => {
      for (const { messageId } of calls) acknowledged.add(messageId);
      response.end('{"success":true}');
    };
    switch (behaviour) {
      case "200":
        acknowledge();
        return;
      case "slow":
        return void setTimeout(acknowledge, random.unit() * clientTimeoutMs * 0.5);
      case "slower than the client waits":
        return void setTimeout(acknowledge, clientTimeoutMs * 1.5);
      case "reset after it has read":
        return void request.socket.resetAndDestroy();
      case "half an answer":
        response.writeHead(200, { "content-length": 100 }).write("{");
        return void setTimeout(() => request.socket.destroy(), 5);
      case "429 with Retry-After":
        return void response.writeHead(429, { "retry-after": "1" }).end();
      case "408":
      case "500":
      case "503":
        return void response.writeHead(Number(behaviour)).end();
    }
  }

  const create = (): Server =>
    createServer((request, response) => {
      onRequest(request, response).catch(() => request.socket.destroy());
    });
  let server = create();
  const port = await listenForRestarts(server);

  return {
    url: `http://127.0.0.1:${port}`,
    idsOfCall,
    acknowledged,
    behaved,
    goDown: async (ms) => {
      await close(server);
      await new Promise((resolve) => setTimeout(resolve, ms));
      server = create();
      await listen(server, port);
    },
    calmDown: () => void (isCalm = true),
    close: () => close(server),
  };
}

interface ReadCall {
  readonly messageId: string;
  readonly properties: { readonly n: number };
}

async function readCalls(request: IncomingMessage): Promise<readonly ReadCall[]> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  look("a batch", Buffer.concat(chunks));
  return (JSON.parse(Buffer.concat(chunks).toString()) as { batch: readonly ReadCall[] }).batch;
}

function draw(random: Random): `${Behaviour}` {
  const entries = Object.entries(BEHAVIOURS) as [`${Behaviour}`, number][];
  const total = entries.reduce((sum, [, weight]) => sum + weight, 0);
  let left = random.unit() * total;
  for (const [behaviour, weight] of entries) {
    left -= weight;
    if (left < 0) return behaviour;
  }
  return "200";
}
