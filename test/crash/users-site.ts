// The site of the runs about users: a receiver that records for each message its time, its user and its bytes, a config
// beside a file, and the servers that are killed on it. Needs `tsc -b` first.

import { createServer } from "node:http";
import { dirname, join } from "node:path";
import type { Random } from "@postrider/core";
import { onTestFinished } from "vitest";
import { TOKEN } from "../canary.js";
import { pause } from "../end-to-end/receiver.js";
import { createScene, destination } from "../end-to-end/scene.js";
import { serve, type ServerProcess } from "../end-to-end/server-process.js";
import { close, listen } from "../loopback.js";
import { judgeContent } from "./judge.js";
import { DATABASE, POLICY } from "./site.js";
import { type HeldDelivery, readFile, unitsClaimedIn } from "./store-content.js";

export const DESTINATION = "crm";

export interface Arrived {
  readonly type: string;
  readonly userId: string;
  readonly traits: unknown;
  /** When each request came, by `performance.now()`. */
  readonly times: number[];
  readonly body: Buffer;
  /** Whether all requests had the same bytes. */
  isConstant: boolean;
}

export interface UsersSite {
  readonly config: string;
  readonly file: string;
  /** The records by messageId. */
  readonly arrived: ReadonlyMap<string, Arrived>;
  /** How often each unit was under way at a kill. */
  readonly interrupted: ReadonlyMap<string, number>;
  /** Sets whether the destination is paused from the next start on. */
  readonly hold: (isHeld: boolean) => void;
  /** Starts a server, and kills it after a random time of up to `withinMs`, whatever `use` does meanwhile. */
  liveUntilKilled(moment: KillMoment, use: (url: string) => Promise<unknown>): Promise<void>;
}

export interface KillMoment {
  readonly random: Random;
  readonly withinMs: number;
}

export async function createUsersSite(): Promise<UsersSite> {
  const arrived = new Map<string, Arrived>();
  const interrupted = new Map<string, number>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      note(arrived, Buffer.concat(chunks));
      response.end();
    });
  });
  const url = `http://127.0.0.1:${String(await listen(server))}/`;
  onTestFinished(() => close(server));
  const settings = (paused: boolean) => [destination([url], { id: DESTINATION, paused })];
  const scene = createScene(settings(false), POLICY);
  const { config } = scene;
  const file = join(dirname(config), DATABASE);
  return {
    config,
    file,
    arrived,
    interrupted,
    hold: (isHeld) => scene.rewrite(settings(isHeld)),
    liveUntilKilled: async ({ random, withinMs }, use) => {
      const server = await serve(config);
      const used = use(server.url).catch(() => undefined);
      await pause(random.unit() * withinMs);
      await server.kill();
      await used;
      for (const unit of await unitsClaimedIn(file)) interrupted.set(unit, (interrupted.get(unit) ?? 0) + 1);
    },
  };
}

function note(arrived: Map<string, Arrived>, body: Buffer): void {
  const message = JSON.parse(body.toString()) as Written;
  const { type, userId, traits } = message;
  const before = arrived.get(nameOf(message));
  if (before === undefined) {
    arrived.set(nameOf(message), { type, userId, traits, times: [performance.now()], body, isConstant: true });
    return;
  }
  before.times.push(performance.now());
  before.isConstant &&= before.body.equals(body);
}

interface Written extends Pick<Arrived, "type" | "userId" | "traits"> {
  readonly messageId?: string;
}

/** The name of a message in the records: a delete message does not contain its id. */
function nameOf({ type, userId, messageId = `${type} ${userId}` }: Written): string {
  return messageId;
}

/** The findings in the file after the last server has ended, and the requests that it does not account for. */
export async function judgeFile(site: UsersSite): Promise<readonly string[]> {
  const content = await readFile(site.file);
  const found = judgeContent(content).map(({ kind, about }) => `${kind}: ${about}`);
  return [...found, ...content.deliveries.flatMap((delivery) => judgeRequests(delivery, site))];
}

/** More requests than recorded attempts and kills explain, or bytes other than those in the file. */
function judgeRequests(delivery: HeldDelivery, { arrived, interrupted }: UsersSite): readonly string[] {
  const { unit, messageId, body, attempts, state } = delivery;
  const name = body.length === 0 ? messageId : nameOf(JSON.parse(Buffer.from(body).toString()) as Written);
  const { times = [], isConstant = true } = arrived.get(name) ?? {};
  const isTooOften = times.length > attempts.length + (interrupted.get(unit) ?? 0);
  const isMissing = state === "delivered" && times.length === 0;
  return [
    ...(isTooOften ? [`${unit}, ${state}: ${String(times.length)} times, ${String(attempts.length)} attempts`] : []),
    ...(isMissing ? [`${unit} is delivered, but was never received`] : []),
    ...(isConstant ? [] : [`${unit} had other bytes`]),
  ];
}

export function repeats({ arrived }: UsersSite): number {
  return [...arrived.values()].reduce((sum, { times }) => sum + times.length - 1, 0);
}

/** Sends a request to the API and returns its answer; undefined if there is none. */
export async function askServer(
  url: string,
  path: string,
  init: RequestInit = {},
): Promise<{ readonly status: number; readonly json: Readonly<Record<string, unknown>> } | undefined> {
  try {
    const headers = { authorization: `Bearer ${TOKEN}` };
    const response = await fetch(`${url}/api/${path}`, { ...init, headers });
    return { status: response.status, json: (await response.json()) as Readonly<Record<string, unknown>> };
  } catch {
    return undefined;
  }
}

/** Repeats a check until it is true; rejects after `withinMs`. */
export async function untilAnswered(isSo: () => Promise<boolean>, withinMs: number, what: string): Promise<void> {
  const endAt = performance.now() + withinMs;
  while (!(await isSo())) {
    if (performance.now() > endAt) throw new Error(`no ${what} within ${String(withinMs)} ms`);
    await pause(100);
  }
}

/** Runs a server, which is not killed, until `use` has ended. */
export async function liveToTheEnd(site: UsersSite, use: (server: ServerProcess) => Promise<void>): Promise<void> {
  const server = await serve(site.config);
  await use(server);
  await server.end();
}
