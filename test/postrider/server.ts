// A server under test, started in this process from a config, and a receiver to deliver to.

import { createSystemClock, createSystemRandom } from "@postrider/system";
import type { Clock } from "@postrider/core";
import type { LogEntry } from "@postrider/relay";
import { createServer } from "node:http";
import { onTestFinished } from "vitest";
import { readConfig } from "../../packages/postrider/src/config/read-config.js";
import type { HttpLimits } from "../../packages/postrider/src/server/http-limits.js";
import type { RunningServer } from "../../packages/postrider/src/server/running-server.js";
import type { TlsFiles } from "../../packages/postrider/src/server/tls/tls-pair.js";
import { startServer } from "../../packages/postrider/src/server/start-server.js";
import { look, WRITE_KEY } from "../canary.js";
import { type ConfigJson, writeConfig } from "./config-file.js";
import { close, listen } from "../loopback.js";

export interface Logged extends LogEntry {
  readonly level: string;
}

export interface ServerUnderTest {
  readonly server: RunningServer;
  readonly log: readonly Logged[];
}

/** The config of a file, as `serve` reads it. */
export function configOf(json: ConfigJson) {
  const read = readConfig(writeConfig(json), (name) => process.env[name]);
  if (read.kind === "refused") throw new Error(JSON.stringify(read.problems));
  return read.config;
}

/** Starts a server, by the real clock unless another is given, with TLS if files are named; it is stopped after the test. */
export async function serverOf(
  json: ConfigJson,
  limits: Partial<HttpLimits> = {},
  clock: Clock = createSystemClock(),
  tls?: TlsFiles,
): Promise<ServerUnderTest> {
  const log: Logged[] = [];
  const started = await startServer({
    config: configOf(json),
    ...(tls === undefined ? {} : { tls }),
    logger: {
      log: (level, entry) => {
        look("a line of the log", entry);
        log.push({ level, ...entry });
      },
    },
    clock,
    random: createSystemRandom(),
    limits,
  });
  if (started.kind === "refused") throw new Error(started.reason);
  onTestFinished(async () => {
    await started.server.stop();
  });
  return { server: started.server, log };
}

export interface ReceiverUnderTest {
  readonly url: string;
  /** The messages that have arrived, oldest first. */
  readonly messages: readonly Readonly<Record<string, unknown>>[];
  /** Resolves once this many messages have arrived. */
  count(messages: number): Promise<void>;
  /** Answers all requests that wait for their answer. */
  readonly answer: () => void;
}

/** A receiver that answers 200, at once or when told to; it is closed after the test. */
export async function receiverOf({ isHeld = false } = {}): Promise<ReceiverUnderTest> {
  const messages: Readonly<Record<string, unknown>>[] = [];
  const held: (() => void)[] = [];
  const watchers = new Set<() => void>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      look("a request", [request.url, request.rawHeaders]);
      look("a message", Buffer.concat(chunks));
      messages.push(JSON.parse(Buffer.concat(chunks).toString()));
      if (isHeld) held.push(() => response.end());
      else response.end();
      for (const watch of [...watchers]) watch();
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return {
    url: `http://127.0.0.1:${port}`,
    messages,
    count: (wanted) =>
      new Promise((resolve) => {
        const watch = (): void => {
          if (messages.length < wanted) return;
          watchers.delete(watch);
          resolve();
        };
        watchers.add(watch);
        watch();
      }),
    answer: () => {
      for (const end of held.splice(0)) end();
    },
  };
}

/** The URL of a receiver that refuses every message with 422, which is final at once; it is closed after the test. */
export async function refusingReceiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().once("end", () => response.writeHead(422).end());
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${String(port)}/`;
}

/** Makes a track call; resolves with the answer. */
export function track(url: string, fields: object = {}, writeKey = WRITE_KEY): Promise<Response> {
  return fetch(`${url}/v1/track`, {
    method: "POST",
    headers: { authorization: `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}` },
    body: JSON.stringify({ userId: "u1", event: "Signed Up", ...fields }),
  });
}

/** A GET of the API with a token. */
export function api(url: string, path: string, token: string): Promise<Response> {
  return fetch(`${url}/api/${path}`, { headers: { authorization: `Bearer ${token}` } });
}
