// Receivers as they occur in practice, in one process: a good one, slow ones, one with errors, one that hangs and one that
// cannot accept certain messages. Each path has a different behaviour and counts its requests.

import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { onTestFinished } from "vitest";
import { close, listen } from "../loopback.js";

/** The name of the calls that the receiver on `/poisoned` cannot accept. */
export const POISON = "Poison";

const SLOW_MS = 4_500;
const ERRING_MS = 200;
const ERRING_SHARE = 0.05;

type Behaviour = (message: Message) => { readonly status: number; readonly afterMs: number } | "silence";

interface Message {
  readonly messageId: string;
  readonly event: string;
}

const BEHAVIOURS: Readonly<Record<string, Behaviour>> = {
  "/good": () => ({ status: 200, afterMs: 0 }),
  "/slow": () => ({ status: 200, afterMs: SLOW_MS }),
  "/erring": () => ({ status: Math.random() < ERRING_SHARE ? 503 : 200, afterMs: ERRING_MS }),
  "/hanging": () => "silence",
  "/poisoned": ({ event }) => ({ status: event === POISON ? 500 : 200, afterMs: 0 }),
};

export interface HardReceivers {
  readonly url: string;
  /** When the first byte of each message arrived at `/good`, by `performance.now`. */
  readonly goodAt: ReadonlyMap<string, number>;
  /** Messages that were answered with success on a path. */
  taken(path: string): number;
}

/** Starts them; they are closed after the test. */
export async function createHardReceivers(): Promise<HardReceivers> {
  const goodAt = new Map<string, number>();
  const taken = new Map<string, Set<string>>();

  function onRequest(request: IncomingMessage, response: ServerResponse): void {
    const at = performance.now();
    const path = (request.url ?? "").replace(/\d+$/, "");
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const message = JSON.parse(Buffer.concat(chunks).toString()) as Message;
      const answer = BEHAVIOURS[path]?.(message) ?? "silence";
      if (answer === "silence") return;
      if (path === "/good" && !goodAt.has(message.messageId)) goodAt.set(message.messageId, at);
      if (answer.status === 200) takenOn(path).add(message.messageId);
      setTimeout(() => response.writeHead(answer.status).end(), answer.afterMs);
    });
  }

  function takenOn(path: string): Set<string> {
    const ids = taken.get(path) ?? new Set<string>();
    taken.set(path, ids);
    return ids;
  }

  const server = createServer({ keepAliveTimeout: 120_000 }, onRequest);
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${String(port)}`, goodAt, taken: (path) => takenOn(path).size };
}
