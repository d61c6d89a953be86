// One POST by fetch, one reply: when it resolves, and when the request is given up (decision: rounds and verdicts). One
// timer of ours rules it from the call on. Must not know what a reply means.

import {
  type Clock,
  createExcerptReader,
  type Fault,
  type Header,
  type HttpRequest,
  type Reply,
} from "@postrider/core";
import type { BodyReader, Fetch, FetchAnswer } from "./fetch-shape.js";
import { nameFault } from "./name-fault.js";

export interface Way {
  readonly clock: Clock;
  readonly fetch: Fetch;
}

/** Sends the request; resolves with what came back, never rejects. */
export function send(request: HttpRequest, { clock, fetch }: Way): Promise<Reply> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    const exchange = openExchange({ clock, timeoutMs: request.timeoutMs, resolve, giveUp: () => abort.abort() });
    void converse(callFetch(fetch, request, abort.signal), exchange);
  });
}

interface FetchRequest {
  readonly method: "POST";
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

async function callFetch(fetch: Fetch, request: HttpRequest, signal: AbortSignal): Promise<FetchAnswer> {
  const { url, headers, body } = request;
  // The one cast: the shape of a fetch leaves out what it is called with, so that every runtime's own fits it.
  const call = fetch as (url: string, request: FetchRequest) => Promise<FetchAnswer>;
  return call(url, { method: "POST", headers, body, redirect: "manual", signal });
}

async function converse(calling: Promise<FetchAnswer>, exchange: Exchange): Promise<void> {
  try {
    const { status, headers, body } = await calling;
    exchange.hear(status, headers.get("retry-after"));
    if (body !== null) await readBody(body.getReader(), exchange);
    exchange.end("bad-response");
  } catch (error) {
    exchange.cut(nameFault(error));
  }
}

async function readBody(reader: BodyReader, exchange: Exchange): Promise<void> {
  while (!exchange.isOver()) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return;
    exchange.read(value);
  }
}

type Answer = Omit<Extract<Reply, { kind: "answered" }>, "excerpt">;

interface Exchange {
  hear(status: number, retryAfter: string | null): void;
  read(chunk: Uint8Array): void;
  /** Ends it; `fault` stands only if no status came. */
  end(fault: Fault): void;
  /** Ends it, and gives up the request. */
  cut(fault: Fault): void;
  isOver(): boolean;
}

interface Opening {
  readonly clock: Clock;
  readonly timeoutMs: number;
  readonly resolve: (reply: Reply) => void;
  readonly giveUp: () => void;
}

function openExchange({ clock, timeoutMs, resolve, giveUp }: Opening): Exchange {
  const startedAt = clock.monotonic();
  const body = createExcerptReader();
  let answer: Answer | undefined;
  let isReplied = false;
  let isOver = false;
  const cancelTimer = clock.after(timeoutMs, () => {
    cut("timeout");
  });

  return {
    hear(status, retryAfter) {
      if (isOver) return;
      const afterMs = elapsed();
      // The timer may be late: when the answer came is what counts.
      if (afterMs > timeoutMs || !isFinal(status)) {
        cut(afterMs > timeoutMs ? "timeout" : "bad-response");
        return;
      }
      answer = { kind: "answered", status, afterMs, ...(retryAfter === null ? {} : { retryAfter }) };
      if (isSuccess(status)) reply(answer);
    },
    read(chunk) {
      if (isOver || answer === undefined) return;
      body.add(chunk);
      if (body.isFull()) reply(answer);
      if (body.isOver()) cut("bad-response");
    },
    end,
    cut,
    isOver: () => isOver,
  };

  function cut(fault: Fault): void {
    if (isOver) return;
    end(fault);
    giveUp();
  }

  function end(fault: Fault): void {
    if (isOver) return;
    isOver = true;
    cancelTimer();
    if (answer === undefined) resolve({ kind: "silent", fault, afterMs: elapsed() });
    else reply(answer);
  }

  /** Once: a receiver that sends a byte at a time asks for it with each of them. */
  function reply(known: Answer): void {
    if (isReplied) return;
    isReplied = true;
    resolve({ ...known, excerpt: isSuccess(known.status) ? new Uint8Array() : body.excerpt() });
  }

  function elapsed(): number {
    return clock.monotonic() - startedAt;
  }
}

function isFinal(status: number): boolean {
  return status >= 200 && status <= 599;
}

function isSuccess(status: number): boolean {
  return status >= 200 && status <= 299;
}
