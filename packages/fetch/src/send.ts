// Sends one POST by fetch and returns one reply. Core's exchange decides when the promise resolves and when the request
// is aborted (decision: rounds and verdicts). One timer, started when `sendByFetch` is called, covers the whole
// exchange. Must not know what a reply means.

import type { Clock, Header, HttpRequest, Reply } from "@postrider/core";
import { createExchange, type ExchangeStep } from "@postrider/core/engine";
import type { BodyReader, Fetch, FetchAnswer } from "./fetch-shape.js";
import { nameFetchFault } from "./name-fault.js";

interface Sending {
  readonly clock: Clock;
  readonly fetch: Fetch;
}

/** Sends the request; resolves with the reply, never rejects. */
export function sendByFetch(request: HttpRequest, { clock, fetch }: Sending): Promise<Reply> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    const listener = createListener(request.timeoutMs, clock, { resolve, abort: () => abort.abort() });
    void readAnswer(callFetch(fetch, request, abort.signal), listener);
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
  // The cast is needed because `Fetch` leaves out the type of the request.
  const call = fetch as (url: string, request: FetchRequest) => Promise<FetchAnswer>;
  return call(url, { method: "POST", headers, body, redirect: "manual", signal });
}

async function readAnswer(answer: Promise<FetchAnswer>, listener: Listener): Promise<void> {
  try {
    const { status, headers, body } = await answer;
    listener.onHead(status, headers.get("retry-after") ?? undefined);
    if (body !== null) await readBody(body.getReader(), listener);
    listener.onEnd();
  } catch (error) {
    listener.onError(error);
  }
}

async function readBody(reader: BodyReader, listener: Listener): Promise<void> {
  while (!listener.isOver()) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return;
    listener.onBody(value);
  }
}

interface Listener {
  onHead(status: number, retryAfter: string | undefined): void;
  onBody(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: unknown): void;
  isOver(): boolean;
}

interface Effects {
  readonly resolve: (reply: Reply) => void;
  readonly abort: () => void;
}

function createListener(timeoutMs: number, clock: Clock, { resolve, abort }: Effects): Listener {
  const exchange = createExchange(timeoutMs, clock.monotonic());
  const cancelTimer = clock.after(timeoutMs, () => {
    apply(exchange.onFault("timeout", clock.monotonic()));
  });

  return {
    onHead: (status, retryAfter) => apply(exchange.onHead({ status, retryAfter }, clock.monotonic())),
    onBody: (chunk) => apply(exchange.onBody(chunk)),
    onEnd: () => apply(exchange.onEnd(clock.monotonic())),
    onError: (error) => apply(exchange.onFault(nameFetchFault(error), clock.monotonic())),
    isOver: () => exchange.isOver(),
  };

  function apply({ reply, connection }: ExchangeStep): void {
    if (connection !== undefined) cancelTimer();
    if (reply !== undefined) resolve(reply);
    if (connection === "drop") abort();
  }
}
