// Sends numbered requests to a receiver that answers twice, in a separate process, and counts the replies that belong to another
// request: each answer has the status of its request. Plain undici is sent through in the same way, to compare.

import { type ChildProcess, fork } from "node:child_process";
import { once } from "node:events";
import type { EndpointId, HttpPort } from "@postrider/core";
import { createDeadlines } from "@postrider/core/engine";
import { createSystemClock } from "@postrider/system";
import { createUndiciHttp } from "@postrider/undici";
import { Pool } from "undici";
import { createAfterPoll, createPostConnection } from "../../packages/undici/src/connection.js";
import { createDiallerFactory } from "../../packages/undici/src/dial.js";
import { createResolveName } from "../../packages/undici/src/resolve-name.js";
import { CONNECTION_AGE_MS } from "../../packages/undici/src/limits.js";
import { createPools } from "../../packages/undici/src/pools.js";
import { createReadTarget, createWritePost } from "../../packages/undici/src/request.js";
import { sendOnConnection } from "../../packages/undici/src/create-http.js";

export interface Torturer {
  readonly origin: string;
  /** How many answers it has written that nothing asked for. */
  seconds(): Promise<number>;
  close(): void;
}

/** What came of the requests of one sender. */
export interface Tally {
  sent: number;
  silent: number;
  /** Replies with the answer to another request, or with one that nothing asked for. */
  taken: number;
}

/** Sends the request with this number; resolves with the status of its answer, if there was one. */
export type SendNumbered = (number: number) => Promise<number | undefined>;

export interface Sender {
  readonly send: SendNumbered;
  close(): Promise<void>;
}

const NETWORK = { allow: ["127.0.0.1"] };
const TIMEOUT_MS = 60_000;
const SMALL = new TextEncoder().encode("{}");
/** Of a request whose answer is to come before it is whole. */
const LARGE = new Uint8Array(200_000);
const FORMS = 6;
const SHAPES = FORMS * 6;
const OWN_STATUSES = 50;

export async function startTorturer(): Promise<Torturer> {
  const child = fork(new URL("programs/torturing-receiver.js", import.meta.url), { execArgv: [] });
  const { port } = (await nextMessage(child)) as { readonly port: number };
  return {
    origin: `http://127.0.0.1:${String(port)}`,
    async seconds() {
      child.send("seconds");
      return ((await nextMessage(child)) as { readonly seconds: number }).seconds;
    },
    close() {
      child.disconnect();
    },
  };
}

async function nextMessage(child: ChildProcess): Promise<unknown> {
  const [message] = (await once(child, "message")) as readonly unknown[];
  return message;
}

/** Sends requests with these numbers, at most `atOnce` at a time, and counts. */
export async function torture(send: SendNumbered, numbers: readonly number[], atOnce: number): Promise<Tally> {
  const tally: Tally = { sent: 0, silent: 0, taken: 0 };
  const next = numbers.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const number of next) {
        const status = await send(number);
        tally.sent += 1;
        if (status === undefined) tally.silent += 1;
        else if (status !== ownStatus(number)) tally.taken += 1;
      }
    }),
  );
  return tally;
}

function ownStatus(number: number): number {
  return (number % 2 === 0 ? 200 : 500) + (number % OWN_STATUSES);
}

/** A request is large if its answer comes early. */
function bodyOf(number: number): Uint8Array {
  return number % SHAPES >= SHAPES - FORMS ? LARGE : SMALL;
}

/** The adapter as it is; `onUnaskedAnswer` says that each connection is used once from now on. */
export function createAdapter(origin: string, onUnaskedAnswer: () => void): Sender {
  const http = createUndiciHttp({ clock: createSystemClock(), network: NETWORK, onUnaskedAnswer });
  return { send: sendOver(http, origin), close: () => http.close() };
}

/** The adapter, but that it uses connections again although it has seen unasked answers. */
export function createTrustingAdapter(origin: string): Sender {
  const clock = createSystemClock();
  const [afterPoll, deadlines, newDialler] = [
    createAfterPoll(),
    createDeadlines(clock),
    createDiallerFactory({ network: NETWORK, resolve: createResolveName({ clock }) }),
  ];
  const pools = createPools({
    clock,
    unasked: { has: () => false },
    newConnection: ({ connect }) =>
      createPostConnection({
        ...{ target: connect, dialler: newDialler(), afterPoll, clock },
        nextAgeMs: () => CONNECTION_AGE_MS,
        onUnasked: () => undefined,
      }),
  });
  const [readTarget, writePost] = [createReadTarget(), createWritePost()];
  const http: HttpPort = {
    send(request) {
      const target = readTarget(request.url)!;
      const timing = { clock, deadlines, timeoutMs: request.timeoutMs };
      return sendOnConnection(writePost(request, target)!, pools.acquire(target)!, timing);
    },
  };
  return { send: sendOver(http, origin), close: () => pools.close() };
}

function sendOver(http: HttpPort, origin: string): SendNumbered {
  return async (number) => {
    const url = `${origin}/${String(number)}` as EndpointId;
    const reply = await http.send({ url, headers: [], body: bodyOf(number), timeoutMs: TIMEOUT_MS });
    return reply.kind === "answered" ? reply.status : undefined;
  };
}

/** A plain pool of undici. Like the adapter, it does not wait for the body of a success. */
export function createPlainPool(origin: string): Sender {
  const pool = new Pool(origin);
  return {
    async send(number) {
      try {
        const { statusCode, body } = await pool.request({
          ...{ method: "POST", path: `/${String(number)}`, body: bodyOf(number) },
        });
        const read = body.text().catch(() => undefined);
        if (statusCode > 299) await read;
        return statusCode;
      } catch {
        return undefined;
      }
    },
    close: () => pool.destroy(),
  };
}
