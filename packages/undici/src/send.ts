// One POST on a pool, one reply: when it resolves, and when the connection goes (decision: rounds and verdicts).
// One timer of ours rules it from before DNS on; undici's own timers are off. Must not know what a reply means.

import type { Clock, Fault, HttpRequest, Reply } from "@postrider/core";
import type { Dispatcher } from "undici";
import { nameFault } from "./name-fault.js";
import { createExcerptReader } from "./read-excerpt.js";

/** Where an exchange takes place. */
export interface Way {
  readonly clock: Clock;
  readonly dispatcher: Pick<Dispatcher, "dispatch">;
  /** Called once, when the exchange needs its connection no longer. */
  leave(): void;
}

/** Sends the request; resolves with what came back, never rejects. */
export function send(request: HttpRequest, url: URL, way: Way): Promise<Reply> {
  return new Promise((resolve) => {
    const handler = openExchange(request.timeoutMs, way, resolve);
    way.dispatcher.dispatch(describePost(request, url), handler);
  });
}

function describePost({ headers, body }: HttpRequest, url: URL): Dispatcher.DispatchOptions {
  return {
    method: "POST",
    path: `${url.pathname}${url.search}`,
    headers: headers.flat(),
    body,
    headersTimeout: 0,
    bodyTimeout: 0,
  };
}

type Answer = Omit<Extract<Reply, { kind: "answered" }>, "excerpt">;
type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    "onRequestStart" | "onResponseStart" | "onResponseData" | "onResponseEnd" | "onResponseError"
  >
>;

// What undici hears as the reason when we end an exchange ourselves; nobody reads it.
const CUT = new Error("cut");

function openExchange(timeoutMs: number, { clock, leave }: Way, resolve: (reply: Reply) => void): Handler {
  const startedAt = clock.monotonic();
  const body = createExcerptReader();
  let controller: Dispatcher.DispatchController | undefined;
  let answer: Answer | undefined;
  let isOver = false;
  const cancelTimer = clock.after(timeoutMs, () => {
    cut("timeout");
  });

  return {
    onRequestStart(started) {
      controller = started;
      // Time was up while it waited for its connection: nothing may be sent any more.
      if (isOver) started.abort(CUT);
    },
    onResponseStart(_, status, headers) {
      if (isOver || isInterim(status)) return;
      const afterMs = elapsed();
      if (afterMs > timeoutMs) return cut("timeout");
      if (!isFinal(status)) return cut("bad-response");
      answer = { kind: "answered", status, afterMs, ...readRetryAfter(headers["retry-after"]) };
      if (isSuccess(status)) reply(answer);
    },
    onResponseData(_, chunk) {
      if (isOver || answer === undefined) return;
      body.add(chunk);
      if (body.isFull()) reply(answer);
      if (body.isOver()) cut("bad-response");
    },
    onResponseEnd() {
      finish("bad-response");
    },
    onResponseError(_, error) {
      finish(nameFault(error));
    },
  };

  /** Ends the exchange and its connection; `fault` stands only if no status line came. */
  function cut(fault: Fault): void {
    finish(fault);
    controller?.abort(CUT);
  }

  function finish(fault: Fault): void {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    if (answer === undefined) resolve({ kind: "silent", fault, afterMs: elapsed() });
    else reply(answer);
    leave();
  }

  /** Only the first one counts, as promises go. */
  function reply(known: Answer): void {
    resolve({ ...known, excerpt: isSuccess(known.status) ? new Uint8Array() : body.excerpt() });
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

function readRetryAfter(header: string | string[] | undefined): { readonly retryAfter?: string } {
  const first = Array.isArray(header) ? header[0] : header;
  return first === undefined ? {} : { retryAfter: first };
}
