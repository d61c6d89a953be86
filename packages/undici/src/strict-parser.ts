// Parses the answers of a connection with undici, strictly and in any number of pieces. undici writes a request for each
// answer; what it writes is dropped, and stands for the request that the connection sends itself (decision: answers in place).

import type { Duplex } from "node:stream";
import { Client, type Dispatcher } from "undici";
import type { AnswerEvents } from "./answer-events.js";
import { KEEP_ALIVE_MARGIN_MS, KEEP_ALIVE_MAX_MS, KEEP_ALIVE_MS, MAX_HEAD_BYTES } from "./limits.js";
import { nameSocketFault } from "./name-fault.js";

/** Gives the parser a stream, or says why there is none; to be called after `openStream` has returned. */
export type StreamOpened = (error: Error | null, stream: Duplex | null) => void;

export interface StrictParser {
  /** Expects the answer to one request, and reports it. */
  expectAnswer(events: AnswerEvents): void;
  destroy(): Promise<void>;
}

/** `openStream` is called when an answer is expected and there is no stream. */
export function createStrictParser(openStream: (onOpened: StreamOpened) => void): StrictParser {
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
