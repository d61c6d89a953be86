// Plays an answer to one of our connections and to undici's client, each over a socket in memory, and tells what each made of it:
// the reply, whether the connection stays open, and what the next request on it gets. undici gets a 102 for each 100 that is to
// be skipped, and where it refuses an answer, ours is a success if the status line says so (decision: the status line).

import type { Socket } from "node:net";
import type { MonoMs, Reply } from "@postrider/core";
import { createExchange, type ExchangeStep } from "@postrider/core/engine";
import { createManualClock } from "@postrider/memory";
import { Client } from "undici";
import { vi } from "vitest";
import { createAfterPoll, createPostConnection } from "../../packages/undici/src/connection.js";
import type { AnswerEvents } from "../../packages/undici/src/answer.js";
import { KEEP_ALIVE_MAX_MS, KEEP_ALIVE_MS, MAX_HEAD_BYTES } from "../../packages/undici/src/limits.js";
import { nameSocketFault } from "../../packages/undici/src/faults.js";
import type { DrawnAnswer } from "./draw-answer.js";
import { createMemoryDialler, createMemorySocket, type MemorySocket, turns } from "./memory-socket.js";

/** What a sender made of an answer. */
export interface Outcome {
  /** The fault, or status, Retry-After and excerpt. */
  readonly reply: string;
  readonly isKept: boolean;
  /** What the next request on the same connection got. */
  readonly next: string | undefined;
}

/** One way to send requests, one after the other, on sockets in memory. */
interface Sender {
  send(events: AnswerEvents): void;
  close(): Promise<void>;
  /** The socket that was dialled last. */
  socket(): MemorySocket;
}

type NewSender = () => Sender;

const NOW = 0 as MonoMs;
const TIMEOUT_MS = 1_000;
const NEXT = Buffer.from("HTTP/1.1 299 Next\r\nContent-Length: 0\r\n\r\n");
/** Turns of the loop in which a sender has read what came, and has sent a request on a connection that it used before. */
const TURNS = 4;
const NOT_DIALLED = createMemorySocket();
const afterPoll = createAfterPoll();

/** An answer of which the two make something else. */
export interface Difference {
  readonly pieces: readonly string[];
  readonly ends: boolean;
  readonly ours: Outcome;
  readonly theirs: Outcome;
}

/** Plays answers, one after the other; undefined if both make the same of it. */
export type Player = (answer: DrawnAnswer) => Promise<Difference | undefined>;

/**
 * Stops the timers of this process, by which undici closes a connection that was idle. On a busy machine they could fire while an
 * answer is played.
 */
export function stopTimers(): void {
  vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout"] });
}

/** One of our connections and a client of undici. Each dials anew for each answer, and is made anew once it was dropped. */
export function createPlayer(): Player {
  const [playOurs, playTheirs] = [createSide(createOurs), createSide(createTheirs)];
  return async ({ pieces, ends }) => {
    const without100 = withoutContinue(pieces);
    const [ours, read] = await Promise.all([playOurs({ pieces, ends }), playTheirs({ pieces: without100, ends })]);
    const theirs = withWord(read, pieces);
    if (isSame(ours, theirs) || isStricter(pieces, ours, theirs) || isPatient(pieces, ours, theirs)) return undefined;
    return { pieces: pieces.map((piece) => piece.toString("latin1")), ends, ours, theirs };
  };
}

/** Line ends and interim answers, as they may stand before a final answer. */
const BEFORE = String.raw`(?:[\r\n]*HTTP/1\.\d 1(?!01)\d\d(?: [\t -~\x80-\xff]*)?\r?\n(?:\r*[^\r\n][^\n]*\n)*\r*\n)*[\r\n]*`;
const WORD = new RegExp(String.raw`^${BEFORE}HTTP/1\.\d (2\d\d)(?: [\t -~\x80-\xff]*)?\r?\n`);
const CONTINUE = new RegExp(String.raw`^(${BEFORE}HTTP/1\.\d 10)0`);

const UNDECIDED = new RegExp(String.raw`^[\r\n]*HTTP/1\.\d (?:1(?!01)\d\d|[^\n]*$)`);

/** The same pieces with a 102 in place of each 100 that comes before the final answer. */
function withoutContinue(pieces: readonly Buffer[]): readonly Buffer[] {
  let text = textOf(pieces);
  while (CONTINUE.test(text)) text = text.replace(CONTINUE, "$12");
  let at = 0;
  return pieces.map(({ length }) => Buffer.from(text.slice(at, (at += length)), "latin1"));
}

/** What undici made of an answer, but that its status line counts if it is that of a success. */
function withWord(outcome: Outcome, pieces: readonly Buffer[]): Outcome {
  const status = WORD.exec(textOf(pieces))?.[1];
  const isFault = !outcome.reply.startsWith("[");
  return isFault && status !== undefined
    ? { ...outcome, reply: JSON.stringify([Number(status), undefined, ""]) }
    : outcome;
}

function textOf(pieces: readonly Buffer[]): string {
  return Buffer.concat(pieces).toString("latin1");
}

function isSame(ours: Outcome, theirs: Outcome): boolean {
  return ours.reply === theirs.reply && ours.isKept === theirs.isKept && ours.next === theirs.next;
}

/** Line ends on an idle connection are skipped by undici, and close ours: nothing at all may come there. */
function isStricter(pieces: readonly Buffer[], ours: Outcome, theirs: Outcome): boolean {
  const areLineEnds = /^[\r\n]+$/.test(pieces.at(-1)?.toString("latin1") ?? "");
  return pieces.length > 1 && areLineEnds && ours.reply === theirs.reply && !ours.isKept;
}

/** Ours waits for the final answer behind an interim one, or behind a part of a status line, that undici refuses at once. */
function isPatient(pieces: readonly Buffer[], ours: Outcome, theirs: Outcome): boolean {
  const isUndecided = UNDECIDED.test(textOf(pieces));
  return isUndecided && ours.reply === "timeout" && theirs.reply === "bad-response" && ours.isKept === theirs.isKept;
}

function createSide(newSender: NewSender): (answer: DrawnAnswer) => Promise<Outcome> {
  let sender = newSender();
  return async (answer) => {
    const exchange = begin(sender);
    await turns(TURNS);
    const socket = sender.socket();
    await pour(answer, socket);
    const reply = exchange.end();
    await turns(1);
    const isKept = !socket.destroyed;
    const next = isKept ? await playNext(sender, socket) : undefined;
    socket.destroy();
    if (exchange.isDropped()) sender = newSender();
    else await turns(1);
    return { reply, isKept, next };
  };
}

async function pour({ pieces, ends }: DrawnAnswer, socket: MemorySocket): Promise<void> {
  for (const piece of pieces) {
    // A copy: what was read is overwritten by what is read next.
    if (!socket.destroyed) socket.push(Buffer.from(piece));
    await turns(1);
  }
  if (ends && !socket.destroyed) socket.push(null);
  await turns(TURNS);
}

async function playNext(sender: Sender, socket: MemorySocket): Promise<string> {
  const before = socket.written.length;
  const exchange = begin(sender);
  await turns(TURNS);
  if (socket.written.length === before) return "not sent";
  socket.push(NEXT);
  await turns(1);
  return exchange.end();
}

/** Sends a request. `end` is the reply; if there is none yet, the time is up. */
function begin(sender: Sender): { end(): string; isDropped(): boolean } {
  const exchange = createExchange(TIMEOUT_MS, NOW);
  let reply: Reply | undefined;
  let isDropped = false;
  const apply = ({ reply: given, connection }: ExchangeStep): void => {
    reply ??= given;
    if (connection !== "drop") return;
    isDropped = true;
    void sender.close();
  };
  sender.send({
    onHead: (head) => apply(exchange.onHead(head, NOW)),
    onBody: (chunk) => apply(exchange.onBody(chunk)),
    onEnd: () => apply(exchange.onEnd(NOW)),
    onFault: (fault) => apply(exchange.onFault(fault, NOW)),
  });
  return {
    isDropped: () => isDropped,
    end() {
      apply(exchange.onFault("timeout", NOW));
      return reply === undefined ? "none" : inWords(reply);
    },
  };
}

/** Retry-After of a success has no effect, and may come after the success has been reported. */
function inWords(reply: Reply): string {
  if (reply.kind === "silent") return reply.fault;
  const { status, excerpt } = reply;
  const retryAfter = status <= 299 ? undefined : reply.retryAfter;
  return JSON.stringify([status, retryAfter, Buffer.from(excerpt).toString("latin1")]);
}

function createOurs(): Sender {
  const memory = createMemoryDialler();
  const { target, dialler } = memory;
  const connection = createPostConnection({
    ...{ target, dialler, afterPoll, clock: createManualClock() },
    nextAgeMs: () => Infinity,
    onUnasked: () => undefined,
  });
  const request = Buffer.from("POST / HTTP/1.1\r\n\r\n");
  return {
    send: (events) => connection.send(request, events, 0),
    close: () => connection.close(),
    socket: () => memory.sockets.at(-1) ?? NOT_DIALLED,
  };
}

/** undici alone, as it reads any socket. */
function createTheirs(): Sender {
  let socket: MemorySocket = NOT_DIALLED;
  const client = new Client("http://receiver.example", {
    connect: (_, connected) => {
      const made = createMemorySocket();
      socket = made;
      setImmediate(() => connected(null, made as unknown as Socket));
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
  return {
    send(events) {
      client.dispatch(
        { method: "POST", path: "/", body: "{}", headersTimeout: 0, bodyTimeout: 0 },
        {
          onRequestStart: () => undefined,
          onResponseStart: (_, status, headers) => {
            if (status < 100 || status > 199) events.onHead({ status, retryAfter: [headers["retry-after"]].flat()[0] });
          },
          onResponseData: (_, chunk) => events.onBody(chunk),
          onResponseEnd: () => events.onEnd(),
          onResponseError: (_, error) => events.onFault(nameSocketFault(error)),
        },
      );
    },
    close: () => client.destroy(),
    socket: () => socket,
  };
}
