// The stage of a situation: a real server of this process on a socket, with a clock that can be set forward, receivers on the
// loopback, and the commands that an operator runs against it, as text. Knows no situation.

import { createMemoryStore } from "@postrider/memory";
import type { DeliveryStore } from "@postrider/core";
import { createPostrider } from "../../packages/postrider/src/embed/create-postrider.js";
import type { PostriderOptions } from "../../packages/postrider/src/embed/postrider.js";
import { createServer, type Server } from "node:http";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { runProgram } from "../../packages/postrider/src/cli/program.js";
import { openRequests } from "./open-requests.js";
import type { RunningServer } from "../../packages/postrider/src/server/running-server.js";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { close, listen } from "../loopback.js";
import { type ConfigJson, configJson } from "../postrider/config-file.js";
import { configOf, serverOf, track } from "../postrider/server.js";
import { createSkippingClock, type SkippingClock } from "../postrider/skipping-clock.js";
import { createTestHost, type Ran } from "../postrider/test-host.js";

/** A server as an operator finds it. */
export interface Stage {
  readonly url: string;
  readonly clock: SkippingClock;
  /** Makes a track call; its messageId is m1 unless the fields say otherwise. */
  call(fields?: object, writeKey?: string): Promise<Response>;
  /** Runs a command as an operator would, who has set the URL, the token and the write key in the environment. */
  run(words: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ran>;
  /** Asks until the answer is right, setting the clock forward by `stepMs` in between, but never while an answer is to come. */
  until(isRight: () => Promise<boolean>, stepMs?: number): Promise<void>;
  /** The states of the deliveries of the call m1, by destination. */
  states(): Promise<Readonly<Record<string, string>>>;
}

export interface StageOfServer extends Stage {
  readonly server: RunningServer;
  /** Puts a config in force, as a reload does. */
  readonly configure: (changes: ConfigJson) => void;
}

const BETWEEN_MS = 15;
/** A bound for conditions that never hold. */
const MAX_TRIES = 4_000;

/** A short policy, so that few steps of the clock lead through a window. */
export const SHORT = { retryWindowMs: 600_000, firstRetryMs: 60_000, maxRetryMs: 60_000, jitter: 0 };

/** A destination of the source website. */
export function to(id: string, urls: string | readonly string[], changes: object = {}): object {
  const endpoints = [urls].flat().map((url) => ({ url }));
  return { id, name: id.toUpperCase(), sources: ["website"], endpoints, ...changes };
}

/** A server with these settings; it is stopped after the test. */
export async function stageOf(
  changes: ConfigJson,
  clock: SkippingClock = createSkippingClock(),
): Promise<StageOfServer> {
  const json = configJson({ apiToken: TOKEN, ...changes });
  const { server } = await serverOf(json, {}, clock);
  onTestFinished(hangUp);
  return {
    ...createStage(server.url, clock),
    server,
    configure: (further) => {
      const problems = server.configure(configOf({ ...json, ...further }));
      if (problems.length > 0) throw new Error(JSON.stringify(problems));
    },
  };
}

/** An embedded server on a store that is changed before. */
export async function stageOnStore(changes: object, changed: (store: DeliveryStore) => DeliveryStore): Promise<Stage> {
  const clock = createSkippingClock();
  const options = {
    ...configJson({ apiToken: TOKEN, ...changes }),
    store: changed(createMemoryStore()),
    clock,
    logger: { log: () => undefined },
  };
  const postrider = await createPostrider(options as PostriderOptions);
  onTestFinished(() => postrider.close());
  const server = createServer(postrider.nodeListener);
  const port = await listen(server);
  onTestFinished(() => close(server));
  return createStage(`http://127.0.0.1:${String(port)}`, clock);
}

function createStage(url: string, clock: SkippingClock): Stage {
  const access = { POSTRIDER_URL: url, POSTRIDER_TOKEN: TOKEN, POSTRIDER_WRITE_KEY: WRITE_KEY };

  async function run(words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<Ran> {
    const host = { ...createTestHost({ ...access, ...env }), clock };
    const code = await runProgram(host, words);
    return { code, ...host.lines };
  }

  async function until(isRight: () => Promise<boolean>, stepMs = 0): Promise<void> {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      if (await isRight()) return;
      if (stepMs > 0 && (await isStill())) clock.skip(stepMs);
      await new Promise((resolve) => setTimeout(resolve, BETWEEN_MS));
    }
    throw new Error("the situation did not come about");
  }

  /** True if nothing will happen before the clock goes on: no round is under way, or only silent receivers are asked. */
  async function isStill(): Promise<boolean> {
    const urls = openRequests();
    if (urls.length > 0) return urls.every((one) => silent.has(one));
    return !Object.values(await states()).includes("claimed");
  }

  async function states(): Promise<Readonly<Record<string, string>>> {
    const { out } = await run(["deliveries", "--message-id", "m1", "--json"]);
    const rows = out.map((line) => JSON.parse(line) as { readonly destination: string; readonly state: string });
    return Object.fromEntries(rows.map(({ destination, state }) => [destination, state]));
  }

  const call = (fields: object = {}, writeKey = WRITE_KEY): Promise<Response> =>
    track(url, { messageId: "m1", ...fields }, writeKey);
  return { url, clock, call, run, until, states };
}

/** What a receiver answers: a status, more than a status, nothing at all, or a status for each messageId. */
export type Answer = number | "nothing" | Said | ((messageId: string) => number);

interface Said {
  readonly status: number;
  readonly retryAfter?: string;
  readonly body?: string;
}

/** A receiver that answers each request so; the URL of its hook. It is closed after the test. */
export async function answering(answer: Answer): Promise<string> {
  const server = createServer((request, response) => {
    const reply = (message: string): void => {
      if (answer === "nothing") return;
      const { status, retryAfter, body = "" } = answerTo(answer, message);
      response.writeHead(status, retryAfter === undefined ? {} : { "retry-after": retryAfter }).end(body);
    };
    void text(request).then(reply, () => undefined);
  });
  const port = await listen(server);
  const url = `http://127.0.0.1:${String(port)}/hook`;
  receivers.add(server);
  if (answer === "nothing") silent.add(url);
  onTestFinished(async () => {
    receivers.delete(server);
    silent.delete(url);
    await close(server);
  });
  return url;
}

const receivers = new Set<Server>();

/** The URLs of the receivers that never answer. */
const silent = new Set<string>();

/** Ends the attempts at silent receivers, for which a server that stops would wait. */
function hangUp(): void {
  for (const receiver of receivers) receiver.closeAllConnections();
}

function answerTo(answer: Exclude<Answer, "nothing">, message: string): Said {
  if (typeof answer === "number") return { status: answer };
  if (typeof answer === "object") return answer;
  return { status: answer((JSON.parse(message) as { readonly messageId: string }).messageId) };
}

/** A URL that our own address policy refuses. */
export const FORBIDDEN = "http://10.0.0.1/hook";
