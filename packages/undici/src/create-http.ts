// The HTTP port on Node: gives each request a connection to its origin, sends it there, and returns one reply. Core's exchange decides
// when the promise resolves and when the connection is closed (decision: rounds and verdicts). One deadline covers the whole exchange
// with its name look-up.

import type { Clock, Fault, HttpPort, Reply, MonoMs } from "@postrider/core";
import {
  createDeadlines,
  createExchange,
  type Deadline,
  type Deadlines,
  type Exchange,
  type ExchangeStep,
  type ReplyHead,
} from "@postrider/core/engine";
import { createAfterPoll, createAges, createPostConnection, createUnaskedOrigins } from "./connection.js";
import { createDiallerFactory } from "./dial.js";
import { CONNECTION_AGE_MS } from "./limits.js";
import { type Network, requireValidNetwork } from "./network.js";
import type { ListenAddress } from "./addresses.js";
import { type AcquiredConnection, createPools } from "./pools.js";
import { createReadTarget, createWritePost } from "./request.js";
import { createResolveName, type ResolveName } from "./resolve-name.js";
import type { AnswerEvents } from "./answer.js";

/** The options of `createUndiciHttp`. */
export interface UndiciHttpOptions {
  /** If its timers keep the process running, so does a request that is under way. */
  readonly clock: Clock;
  /** Allowed addresses and trusted authorities. If absent, only the public internet and the public authorities. */
  readonly network?: Network;
  /** Resolves names. If absent, as the system would. The addresses are checked in any case. */
  readonly resolve?: ResolveName;
  /** Returns the addresses on which the host listens, which are never dialled, even if allowed. Called at each dial. */
  readonly refuse?: () => readonly ListenAddress[];
  /**
   * Called once for an origin, such as `https://receiver.example:8443`, that has sent an answer which no request asked for, as a
   * server does that answers twice. From then on, each connection to it is used for one request.
   */
  readonly onUnaskedAnswer?: (origin: string) => void;
}

/** The HTTP port for Node. It keeps connections open until it is closed. */
export interface UndiciHttp extends HttpPort {
  /** Closes every connection. The exchanges under way, and later requests, get the fault `local`. */
  close(): Promise<void>;
}

/**
 * Creates an HTTP port over pooled connections. Throws an `OptionsError` that names each `allow` that is no range and
 * each `ca` that is no certificate; `isAddressRange` and `isCertificate` check these texts without throwing.
 */
export function createUndiciHttp(options: UndiciHttpOptions): UndiciHttp {
  const { clock, network = {}, resolve = createResolveName({ clock }), refuse, onUnaskedAnswer = ignore } = options;
  requireValidNetwork("createUndiciHttp", network);
  const newDialler = createDiallerFactory({ network, resolve, refuse });
  const afterPoll = createAfterPoll();
  const deadlines = createDeadlines(clock);
  const unasked = createUnaskedOrigins(onUnaskedAnswer);
  const nextAgeMs = createAges(network.maxConnectionAgeMs ?? CONNECTION_AGE_MS);
  const pools = createPools({
    clock,
    unasked,
    newConnection: ({ connect, origin }) =>
      createPostConnection({
        target: connect,
        dialler: newDialler(),
        afterPoll,
        clock,
        nextAgeMs,
        onUnasked: () => unasked.add(origin),
      }),
  });
  const readTarget = createReadTarget();
  const writeRequest = createWritePost();
  return {
    send(request) {
      const target = readTarget(request.url);
      // The URL could not be read. This cannot happen with checked settings. An unreadable URL names no allowed address, so
      // the fault is `forbidden-address`.
      if (target === undefined) return silentReply("forbidden-address");
      const bytes = writeRequest(request, target);
      if (bytes === undefined) return silentReply("invalid-header");
      const acquired = pools.acquire(target);
      if (acquired === undefined) return silentReply("local");
      return sendOnConnection(bytes, acquired, { clock, deadlines, timeoutMs: request.timeoutMs });
    },
    close: () => pools.close(),
  };
}

function ignore(): void {
  // The host did not ask for it.
}

function silentReply(fault: Fault): Promise<Reply> {
  return Promise.resolve({ kind: "silent", fault, afterMs: 0 });
}

interface Sending {
  readonly clock: Pick<Clock, "monotonic">;
  readonly deadlines: Deadlines;
  readonly timeoutMs: number;
}

/** One exchange. All exchanges share its functions: closures for each would cost more than the rest of the exchange. */
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
  const sentExchange: SentExchange = {
    acquired,
    clock,
    deadlines,
    resolve,
    startedAt,
    exchange: createExchange(timeoutMs, startedAt),
    deadline: deadlines.begin(timeoutMs, () => sentExchange.onFault("timeout")),
    onHead,
    onBody,
    onEnd,
    onFault,
  };
  return sentExchange;
}

function onHead(this: SentExchange, head: ReplyHead): void {
  const nowMs = this.clock.monotonic();
  apply(this, this.exchange.onHead(head, nowMs), nowMs);
}

function onBody(this: SentExchange, chunk: Uint8Array): void {
  // A piece never ends in `keep` or `renew`, which alone need the time.
  apply(this, this.exchange.onBody(chunk), this.startedAt);
}

function onEnd(this: SentExchange): void {
  const nowMs = this.clock.monotonic();
  apply(this, this.exchange.onEnd(nowMs), nowMs);
}

function onFault(this: SentExchange, fault: Fault): void {
  const nowMs = this.clock.monotonic();
  apply(this, this.exchange.onFault(fault, nowMs), nowMs);
}

function apply({ acquired, deadlines, deadline, resolve }: SentExchange, step: ExchangeStep, now: MonoMs): void {
  const { reply, connection } = step;
  if (connection !== undefined) deadlines.end(deadline);
  if (reply !== undefined) resolve(reply);
  if (connection === "keep") acquired.keep(now);
  if (connection === "renew") acquired.renew(now);
  if (connection === "drop") acquired.drop();
}
