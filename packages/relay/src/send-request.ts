// Sends one request through the HTTP port, and answers in time whatever the port does. Knows neither lanes nor what is sent.

import type { Clock, HttpPort, HttpRequest, Reply } from "@postrider/core";
import { SEND_SLACK_MS } from "./limits.js";

export interface SendContext {
  readonly http: HttpPort;
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** Called once, before the reply is answered. */
  readonly onReply?: () => void;
}

/** Never rejects. If the port rejects or does not answer in time, the reply is a local fault. */
export function sendRequest(request: HttpRequest, { http, clock, onReply }: SendContext): Promise<Reply> {
  const began = clock.monotonic();
  let isOver = false;
  return new Promise((resolve) => {
    const cancel = clock.after(request.timeoutMs + SEND_SLACK_MS, fail);
    ask(http, request).then(end, fail);

    /** Ends the attempt, once: a reply may still come after the timer has fired. */
    function end(reply: Reply): void {
      if (isOver) return;
      isOver = true;
      cancel();
      onReply?.();
      resolve(reply);
    }

    function fail(): void {
      end({ kind: "silent", fault: "local", afterMs: clock.monotonic() - began });
    }
  });
}

/** Turns an exception of the port into a rejection. */
function ask(http: HttpPort, request: HttpRequest): Promise<Reply> {
  try {
    return http.send(request);
  } catch {
    return Promise.reject(new Error("the port threw"));
  }
}
