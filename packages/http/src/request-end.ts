// Detects that no more of a request will arrive: its connection closed, or its answer was sent before its end. Node emits
// `close` on the request, on the response, or on both of them, depending on the case.

import type { IncomingMessage, ServerResponse } from "node:http";

/** Calls `end` once, at the first `close`. Returns a function that stops listening. */
export function onRequestEnd(request: IncomingMessage, response: ServerResponse, end: () => void): () => void {
  const stop = (): void => {
    request.off("close", onClose);
    response.off("close", onClose);
  };
  const onClose = (): void => {
    stop();
    end();
  };
  // Once the answer has been written, Node detaches the request: only the response closes.
  response.once("close", onClose);
  // While a pipelined request waits for the answers before its own, only the request closes.
  request.once("close", onClose);
  return stop;
}

/** Whether no more of a request will arrive, so that `close` may have been emitted already. */
export function hasEnded(request: IncomingMessage, response: ServerResponse): boolean {
  return response.writableEnded || response.destroyed || (request.destroyed && !request.readableEnded);
}
