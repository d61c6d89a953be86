// Sends one POST on one connection and returns one reply. Core's exchange decides when the promise resolves and when
// the connection is closed (decision: rounds and verdicts). One timer covers the whole exchange with its name look-up;
// undici's timers are off. Must not know what a reply means.

import type { Clock, HttpRequest, Reply } from "@postrider/core";
import { createExchange, type ExchangeStep } from "@postrider/core/engine";
import type { Dispatcher } from "undici";
import { nameSocketFault } from "./name-fault.js";
import type { AcquiredConnection } from "./pools.js";

interface Sending {
  readonly clock: Clock;
  readonly connection: AcquiredConnection;
}

/** Sends the request on the connection; resolves with the reply, never rejects. */
export function sendOnConnection(request: HttpRequest, path: string, sending: Sending): Promise<Reply> {
  return new Promise((resolve) => {
    const handler = createHandler(request.timeoutMs, sending, resolve);
    sending.connection.client.dispatch(describePost(request, path), handler);
  });
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

type Handler = Required<
  Pick<
    Dispatcher.DispatchHandler,
    "onRequestStart" | "onResponseStart" | "onResponseData" | "onResponseEnd" | "onResponseError"
  >
>;

function createHandler(timeoutMs: number, { clock, connection }: Sending, resolve: (reply: Reply) => void): Handler {
  const exchange = createExchange(timeoutMs, clock.monotonic());
  const cancelTimer = clock.after(timeoutMs, () => {
    apply(exchange.onFault("timeout", clock.monotonic()));
  });

  return {
    // undici treats a handler without this method as a handler of its old interface.
    onRequestStart: () => undefined,
    onResponseStart(_, status, headers) {
      if (isInterim(status)) return;
      apply(exchange.onHead({ status, retryAfter: firstOf(headers["retry-after"]) }, clock.monotonic()));
    },
    onResponseData(_, chunk) {
      apply(exchange.onBody(chunk));
    },
    onResponseEnd() {
      apply(exchange.onEnd(clock.monotonic()));
    },
    onResponseError(_, error) {
      apply(exchange.onFault(nameSocketFault(error), clock.monotonic()));
    },
  };

  function apply({ reply, connection: end }: ExchangeStep): void {
    if (end !== undefined) cancelTimer();
    if (reply !== undefined) resolve(reply);
    if (end === "keep") connection.keep();
    if (end === "drop") connection.drop();
  }
}

function isInterim(status: number): boolean {
  return status >= 100 && status <= 199;
}

function firstOf(header: string | string[] | undefined): string | undefined {
  return Array.isArray(header) ? header[0] : header;
}
