// A connection for one exchange at a time: dials when it has no open socket, sends a request in one write, and reads the answer in
// place if it came whole and plain. Any other answer, and all that follow on that socket, are read strictly (decision: answers in
// place). Decides how old a connection becomes, too (decision: connections have an age). No request is sent twice.

import type { Clock, Fault, MonoMs } from "@postrider/core";
import { type AnswerEvents, readPlainAnswer } from "./answer.js";
import type { Dialler } from "./dial.js";
import { createHttpSocket, type HttpSocket } from "./http-socket.js";
import { CONNECTION_AGE_SPREAD, KEEP_ALIVE_MS, MAX_UNASKED_ORIGINS } from "./limits.js";
import { nameSocketFault } from "./faults.js";
import type { ConnectTarget } from "./open-socket.js";
import { createStrictAnswers, type PendingExchange } from "./strict-answers.js";

/** A connection to one origin. */
export interface PostConnection {
  /** Sends a request, head and body, after `waitMs` milliseconds; only when no other exchange is under way. */
  send(request: Uint8Array, events: AnswerEvents, waitMs: number): void;
  /** True if it is open, and not too old. */
  isUsable(now: MonoMs): boolean;
  /** Closes the connection, also while it is being dialled. An exchange under way gets the fault `local`. */
  close(): Promise<void>;
}

interface PostConnectionOptions {
  readonly target: ConnectTarget;
  readonly dialler: Dialler;
  readonly afterPoll: AfterPoll;
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** The time for which the next socket may be used, in milliseconds. */
  readonly nextAgeMs: () => number;
  /** Called when an answer has come that no request asked for. */
  readonly onUnasked: () => void;
}

export function createPostConnection(options: PostConnectionOptions): PostConnection {
  const { target, dialler, afterPoll, clock, nextAgeMs, onUnasked } = options;
  let socket: HttpSocket | undefined;
  /** The instant from which the socket is too old for a further request. */
  let endsAt = -Infinity;
  let exchange: PendingExchange | undefined;
  const strict = createStrictAnswers({ exchange: () => exchange, openSocket, sendOn, onOver });

  return {
    send(request, events, waitMs) {
      exchange = { request, events, isSent: false, isAnswered: false };
      if (socket?.isOpen() !== true) dial();
      else if (waitMs > 0) clock.after(waitMs, () => afterPoll(sendOrDial));
      // Bytes that have come on the idle socket must be read first: they are no answer to this request.
      else afterPoll(sendOrDial);
    },
    isUsable: (now) => socket?.isOpen() === true && now < endsAt,
    async close() {
      dialler.abort();
      fail("local");
      await Promise.all([socket?.close(), strict.destroy()]);
    },
  };

  function sendOrDial(): void {
    if (exchange === undefined) return;
    if (socket?.claim() !== true) dial();
    else if (socket.isHandedOver()) strict.expect(exchange);
    else sendOn(socket);
  }

  function dial(): void {
    openSocket((error, httpSocket) => {
      if (httpSocket === undefined) fail(nameSocketFault(error));
      else sendOn(httpSocket);
    });
  }

  function openSocket(onOpened: (error: Error | null, opened?: HttpSocket) => void): void {
    let httpSocket: HttpSocket | undefined;
    const take = (piece: Buffer): void => httpSocket?.take(piece);
    const onClosed = (fault: Fault): void => {
      if (httpSocket === socket && exchange?.isSent === true) fail(fault);
    };
    dialler.connect(target, take, (error, dialled) => {
      if (dialled !== null) {
        httpSocket = createHttpSocket(dialled, { onPiece, onStrictPiece, onUnasked, onClosed });
        socket = httpSocket;
        endsAt = clock.monotonic() + nextAgeMs();
      }
      onOpened(error, httpSocket);
    });
  }

  function sendOn(httpSocket: HttpSocket): void {
    if (exchange === undefined || exchange.isSent) return;
    exchange.isSent = true;
    httpSocket.send(exchange.request);
  }

  function fail(fault: Fault): void {
    const failedExchange = exchange;
    exchange = undefined;
    failedExchange?.events.onFault(fault);
  }

  function onPiece(piece: Buffer): void {
    if (exchange === undefined || socket === undefined) return;
    const { events } = exchange;
    const answer = readPlainAnswer(piece);
    if (answer === undefined) {
      strict.takeOver(socket, piece, exchange);
      return;
    }
    exchange = undefined;
    socket.becomeIdle(answer.keepAliveMs);
    events.onHead(answer);
    if (answer.bodyAt < piece.length) events.onBody(piece.subarray(answer.bodyAt));
    events.onEnd();
  }

  function onStrictPiece(piece: Buffer): boolean {
    return exchange?.isSent !== true || strict.look(piece, exchange);
  }

  function onOver(isComplete: boolean): void {
    exchange = undefined;
    if (isComplete) socket?.becomeIdle(KEEP_ALIVE_MS);
  }
}

/** Runs a task after the next poll for events; tasks run in their order. */
type AfterPoll = (task: () => void) => void;

declare const setImmediate: (run: () => void) => unknown;

/** Creates a queue of such tasks. */
export function createAfterPoll(): AfterPoll {
  let queue: (() => void)[] = [];
  return (task) => {
    if (queue.push(task) === 1) setImmediate(runAll);
  };

  function runAll(): void {
    const tasks = queue;
    queue = [];
    for (const task of tasks) task();
  }
}

/** The part of the circle by which points that are added one by one stay the most evenly spread. */
const GOLDEN = 0.618_033_988_749_895;

/** Returns a function that says how long the next connection may be used, in milliseconds. */
export function createAges(meanMs: number): () => number {
  let place = 0;
  return () => {
    place = (place + GOLDEN) % 1;
    return meanMs * (1 - CONNECTION_AGE_SPREAD + 2 * CONNECTION_AGE_SPREAD * place);
  };
}

export interface UnaskedOrigins {
  has(origin: string): boolean;
  /** Reports the origin, if it was not known. */
  add(origin: string): void;
}

/** `report` is called once for each origin; beyond the limit, the origin that is known longest is forgotten. */
export function createUnaskedOrigins(report: (origin: string) => void): UnaskedOrigins {
  const origins = new Set<string>();
  return {
    has: (origin) => origins.size > 0 && origins.has(origin),
    add(origin) {
      if (origins.has(origin)) return;
      if (origins.size >= MAX_UNASKED_ORIGINS) for (const oldest of [...origins].slice(0, 1)) origins.delete(oldest);
      origins.add(origin);
      report(origin);
    },
  };
}
