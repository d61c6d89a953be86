// Sends one request on one connection and returns one reply. Core's exchange decides when the promise resolves and when the
// connection is closed (decision: rounds and verdicts). One deadline covers the whole exchange with its name look-up. Must not
// know what a reply means.

import type { Clock, Fault, MonoMs, Reply } from "@postrider/core";
import { createExchange, type Deadlines, type ExchangeStep } from "@postrider/core/engine";
import type { AnswerEvents } from "./answer-events.js";
import type { AcquiredConnection } from "./acquired-connection.js";

interface Sending {
  readonly clock: Pick<Clock, "monotonic">;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
}

/** Sends the bytes of a request; resolves with the reply, never rejects. */
export function sendOnConnection(
  request: Uint8Array,
  acquired: AcquiredConnection,
  { clock, deadlines, timeoutMs }: Sending,
): Promise<Reply> {
  return new Promise((resolve) => {
    const startedAt = clock.monotonic();
    const exchange = createExchange(timeoutMs, startedAt);
    const onFault = (fault: Fault): void => {
      const now = clock.monotonic();
      apply(exchange.onFault(fault, now), now);
    };
    const deadline = deadlines.begin(timeoutMs, () => onFault("timeout"));
    const events: AnswerEvents = {
      onHead(head) {
        const now = clock.monotonic();
        apply(exchange.onHead(head, now), now);
      },
      onBody: (chunk) => apply(exchange.onBody(chunk), startedAt),
      onEnd() {
        const now = clock.monotonic();
        apply(exchange.onEnd(now), now);
      },
      onFault,
    };
    acquired.connection.send(request, events, acquired.waitMs);

    function apply({ reply, connection }: ExchangeStep, now: MonoMs): void {
      if (connection !== undefined) deadlines.end(deadline);
      if (reply !== undefined) resolve(reply);
      if (connection === "keep") acquired.keep(now);
      if (connection === "renew") acquired.renew(now);
      if (connection === "drop") acquired.drop();
    }
  });
}
