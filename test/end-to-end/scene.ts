// Shared parts of the end-to-end tests: a config with a SQLite file in a new folder, calls over HTTP, and requests to the
// API as an operator would make them.

import { writeFileSync } from "node:fs";
import { get, type IncomingMessage } from "node:http";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { expect } from "vitest";
import { look, TOKEN, WRITE_KEY } from "../canary.js";
import { tempFolder } from "../postrider/config-file.js";

/** Retries almost without a pause. Timeout and window are long enough for any busy machine. */
export const FAST = { timeoutMs: 10_000, retryWindowMs: 300_000, firstRetryMs: 150, maxRetryMs: 400, leaseMs: 15_000 };

/** For tests that wait for a timeout, or for the leases of a server that was killed. */
export const SHORT_LEASE = { ...FAST, timeoutMs: 1_000, leaseMs: 6_000 };

export interface DestinationJson {
  readonly id: string;
  readonly sources: readonly string[];
  readonly endpoints: readonly { readonly url: string; readonly headers?: Readonly<Record<string, string>> }[];
  readonly sharedSecret?: string;
  readonly enabled?: boolean;
  readonly paused?: boolean;
}

/** A destination of the one source with an endpoint for each URL. */
export function destination(urls: readonly string[], changes: Partial<DestinationJson> = {}): DestinationJson {
  return { id: "crm", sources: ["website"], endpoints: urls.map((url) => ({ url })), ...changes };
}

export interface Scene {
  /** The path of the config file. */
  readonly config: string;
  /** Writes other settings into it. */
  rewrite(destinations: readonly DestinationJson[], delivery?: object, server?: object): void;
}

/** A config file with a database beside it; `server` has further keys of the server. */
export function createScene(
  destinations: readonly DestinationJson[],
  delivery: object = FAST,
  server: object = {},
): Scene {
  const folder = tempFolder();
  const config = join(folder, "postrider.json");
  const write: Scene["rewrite"] = (settings, policy = delivery, keys = server) => {
    const json = {
      listen: { host: "127.0.0.1", port: 0 },
      store: "sqlite:./postrider.db",
      apiToken: TOKEN,
      sources: [{ id: "website", writeKey: WRITE_KEY }],
      destinations: settings,
      delivery: policy,
      network: { allow: ["127.0.0.0/8"] },
      ...keys,
    };
    writeFileSync(config, JSON.stringify(json));
  };
  write(destinations);
  return { config, rewrite: write };
}

/** Makes a track call and returns the status; throws if there is no answer. */
export async function track(url: string, fields: object = {}, signal?: AbortSignal): Promise<number> {
  const response = await fetch(`${url}/v1/track`, {
    method: "POST",
    ...(signal && { signal }),
    headers: { authorization: `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}` },
    body: JSON.stringify({ userId: "u1", event: "Signed Up", ...fields }),
  });
  look("an answer", [[...response.headers], await response.text()]);
  return response.status;
}

export interface AttemptJson {
  readonly round: number;
  readonly endpoint: string;
  readonly startedAt: string;
  readonly durationMs: number;
  readonly status: number | null;
  readonly fault: string | null;
  readonly verdict: "success" | "retry" | "refused";
}

export interface DeliveryJson {
  readonly id: string;
  readonly state: "waiting" | "claimed" | "delivered" | "dead";
  readonly reason: string | null;
  readonly detail: string | null;
  readonly destination: string;
  readonly messageId: string;
  readonly acceptedAt: string;
  readonly attemptCount: number;
  readonly replayOf: string | null;
  readonly attempts: readonly AttemptJson[];
  readonly message: object | null;
  readonly lapses: LapsesJson | null;
}

/** Rounds that may have been sent without a record. */
export interface LapsesJson {
  readonly count: number;
  readonly process: string;
  readonly takenBy: string | null;
}

/** The API has answered a request with another status than 200. */
export class RefusedError extends Error {
  constructor(
    path: string,
    readonly status: number | undefined,
    answer: string,
  ) {
    super(`${path}: ${String(status)} ${answer}`);
  }
}

/** A GET of the API, on a new connection: the server may close an idle one just when the request is sent on it. */
export async function ask<T>(url: string, path: string): Promise<T> {
  const headers = { authorization: `Bearer ${TOKEN}` };
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(`${url}/api/${path}`, { headers, agent: false }, resolve).once("error", reject);
  });
  const answer = await text(response);
  look("an answer", [response.rawHeaders, answer]);
  if (response.statusCode !== 200) throw new RefusedError(path, response.statusCode, answer);
  return JSON.parse(answer) as T;
}

/** All deliveries, newest first, each with its attempts. */
export async function deliveries(url: string, query = ""): Promise<readonly DeliveryJson[]> {
  const page = await ask<{ deliveries: readonly DeliveryJson[] }>(url, `deliveries?limit=500${query}`);
  return Promise.all(page.deliveries.map(({ id }) => ask<DeliveryJson>(url, `deliveries/${id}`)));
}

/** Resolves with the only delivery, once it is in this state. */
export async function settled(url: string, state: DeliveryJson["state"]): Promise<DeliveryJson> {
  const one = async (): Promise<DeliveryJson> => {
    const found = await deliveries(url);
    expect(found).toHaveLength(1);
    return found[0]!;
  };
  await expect.poll(async () => (await one()).state).toBe(state);
  return one();
}

export interface Stats {
  readonly accepted: number;
  readonly filtered: number;
  readonly waiting: number;
  readonly claimed: number;
  readonly delivered: number;
  readonly dead: number;
}

export function stats(url: string): Promise<Stats> {
  return ask<Stats>(url, "stats");
}

/** The counters of one look at which nothing waits: a request that its caller gave up may be committed between two looks. */
export async function settledStats(url: string): Promise<Stats> {
  let told: Stats | undefined;
  await expect.poll(async () => (told = await stats(url))).toMatchObject({ waiting: 0, claimed: 0, dead: 0 });
  return told!;
}
