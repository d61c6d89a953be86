// Sends one request on one connection and returns one reply. Core's exchange decides when the promise resolves and when the
// connection is closed (decision: rounds and verdicts). One deadline covers the whole exchange with its name look-up. Must not
// know what a reply means.

import type { Clock, Fault, MonoMs, Reply } from "@postrider/core";
import {
  createExchange,
  type Deadline,
  type Deadlines,
  type Exchange,
  type ExchangeStep,
  type ReplyHead,
} from "@postrider/core/engine";
import type { AnswerEvents } from "./answer-events.js";
import type { AcquiredConnection } from "./acquired-connection.js";

interface Sending {
  readonly clock: Pick<Clock, "monotonic">;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
}

/** One exchange. Its functions are the same for all: as closures of each they cost more than all else of it. */
interface SentExchange extends AnswerEvents {
  readonly acquired: AcquiredConnection;
  readonly clock: Sending["clock"];
  readonly deadlines: Deadlines;
  readonly resolve: (reply: Reply) => void;
  readonly startedAt: MonoMs;
  readonly exchange: Exchange;
  readonly deadline: Deadline;
}

/** Sends the bytes of a request; resolves with the reply, never rejects. */
export function sendOnConnection(request: Uint8Array, acquired: AcquiredConnection, sending: Sending): Promise<Reply> {
  return new Promise((resolve) => {
    acquired.connection.send(request, createSentExchange(acquired, sending, resolve), acquired.waitMs);
  });
}

function createSentExchange(
  acquired: AcquiredConnection,
  { clock, deadlines, timeoutMs }: Sending,
  resolve: (reply: Reply) => void,
): AnswerEvents {
  const startedAt = clock.monotonic();
  const sent: SentExchange = {
    acquired,
    clock,
    deadlines,
    resolve,
    startedAt,
    exchange: createExchange(timeoutMs, startedAt),
    deadline: deadlines.begin(timeoutMs, () => sent.onFault("timeout")),
    onHead,
    onBody,
    onEnd,
    onFault,
  };
  return sent;
}

function onHead(this: SentExchange, head: ReplyHead): void {
  const now = this.clock.monotonic();
  apply(this, this.exchange.onHead(head, now), now);
}

function onBody(this: SentExchange, chunk: Uint8Array): void {
  apply(this, this.exchange.onBody(chunk), this.startedAt);
}

function onEnd(this: SentExchange): void {
  const now = this.clock.monotonic();
  apply(this, this.exchange.onEnd(now), now);
}

function onFault(this: SentExchange, fault: Fault): void {
  const now = this.clock.monotonic();
  apply(this, this.exchange.onFault(fault, now), now);
}

function apply({ acquired, deadlines, deadline, resolve }: SentExchange, step: ExchangeStep, now: MonoMs): void {
  const { reply, connection } = step;
  if (connection !== undefined) deadlines.end(deadline);
  if (reply !== undefined) resolve(reply);
  if (connection === "keep") acquired.keep(now);
  if (connection === "renew") acquired.renew(now);
  if (connection === "drop") acquired.drop();
}
