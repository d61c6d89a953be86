// Sends one request on one connection and returns one reply. Core's exchange decides when the promise resolves and when the
// connection is closed (decision: rounds and verdicts). One deadline covers the whole exchange with its name look-up. Must not
// know what a reply means.

import type { Clock, Reply } from "@postrider/core";
import { createExchange, type Deadlines, type ExchangeStep } from "@postrider/core/engine";
import type { AcquiredConnection } from "./pools.js";

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
    const exchange = createExchange(timeoutMs, clock.monotonic());
    const deadline = deadlines.begin(timeoutMs, () => {
      apply(exchange.onFault("timeout", clock.monotonic()));
    });
    acquired.connection.send(request, {
      onHead: (head) => apply(exchange.onHead(head, clock.monotonic())),
      onBody: (chunk) => apply(exchange.onBody(chunk)),
      onEnd: () => apply(exchange.onEnd(clock.monotonic())),
      onFault: (fault) => apply(exchange.onFault(fault, clock.monotonic())),
    });

    function apply({ reply, connection }: ExchangeStep): void {
      if (connection !== undefined) deadlines.end(deadline);
      if (reply !== undefined) resolve(reply);
      if (connection === "keep") acquired.keep();
      if (connection === "drop") acquired.drop();
    }
  });
}
