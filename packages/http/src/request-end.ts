// Says when a request cannot go on: its connection is gone, or its answer went out before all of it had arrived. Node tells
// these apart by which of the two objects closes, and tells some of them on one of the two only.

import type { IncomingMessage, ServerResponse } from "node:http";

/** Calls `end` once, on the first sign of it; answers how to stop listening. */
export function onRequestEnd(request: IncomingMessage, response: ServerResponse, end: () => void): () => void {
  const stop = (): void => {
    request.off("close", onClose);
    response.off("close", onClose);
  };
  const onClose = (): void => {
    stop();
    end();
  };
  // A request whose answer has been written is let go by Node: from then on only the response closes.
  response.once("close", onClose);
  // Of a pipelined request whose turn to be answered has not come, only the request closes.
  request.once("close", onClose);
  return stop;
}

/** Whether it ended before anything could listen for it. */
export function hasEnded(request: IncomingMessage, response: ServerResponse): boolean {
  return response.writableEnded || response.destroyed || (request.destroyed && !request.readableEnded);
}
