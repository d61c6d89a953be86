// One POST on one connection, one reply: when it resolves, and when the connection goes (decision: rounds and verdicts).
// One timer of ours rules it from before DNS on; undici's own timers are off. Must not know what a reply means.

import {
  type Clock,
  createExcerptReader,
  type ExcerptReader,
  type Fault,
  type HttpRequest,
  type Reply,
} from "@postrider/core";
import type { Dispatcher } from "undici";
import { nameFault } from "./name-fault.js";
import type { Place } from "./pools.js";

/** Sends the request in its place; resolves with what came back, never rejects. */
export function send(request: HttpRequest, path: string, { clock, place }: Way): Promise<Reply> {
  return new Promise((resolve) => {
    const handler = openExchange(request.timeoutMs, { clock, place }, resolve);
    place.client.dispatch(describePost(request, path), handler);
  });
}

export interface Way {
  readonly clock: Clock;
  readonly place: Place;
}

function describePost({ headers, body }: HttpRequest, path: string): Dispatcher.DispatchOptions {
  const flat: string[] = [];
  for (const [name, value] of headers) flat.push(name, value);
  return {
    method: "POST",
    path,
    headers: flat,
    body,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

const NOTHING = new Uint8Array();

/** What the status line and the headers have said. */
interface Answer {
  readonly status: number;
  readonly afterMs: number;
  readonly retryAfter: string | undefined;
}

type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    "onRequestStart" | "onResponseStart" | "onResponseData" | "onResponseEnd" | "onResponseError"
  >
>;

function openExchange(timeoutMs: number, { clock, place }: Way, resolve: (reply: Reply) => void): Handler {
  const startedAt = clock.monotonic();
  // Most answers have no body.
  let body: ExcerptReader | undefined;
  let answer: Answer | undefined;
  let isReplied = false;
  let isOver = false;
  const cancelTimer = clock.after(timeoutMs, () => {
    cut("timeout");
  });

  return {
    // undici tells the handlers of old from those of today by this one.
    onRequestStart: () => undefined,
    onResponseStart(_, status, headers) {
      if (isOver || isInterim(status)) return;
      const afterMs = elapsed();
      // The timer may be late: when the answer came is what counts.
      if (afterMs > timeoutMs || !isFinal(status)) {
        cut(afterMs > timeoutMs ? "timeout" : "bad-response");
        return;
      }
      answer = { status, afterMs, retryAfter: firstOf(headers["retry-after"]) };
      if (isSuccess(status)) reply(answer);
    },
    onResponseData(_, chunk) {
      if (isOver || answer === undefined) return;
      body ??= createExcerptReader();
      body.add(chunk);
      if (body.isFull()) reply(answer);
      if (body.isOver()) cut("bad-response");
    },
    onResponseEnd() {
      if (finish("bad-response")) place.keep();
    },
    onResponseError(_, error) {
      cut(nameFault(error));
    },
  };

  /** Ends the exchange and its connection. `fault` stands only if no status line came. */
  function cut(fault: Fault): void {
    if (finish(fault)) place.drop();
  }

  /** True the first time. */
  function finish(fault: Fault): boolean {
    if (isOver) return false;
    isOver = true;
    cancelTimer();
    if (answer === undefined) resolve({ kind: "silent", fault, afterMs: elapsed() });
    else reply(answer);
    return true;
  }

  /** Once: a receiver that sends a byte at a time asks for it with each of them. */
  function reply(known: Answer): void {
    if (isReplied) return;
    isReplied = true;
    resolve(replyOf(known, body === undefined || isSuccess(known.status) ? NOTHING : body.excerpt()));
  }

  function elapsed(): number {
    return clock.monotonic() - startedAt;
  }
}

function isInterim(status: number): boolean {
  return status >= 100 && status <= 199;
}

function isFinal(status: number): boolean {
  return status >= 200 && status <= 599;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}

function replyOf({ status, afterMs, retryAfter }: Answer, excerpt: Uint8Array): Reply {
  const reply = { kind: "answered", status, afterMs, excerpt } as const;
  return retryAfter === undefined ? reply : { ...reply, retryAfter };
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
