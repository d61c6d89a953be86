// Sends expensive requests, one after the other, to a server whose turns are measured, and checks each answer. The same seed
// makes the same request.

import { Agent, createServer, request as httpRequest } from "node:http";
import fc from "fast-check";
import { onTestFinished } from "vitest";
import { close, listen } from "../../loopback.js";
import { isAsExpected } from "./bodies.js";
import { type Caps, type ExpensiveRequest, MAX_ANSWER_BYTES, plans, requestOf } from "./requests.js";
import { keyOf, type Watched, watchedServer, type WatchedServer } from "./watched-server.js";

export interface ExpensiveRun {
  readonly requests: number;
  readonly firstSeed: number;
  /** Requests before the measurement: work that is done only once is not a cost of a request. */
  readonly warmUp: number;
  /** Called after a fixed number of requests. */
  readonly every?: number;
  readonly tell?: (sent: number, watched: Watched, startBytes: number) => void;
}

export interface ExpensiveTold {
  readonly startBytes: number;
  readonly watched: Watched;
  /** Wrong answers, each with its seed. */
  readonly wrong: readonly string[];
}

export async function playExpensive({
  requests,
  firstSeed,
  warmUp,
  every = 500,
  tell,
}: ExpensiveRun): Promise<ExpensiveTold> {
  const server = await watchedServer(await receiver());
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const wrong: string[] = [];
  const send = async (seed: number): Promise<void> => {
    const fault = await sendOne(server, agent, seed);
    if (fault !== undefined) wrong.push(fault);
  };
  const startBytes = (await server.measure()).live;
  for (let sent = 0; sent < warmUp; sent += 1) await send(firstSeed - 1 - sent);
  server.begin();
  for (let sent = 1; sent <= requests; sent += 1) {
    await send(firstSeed + sent - 1);
    if (tell !== undefined && sent % every === 0) tell(sent, await server.measure(), startBytes);
  }
  return { startBytes, watched: await server.measure(), wrong };
}

/** One of this many requests has the largest possible cost; the others are bounded by the work of the store. */
const WHOLE_EVERY = 20;
const WHOLE: Caps = { units: 250_000, bodyBytes: 85_000_000, freshUnits: 20_000, freshBytes: 2_000_000 };
const PART: Caps = { units: 25_000, bodyBytes: 4_000_000, freshUnits: 256, freshBytes: 262_144 };

export function requestWith(seed: number): ExpensiveRequest {
  const [plan] = fc.sample(plans(), { seed, numRuns: 1 });
  if (plan === undefined) throw new Error("no plan");
  const caps = seed % WHOLE_EVERY === 0 ? WHOLE : PART;
  return requestOf(plan, `s${String(seed)}`, { caps, keyOf });
}

/** The error in the answer; undefined if it was correct. */
async function sendOne({ url }: WatchedServer, agent: Agent, seed: number): Promise<string | undefined> {
  const request = requestWith(seed);
  const name = `seed ${String(seed)}: ${describePlan(request)}`;
  const answer = await post(`${url}${request.path}`, { agent, request, name });
  if (Buffer.byteLength(answer.body) > MAX_ANSWER_BYTES) return `${name}: an answer of ${String(answer.body.length)}`;
  return isAsExpected(request.expected, answer)
    ? undefined
    : `${name}: ${String(answer.status)} ${answer.body.slice(0, 200)}`;
}

function describePlan({ plan, bytes }: ExpensiveRequest): string {
  const { shape, content, reach, zip, isFresh } = plan;
  return `${shape}; ${content}; to ${reach}; ${zip}; ${isFresh ? "fresh" : "pooled"}; ${String(bytes.length)} bytes`;
}

interface Heard {
  readonly status: number;
  readonly body: string;
}

interface Posted {
  readonly agent: Agent;
  readonly request: ExpensiveRequest;
  readonly name: string;
}

function post(url: string, { agent, request, name }: Posted): Promise<Heard> {
  const { authorization, bytes } = request;
  const headers = {
    "content-length": bytes.length,
    "x-expensive": name,
    ...(authorization === undefined ? {} : { authorization }),
  };
  return new Promise((resolve, reject) => {
    const sent = httpRequest(url, { method: "POST", agent, headers }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => resolve({ status: response.statusCode ?? 0, body: Buffer.concat(chunks).toString() }));
      response.on("error", reject);
    });
    sent.on("error", reject);
    sent.end(bytes);
  });
}

/** A receiver that accepts every message. */
async function receiver(): Promise<string> {
  const server = createServer((request, response) => {
    request.resume().on("end", () => response.end());
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return `http://127.0.0.1:${String(port)}`;
}
