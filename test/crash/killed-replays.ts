// Replays all dead deliveries as jobs: one is cancelled half-way, the other is carried through kills of its server. Each delivery
// is replayed once, and the jobs count what they have done. Needs `tsc -b` first.

import { createServer, type Server } from "node:http";
import type { Random } from "@postrider/core";
import { onTestFinished } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { pause } from "../end-to-end/receiver.js";
import { createScene, destination, stats } from "../end-to-end/scene.js";
import { serve } from "../end-to-end/server-process.js";
import { close, listen } from "../loopback.js";
import { POLICY } from "./site.js";
import { askServer, untilAnswered } from "./users-site.js";

const BATCH = 500;
/** After a process has taken the job and replayed something. */
const KILL_WITHIN_MS = 300;
const SETTLED_WITHIN_MS = 600_000;

export interface ReplayLife {
  readonly deliveries: number;
  /** The most kills; fewer if the job is done before. */
  readonly kills: number;
  readonly random: Random;
}

export interface ReplayLifeReport {
  readonly previewed: number;
  readonly cancelledAt: number;
  readonly kills: number;
  readonly tookMs: number;
  readonly findings: readonly string[];
}

export async function replayThroughKills({ deliveries, kills, random }: ReplayLife): Promise<ReplayLifeReport> {
  const receiver = await startReceiver();
  const { config } = createScene([destination([receiver.url], { id: "crm" })], POLICY);
  let server = await serve(config);
  await call(server.url, deliveries);
  await untilAnswered(async () => (await stats(server.url)).dead === deliveries, SETTLED_WITHIN_MS, "dead deliveries");
  receiver.recover();

  const { deliveries: previewed } = await ask(server.url, "replay-jobs/preview", {});
  const first = await start(server.url);
  await untilAnswered(async () => (await job(server.url, first)).replayed >= deliveries / 2, SETTLED_WITHIN_MS, "half");
  await ask(server.url, `replay-jobs/${first}/cancel`, {});
  await untilAnswered(async () => isQuiet(server.url), SETTLED_WITHIN_MS, "end of what was replayed");
  // The last step is counted after its deliveries were replayed, and these may be delivered before.
  const isCounted = async (): Promise<boolean> =>
    (await stats(server.url)).accepted === deliveries + (await job(server.url, first)).replayed;
  await untilAnswered(isCounted, SETTLED_WITHIN_MS, "count of what was replayed");
  const cancelled = await job(server.url, first);
  const afterCancel = await stats(server.url);

  const beganAt = performance.now();
  const second = await start(server.url);
  let killed = 0;
  for (; killed < kills; killed += 1) {
    if (!(await goesOn(server.url, second))) break;
    await pause(random.unit() * KILL_WITHIN_MS);
    await server.kill();
    server = await serve(config);
  }
  const isDone = async (): Promise<boolean> => (await job(server.url, second)).state !== "running";
  await untilAnswered(isDone, SETTLED_WITHIN_MS, "end of the job");
  const tookMs = Math.round(performance.now() - beganAt);
  await untilAnswered(async () => isQuiet(server.url), SETTLED_WITHIN_MS, "end of all deliveries");
  const done = await job(server.url, second);
  const { accepted, delivered, dead } = await stats(server.url);
  const left = await ask(server.url, "replay-jobs/preview", {});
  await server.end();
  return {
    previewed,
    cancelledAt: cancelled.replayed,
    kills: killed,
    tookMs,
    findings: [
      ...differs("the preview", previewed, deliveries),
      ...differs("what there is after the cancel", afterCancel.accepted, deliveries + cancelled.replayed),
      ...differs("the expectation of the second job", done.expected, deliveries - cancelled.replayed),
      ...differs("what the second job replayed", done.replayed, done.expected),
      ...differs("what the second job skipped", done.skipped, 0),
      ...differs("all deliveries", accepted, 2 * deliveries),
      ...differs("the delivered ones", delivered, deliveries),
      ...differs("the dead ones", dead, deliveries),
      ...differs("what could still be replayed", left.deliveries, 0),
      ...differs("the messages that arrived", receiver.arrived.size, deliveries),
    ],
  };
}

function differs(what: string, found: number, expected: number): readonly string[] {
  return found === expected ? [] : [`${what}: ${String(found)}, not ${String(expected)}`];
}

/** Refuses everything until it recovers; from then on it records the ids of the messages. */
async function startReceiver() {
  const arrived = new Set<unknown>();
  let isWell = false;
  const server: Server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      if (isWell)
        arrived.add((JSON.parse(Buffer.concat(chunks).toString()) as { readonly messageId: string }).messageId);
      response.writeHead(isWell ? 200 : 422).end();
    });
  });
  const url = `http://127.0.0.1:${String(await listen(server))}/`;
  onTestFinished(() => close(server));
  return {
    url,
    arrived,
    recover: (): void => {
      isWell = true;
    },
  };
}

async function call(url: string, calls: number): Promise<void> {
  for (let at = 0; at < calls; at += BATCH) {
    const batch = Array.from({ length: Math.min(BATCH, calls - at) }, (_, nth) => ({
      ...{ type: "track", userId: "u1", event: "Bought", messageId: `m-${String(at + nth)}` },
    }));
    const body = JSON.stringify({ writeKey: WRITE_KEY, batch });
    const response = await fetch(`${url}/v1/batch`, { method: "POST", body });
    if (response.status !== 200) throw new Error(`a batch was answered ${String(response.status)}`);
    await response.arrayBuffer();
  }
}

interface Job {
  readonly id: string;
  readonly state: string;
  readonly expected: number;
  readonly replayed: number;
  readonly skipped: number;
  /** Of a preview. */
  readonly deliveries: number;
}

async function ask(url: string, path: string, body?: object): Promise<Job> {
  const init = body === undefined ? {} : { method: "POST", body: JSON.stringify(body) };
  const answer = await askServer(url, path, init);
  if (answer === undefined || answer.status > 299) throw new Error(`${path} was answered ${String(answer?.status)}`);
  return answer.json as unknown as Job;
}

async function start(url: string): Promise<string> {
  return (await ask(url, "replay-jobs", { destination: "crm" })).id;
}

function job(url: string, id: string): Promise<Job> {
  return ask(url, `replay-jobs/${id}`);
}

/** Waits until more was replayed than now; false if the job ends before. */
async function goesOn(url: string, id: string): Promise<boolean> {
  const before = await job(url, id);
  let now = before;
  const hasMoved = async (): Promise<boolean> => {
    now = await job(url, id);
    return now.state !== "running" || now.replayed > before.replayed;
  };
  await untilAnswered(hasMoved, SETTLED_WITHIN_MS, "progress of the job");
  return now.state === "running";
}

async function isQuiet(url: string): Promise<boolean> {
  const { waiting, claimed } = await stats(url);
  return waiting + claimed === 0;
}
