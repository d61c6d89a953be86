// A receiver on a real socket that behaves as its test says, keeps every request byte for byte, and can stop and start again
// on the same port.

import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import { createServer as createTlsServer } from "node:https";
import { onTestFinished } from "vitest";
import { look } from "../canary.js";
import { close, listen, listenForRestarts } from "../loopback.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";

export interface Request {
  /** When it arrived, by the clock of this process. */
  readonly at: number;
  readonly path: string;
  readonly headers: NodeJS.Dict<string | string[]>;
  readonly body: Buffer;
  readonly message: Readonly<Record<string, unknown>>;
}

/** A status, no answer at all, or the status for each message. */
export type Behaviour = number | "silent" | ((message: Request["message"]) => number);

export interface Receiver {
  readonly url: string;
  readonly requests: readonly Request[];
  /** Sets its behaviour from now on. */
  behave(behaviour: Behaviour): void;
  /** Refuses connections until `up`. */
  down(): Promise<void>;
  up(): Promise<void>;
  /** Resolves once this many requests have arrived. */
  count(requests: number): Promise<void>;
}

export interface ReceiverOptions {
  /** The certificate and key; http if absent. */
  readonly tls?: { readonly cert: string; readonly key: string };
}

/** Starts a receiver; it is closed after the test. */
export async function createReceiver(behaviour: Behaviour, { tls }: ReceiverOptions = {}): Promise<Receiver> {
  const requests: Request[] = [];
  let current = behaviour;
  const onRequest = (request: IncomingMessage, response: ServerResponse): void => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const body = Buffer.concat(chunks);
      const { url: path = "", headers } = request;
      look("a request", [path, request.rawHeaders]);
      look("a message", body);
      const message: Request["message"] = JSON.parse(body.toString());
      requests.push({ at: Date.now(), path, headers, body, message });
      if (current === "silent") return;
      response.writeHead(typeof current === "number" ? current : current(message)).end();
    });
  };
  const create = (): Server => (tls === undefined ? createServer(onRequest) : createTlsServer(tls, onRequest));
  let server = create();
  const port = await listenForRestarts(server);
  onTestFinished(() => close(server));
  return {
    url: `${tls === undefined ? "http" : "https"}://127.0.0.1:${port}`,
    requests,
    behave: (next) => void (current = next),
    down: () => close(server),
    up: async () => {
      server = create();
      await listen(server, port);
    },
    count: (wanted) => until(() => requests.length >= wanted, `${wanted} requests`),
  };
}

/** Resolves once `isTrue`; a harness that takes longer on purpose gives another time limit. */
export async function until(isTrue: () => boolean, what: string, watchdogMs = CONDITION_WATCHDOG_MS): Promise<void> {
  const endAt = performance.now() + watchdogMs;
  while (!isTrue()) {
    if (performance.now() > endAt) throw new Error(`no ${what} within ${watchdogMs} ms`);
    await pause(10);
  }
}

/** Waits in real time, for tests with real processes. */
export function pause(ms: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, ms));
}
