// The strict way to read the answers of a connection, in any number of pieces: undici parses all answers of a socket that was handed over,
// but for a success at its status line (decision: the status line). undici writes a request for each answer; its bytes are dropped, and
// stand for the request that the connection sends itself (decision: answers in place). No request is sent twice.

import type { Duplex } from "node:stream";
import { Client, type Dispatcher } from "undici";
import type { AnswerEvents } from "./answer.js";
import { createFaultError, nameSocketFault } from "./faults.js";
import type { HttpSocket, RawAnswer } from "./http-socket.js";
import { createStartReader } from "./read-start.js";
import { KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MAX_MS, KEEP_ALIVE_MS, MAX_HEAD_BYTES } from "./limits.js";

/** An exchange that is under way. */
export interface PendingExchange {
  readonly request: Uint8Array;
  readonly events: AnswerEvents;
  isSent: boolean;
  /** True if the status has been reported. */
  isAnswered: boolean;
}

interface StrictAnswers {
  /** Hands over a socket on which the first piece of an answer has come. */
  takeOver(socket: HttpSocket, piece: Buffer, exchange: PendingExchange): void;
  /** Expects an answer on the socket that was handed over last; the request goes out once the parser is ready. */
  expect(exchange: PendingExchange): void;
  /** Reads a piece before the parser gets it, and may change it. False until the final status line is whole: the parser might refuse it. */
  look(piece: Buffer, exchange: PendingExchange): boolean;
  destroy(): Promise<void>;
}

/** The connection whose answers these are. */
interface StrictOwner {
  exchange(): PendingExchange | undefined;
  openSocket(onOpened: (error: Error | null, opened?: HttpSocket) => void): void;
  /** Sends the request of the exchange that is under way. */
  sendOn(socket: HttpSocket): void;
  /** The exchange is over. With `true` its answer is complete, and the socket is idle. */
  onOver(isComplete: boolean): void;
}

export function createStrictAnswers(owner: StrictOwner): StrictAnswers {
  const startReader = createStartReader();
  let parser: StrictParser | undefined;
  /** The stream of a socket that was handed over, until the parser asks for it. */
  let handedOver: RawAnswer | undefined;

  return {
    takeOver(socket, piece, exchange) {
      handedOver = socket.handOver(() => owner.sendOn(socket), true);
      expect(exchange);
      socket.pass(piece);
    },
    expect,
    look(piece, exchange) {
      const status = startReader.read(piece);
      if (status !== undefined) {
        exchange.isAnswered = true;
        exchange.events.onHead({ status, retryAfter: undefined });
      }
      return startReader.isOver();
    },
    destroy: async () => parser?.destroy(),
  };

  function expect(exchange: PendingExchange): void {
    const { events } = exchange;
    startReader.begin();
    parser ??= createStrictParser(openStream);
    parser.expectAnswer({
      onHead(head) {
        if (!exchange.isAnswered) events.onHead(head);
        exchange.isAnswered = true;
      },
      onBody: (chunk) => events.onBody(chunk),
      onEnd() {
        owner.onOver(true);
        events.onEnd();
      },
      onFault(fault) {
        owner.onOver(false);
        events.onFault(fault);
      },
    });
  }

  /** Called by the parser when it expects an answer and has no stream. */
  function openStream(onOpened: StreamOpened): void {
    const stream = handedOver?.stream;
    handedOver = undefined;
    if (stream !== undefined) queueMicrotask(() => onOpened(null, stream));
    else if (owner.exchange()?.isSent === false) openHandedOver(onOpened);
    // The socket has gone before the parser took it. A request that was sent is not sent again.
    else queueMicrotask(() => onOpened(createFaultError("connection-closed"), null));
  }

  function openHandedOver(onOpened: StreamOpened): void {
    owner.openSocket((error, httpSocket) => {
      onOpened(error, httpSocket?.handOver(() => owner.sendOn(httpSocket), false).stream ?? null);
    });
  }
}

/** Gives the parser a stream, or says why there is none; to be called after `openStream` has returned. */
type StreamOpened = (error: Error | null, stream: Duplex | null) => void;

interface StrictParser {
  /** Expects the answer to one request, and reports it. */
  expectAnswer(events: AnswerEvents): void;
  destroy(): Promise<void>;
}

/** `openStream` is called when an answer is expected and there is no stream. */
function createStrictParser(openStream: (onOpened: StreamOpened) => void): StrictParser {
  const client = new Client("http://receiver.invalid", {
    connect: (_, callback) => {
      openStream(callback as StreamOpened);
    },
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: KEEP_ALIVE_MAX_MS,
    keepAliveTimeoutThreshold: KEEP_ALIVE_MARGIN_MS,
    maxHeaderSize: MAX_HEAD_BYTES,
  });
  return {
    expectAnswer: (events) => void client.dispatch(REQUEST, createHandler(events)),
    destroy: () => client.destroy(),
  };
}

/** Without undici's timers: one deadline covers the whole exchange. */
const REQUEST: Dispatcher.DispatchOptions = { method: "POST", path: "/", headersTimeout: 0, bodyTimeout: 0 };

type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    "onRequestStart" | "onResponseStart" | "onResponseData" | "onResponseEnd" | "onResponseError"
  >
>;

function createHandler(events: AnswerEvents): Handler {
  return {
    // undici treats a handler without this method as a handler of its old interface.
    onRequestStart: () => undefined,
    onResponseStart(_, status, headers) {
      if (!isInterim(status)) events.onHead({ status, retryAfter: firstOf(headers["retry-after"]) });
    },
    onResponseData(_, chunk) {
      events.onBody(chunk);
    },
    onResponseEnd() {
      events.onEnd();
    },
    onResponseError(_, error) {
      events.onFault(nameSocketFault(error));
    },
  };
}

function isInterim(status: number): boolean {
  return status >= 100 && status <= 199;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
