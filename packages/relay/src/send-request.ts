// Sends one request through the HTTP port, and answers in time whatever the port does.

import type { Clock, HttpPort, HttpRequest, Reply } from "@postrider/core";
import type { Deadlines } from "@postrider/core/engine";
import { SEND_SLACK_MS } from "./limits.js";

export interface SendContext {
  readonly http: HttpPort;
  readonly clock: Pick<Clock, "monotonic" | "after">;
  readonly deadlines: Deadlines;
}

/**
 * Calls `onReply` once. If the port rejects or does not answer in time, the reply is a local fault. Takes a function, since a
 * promise and its handlers would cost each delivery more than the decisions of the relay about it.
 */
export function sendRequest(
  request: HttpRequest,
  { http, clock, deadlines }: SendContext,
  onReply: (reply: Reply) => void,
): void {
  const startedAt = clock.monotonic();
  // If the process stood still, a reply that came in time may wait to be read: it is read before a timer that is set now fires.
  const deadline = deadlines.begin(request.timeoutMs + SEND_SLACK_MS, () => clock.after(0, fail));
  let isOver = false;
  ask(http, request).then(end, fail);

  /** Ends the attempt, once: a reply may still come after its deadline. */
  function end(reply: Reply): void {
    if (isOver) return;
    isOver = true;
    deadlines.end(deadline);
    onReply(reply);
  }

  function fail(): void {
    end({ kind: "silent", fault: "local", afterMs: clock.monotonic() - startedAt });
  }
}

/** Turns an exception of the port into a rejection. */
function ask(http: HttpPort, request: HttpRequest): Promise<Reply> {
  try {
    return http.send(request);
  } catch {
    return Promise.reject(new Error("the port threw"));
  }
}
