// Plays an answer and a second one that nothing asked for, which comes with it, before the next request goes out (early) or after
// (late), to our connections and to undici's client, over sockets in memory, and tells whether the next request got it.

import type { Socket } from "node:net";
import type { HttpPort, Random } from "@postrider/core";
import { createDeadlines } from "@postrider/core/engine";
import { createManualClock } from "@postrider/memory";
import { Client } from "undici";
import { createAfterPoll, createPostConnection } from "../../packages/undici/src/connection.js";
import { createPools } from "../../packages/undici/src/pools.js";
import { createReadTarget } from "../../packages/undici/src/request.js";
import { sendOnConnection } from "../../packages/undici/src/create-http.js";
import { createMemoryDialler, createMemorySocket, type MemorySocket, turns } from "./memory-socket.js";

export interface SecondAnswer {
  readonly pieces: readonly string[];
  /** How many turns after the answer the second one comes; 0: in its last piece. A turn takes a millisecond. */
  readonly afterTurns: number;
  /** How many turns after the answer the next request is sent. */
  readonly nextAfterTurns: number;
}

/** Who gave the second answer to the next request. */
export interface Taken {
  readonly ours: boolean;
  /** Whether our next request had gone out on the same connection by then: no client can tell. */
  readonly oursHadSent: boolean;
  readonly theirs: boolean;
}

interface Side {
  /** Resolves with the status, or undefined without an answer. */
  send(): Promise<number | undefined>;
  sockets(): readonly MemorySocket[];
  /** A millisecond passes. */
  tick(): Promise<void>;
  close(): Promise<void>;
}

const UNASKED = "HTTP/1.1 298 Again\r\nContent-Length: 0\r\n\r\n";
const NEXT = "HTTP/1.1 299 Next\r\nContent-Length: 0\r\n\r\n";
const MOST_TURNS = 16;
const REQUEST = Buffer.from("POST / HTTP/1.1\r\n\r\n");

const ANSWERS: readonly (readonly string[])[] = [
  ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok"],
  ["HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n", "ok"],
  ["HTTP/1.1 503 X\r\nContent-Length: 2\r\n\r\nno"],
  ["HTTP/1.1 204 X\r\nKeep-Alive: timeout=9\r\n\r\n"],
  ["HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n"],
  ["HTTP/1.1 500 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nno\r\n", "0\r\n\r\n"],
];

export function drawSecond(random: Random): SecondAnswer {
  const below = (count: number): number => Math.floor(random.unit() * count);
  return {
    pieces: ANSWERS[below(ANSWERS.length)]!,
    afterTurns: below(MOST_TURNS),
    nextAfterTurns: below(MOST_TURNS),
  };
}

export async function playSecond(drawn: SecondAnswer): Promise<Taken> {
  const [ours, theirs] = await Promise.all([play(drawn, createOurs()), play(drawn, createTheirs())]);
  return { ours: ours.isTaken, oursHadSent: ours.hadSent, theirs: theirs.isTaken };
}

async function play(
  drawn: SecondAnswer,
  side: Side,
): Promise<{ readonly isTaken: boolean; readonly hadSent: boolean }> {
  const { pieces, afterTurns, nextAfterTurns } = drawn;
  const first = side.send();
  await passTurns(side, 4);
  const socket = side.sockets()[0]!;
  for (const [index, piece] of pieces.entries()) {
    const isWithIt = afterTurns === 0 && index === pieces.length - 1;
    push(socket, isWithIt ? piece + UNASKED : piece);
    await side.tick();
  }
  await first;
  const sent = socket.written.length;
  /** What the next request got, once it is over. */
  const over: (number | undefined)[] = [];
  let hadSent = false;
  const answered = new Set<MemorySocket>();
  for (let turn = 1; over.length === 0 && turn < 3 * MOST_TURNS; turn += 1) {
    if (turn === afterTurns) {
      hadSent = socket.written.length > sent;
      push(socket, UNASKED);
    }
    if (turn === nextAfterTurns + 1) void side.send().then((given) => over.push(given));
    await side.tick();
    for (const one of side.sockets()) {
      const isAsked = one.written.length > (one === socket ? sent : 0);
      if (!isAsked || answered.has(one) || turn <= afterTurns) continue;
      answered.add(one);
      push(one, NEXT);
    }
  }
  await side.close();
  const [status] = over;
  if (status !== 298 && status !== 299 && !hadSent) throw new Error(`the next request got ${String(status)}`);
  return { isTaken: status === 298, hadSent };
}

function push(socket: MemorySocket, text: string): void {
  if (!socket.destroyed) socket.push(Buffer.from(text));
}

async function passTurns(side: Side, count: number): Promise<void> {
  for (let left = count; left > 0; left -= 1) await side.tick();
}

function createOurs(): Side {
  const memory = createMemoryDialler();
  const clock = createManualClock();
  const afterPoll = createAfterPoll();
  const deadlines = createDeadlines(clock);
  const pools = createPools({
    clock,
    unasked: { has: () => false },
    newConnection: () =>
      createPostConnection({
        ...{ target: memory.target, dialler: memory.dialler, afterPoll, clock },
        nextAgeMs: () => Infinity,
        onUnasked: () => undefined,
      }),
  });
  const target = createReadTarget()("http://receiver.example/")!;
  const http: Pick<HttpPort, "send"> = {
    send: () => sendOnConnection(REQUEST, pools.acquire(target)!, { clock, deadlines, timeoutMs: 60_000 }),
  };
  return {
    async send() {
      const reply = await http.send(undefined as never);
      return reply.kind === "answered" ? reply.status : undefined;
    },
    sockets: () => memory.sockets,
    async tick() {
      await clock.advance(1);
      await turns(1);
    },
    close: () => pools.close(),
  };
}

function createTheirs(): Side {
  const sockets: MemorySocket[] = [];
  const client = new Client("http://receiver.example", {
    connect: (_, connected) => {
      const socket = createMemorySocket();
      sockets.push(socket);
      setImmediate(() => connected(null, socket as unknown as Socket));
    },
  });
  return {
    send: () =>
      new Promise((resolve) => {
        let status: number | undefined;
        client.dispatch(
          { method: "POST", path: "/", body: "{}", headersTimeout: 0, bodyTimeout: 0 },
          {
            onRequestStart: () => undefined,
            onResponseStart: (_, given) => void (status = given),
            onResponseData: () => undefined,
            onResponseEnd: () => resolve(status),
            onResponseError: () => resolve(undefined),
          },
        );
      }),
    sockets: () => sockets,
    tick: () => turns(1),
    close: () => client.destroy(),
  };
}
