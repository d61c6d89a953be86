// A connection for one exchange at a time: dials when it has no open socket, sends a request in one write, and reads the
// answer in place if it came whole and plain. Any other answer, and all that follow on that socket, go to the strict parser
// (decision: answers in place). No request is sent twice. Must not know what a reply means.

import type { Fault } from "@postrider/core";
import type { AfterPoll } from "./after-poll.js";
import type { AnswerEvents } from "./answer-events.js";
import type { Dialler } from "./dial.js";
import { createFaultError } from "./fault-error.js";
import { createHttpSocket, type HttpSocket } from "./http-socket.js";
import { nameSocketFault } from "./name-fault.js";
import type { ConnectTarget } from "./open-socket.js";
import { readPlainAnswer } from "./read-answer.js";
import { type RawAnswer, createStrictParser, type StreamOpened, type StrictParser } from "./strict-parser.js";

export interface PostConnection {
  /** Sends a request, head and body; only when no other exchange is under way. */
  send(request: Uint8Array, events: AnswerEvents): void;
  /** Closes the connection, also while it is being dialled. An exchange under way gets the fault `local`. */
  close(): Promise<void>;
}

export interface PostConnectionOptions {
  readonly target: ConnectTarget;
  readonly dialler: Dialler;
  readonly afterPoll: AfterPoll;
}

interface Exchange {
  readonly request: Uint8Array;
  readonly events: AnswerEvents;
  isSent: boolean;
}

export function createPostConnection({ target, dialler, afterPoll }: PostConnectionOptions): PostConnection {
  let socket: HttpSocket | undefined;
  let exchange: Exchange | undefined;
  let parser: StrictParser | undefined;
  /** The stream of a socket that was handed over, until the parser asks for it. */
  let handedOver: RawAnswer | undefined;

  return {
    send(request, events) {
      exchange = { request, events, isSent: false };
      if (socket?.isOpen() !== true) dial();
      else if (socket.isHandedOver()) parser?.expectAnswer(events);
      // What has come on the idle socket must be read first: it is no answer to this request.
      else afterPoll(sendOrDial);
    },
    async close() {
      dialler.abort();
      fail("local");
      await Promise.all([socket?.close(), parser?.destroy()]);
    },
  };

  function sendOrDial(): void {
    if (exchange === undefined) return;
    if (socket?.isOpen() === true) sendOn(socket);
    else dial();
  }

  function dial(): void {
    openSocket((error, opened) => {
      if (opened === undefined) fail(nameSocketFault(error));
      else sendOn(opened);
    });
  }

  function openSocket(onOpened: (error: Error | null, opened?: HttpSocket) => void): void {
    let opened: HttpSocket | undefined;
    const take = (piece: Buffer): void => opened?.take(piece);
    dialler.connect(target, take, (error, dialled) => {
      if (dialled !== null) {
        opened = createHttpSocket(dialled, { onPiece, onClosed: (fault) => onClosed(opened, fault) });
        socket = opened;
      }
      onOpened(error, opened);
    });
  }

  function sendOn(open: HttpSocket): void {
    if (exchange === undefined || exchange.isSent) return;
    exchange.isSent = true;
    open.send(exchange.request);
  }

  function onClosed(closed: HttpSocket | undefined, fault: Fault): void {
    if (closed === socket && exchange?.isSent === true) fail(fault);
  }

  function fail(fault: Fault): void {
    const failed = exchange;
    exchange = undefined;
    failed?.events.onFault(fault);
  }

  function onPiece(piece: Buffer): void {
    if (exchange === undefined || socket === undefined) return;
    const { events } = exchange;
    const answer = readPlainAnswer(piece);
    if (answer === undefined) {
      handOver(socket, piece, events);
      return;
    }
    exchange = undefined;
    socket.becomeIdle(answer.keepAliveMs);
    events.onHead(answer);
    if (answer.bodyAt < piece.length) events.onBody(piece.subarray(answer.bodyAt));
    events.onEnd();
  }

  function handOver(odd: HttpSocket, piece: Buffer, events: AnswerEvents): void {
    handedOver = odd.handOverWith(piece, () => sendOn(odd));
    parser ??= createStrictParser(openStream);
    parser.expectAnswer(events);
  }

  /** Called by the parser when it expects an answer and has no stream. */
  function openStream(onOpened: StreamOpened): void {
    const stream = handedOver;
    handedOver = undefined;
    if (stream !== undefined) queueMicrotask(() => onOpened(null, stream));
    else if (exchange?.isSent === false) openHandedOver(onOpened);
    // The socket has gone before the parser took it. A request that was sent is not sent again.
    else queueMicrotask(() => onOpened(createFaultError("connection-closed"), null));
  }

  function openHandedOver(onOpened: StreamOpened): void {
    openSocket((error, opened) => onOpened(error, opened?.handOver(() => sendOn(opened)) ?? null));
  }
}
