// The calling end of a channel: an HTTP port whose requests are sent by the one at the other end. It answers each request once, even if
// that end stops: a request without a reply by its deadline gets the fault `local`.

import type { Clock, HttpPort, MonoMs, Reply } from "@postrider/core";
import { createDeadlines, type Deadline } from "@postrider/core/engine";
import {
  type CallerAddress,
  NOT_SENT,
  type RepliesMessage,
  type SenderMessage,
  HTTP_REPLIES,
  HTTP_REQUESTS,
  type NumberedRequest,
} from "./packing/http.js";
import { CLOSE_LIMIT_MS, LAST_SIGN_MS, MAX_PENDING_REQUESTS, LATE_REPLY_MS } from "./limits.js";
import { packError, buffersOf, type ChannelEnd, createTurnBatch } from "./channel.js";

/** The options of `connectHttp`. */
export interface ConnectHttpOptions {
  readonly clock: Pick<Clock, "monotonic" | "after">;
  /** The addresses on which this process listens, read for each batch of requests; none if absent. */
  readonly listening?: (() => readonly CallerAddress[]) | undefined;
  /** Ends the other end by force: it does not answer, or sends messages that cannot be read. */
  readonly terminate: () => void;
  /** Called once with the reason if the other end has ended without `close`. */
  readonly onEnd: (why: string) => void;
}

/** An HTTP port whose requests are sent at the other end of a message port. */
export interface ConnectedHttp extends HttpPort {
  /** Resolves once the other end takes requests, or has ended. Requests that are sent before wait. */
  readonly ready: Promise<void>;
  /** Closes every connection and ends the other end. The exchanges under way, and later requests, get the fault `local`. */
  close(): Promise<void>;
}

/**
 * Returns the HTTP port that `serveHttp` serves at the other end. Once that has ended, each request gets the fault `local`. While
 * no request is under way, the message port does not keep the process running.
 */
export function connectHttp(
  port: ChannelEnd,
  { clock, listening = () => [], terminate, onEnd }: ConnectHttpOptions,
): ConnectedHttp {
  const pending = createPendingReplies(clock, requireSign);
  const requests = createTurnBatch<NumberedRequest>(post);
  let sentAddresses = "[]";
  let messageCount = 0;
  let closing: Promise<void> | undefined;
  let hasEnded = false;
  let resolveReady: () => void = () => undefined;
  let resolveEnd: () => void = () => undefined;
  const ready = new Promise<void>((resolve) => (resolveReady = resolve));
  const whenEnded = new Promise<void>((resolve) => (resolveEnd = resolve));
  watch(port, onMessage, end);
  port.unref?.();

  return {
    ready,
    send(request) {
      const isRefused = hasEnded || closing !== undefined || pending.count() >= MAX_PENDING_REQUESTS;
      if (isRefused) return Promise.resolve(NOT_SENT);
      return new Promise((resolve) => {
        if (pending.count() === 0) port.ref?.();
        const id = pending.open(request.timeoutMs, (reply) => {
          if (pending.count() === 0 && closing === undefined) port.unref?.();
          resolve(reply);
        });
        requests.add({ id, request }, request.body.length);
      });
    },
    close: () => (closing ??= close()),
  };

  function post(items: readonly NumberedRequest[]): void {
    if (hasEnded) return;
    const addresses = listening();
    const addressesText = JSON.stringify(addresses);
    if (addressesText !== sentAddresses) tell({ kind: "listening", addresses });
    sentAddresses = addressesText;
    const parcel = HTTP_REQUESTS.pack(items);
    tell({ kind: "requests", parcel }, buffersOf(parcel));
  }

  function tell(message: SenderMessage, buffers: readonly ArrayBuffer[] = []): void {
    port.postMessage(message, buffers);
  }

  function onMessage(message: RepliesMessage): void {
    messageCount += 1;
    resolveReady();
    try {
      for (const { id, reply } of HTTP_REPLIES.unpack(message)) pending.end(id, reply);
    } catch (error) {
      endByForce(packError(error).message);
    }
  }

  /** A reply is late. Ends the other end if nothing at all comes from it; messages that came while this end was blocked are read first. */
  function requireSign(): void {
    const countBefore = messageCount;
    clock.after(LAST_SIGN_MS, () => {
      if (messageCount === countBefore) endByForce("it does not answer");
    });
  }

  function endByForce(why: string): void {
    if (hasEnded) return;
    terminate();
    end(why);
  }

  function end(why: string): void {
    if (hasEnded) return;
    hasEnded = true;
    pending.failAll();
    resolveReady();
    resolveEnd();
    if (closing === undefined) onEnd(why);
  }

  async function close(): Promise<void> {
    for (const { id } of requests.take()) pending.fail(id);
    if (hasEnded) return;
    port.ref?.();
    tell({ kind: "close" });
    const cancel = clock.after(CLOSE_LIMIT_MS, () => endByForce("it does not close"));
    await whenEnded;
    cancel();
  }
}

function watch(port: ChannelEnd, onMessage: (message: RepliesMessage) => void, onEnd: (why: string) => void): void {
  // Safe cast: only this package writes to the message port.
  port.on("message", (message) => onMessage(message as RepliesMessage));
  port.on("messageerror", () => onEnd("it sent a message that cannot be read"));
  port.on("error", (error) => onEnd(`it has failed: ${packError(error).message}`));
  port.on("exit", () => onEnd("it has ended"));
  port.on("close", () => onEnd("it has ended"));
}

interface PendingReplies {
  count(): number;
  /** Opens a request under a new number. `onReply` is called once. */
  open(timeoutMs: number, onReply: (reply: Reply) => void): number;
  /** A reply has come. No effect if the request has one. */
  end(id: number, reply: Reply): void;
  /** Ends a request, or all of them, with the fault `local`. */
  fail(id: number): void;
  failAll(): void;
}

interface PendingReply {
  readonly onReply: (reply: Reply) => void;
  readonly startedAt: MonoMs;
  readonly deadline: Deadline;
}

/** `onLate` is called after a request was ended because its reply is late. */
function createPendingReplies(clock: Pick<Clock, "monotonic" | "after">, onLate: () => void): PendingReplies {
  const pending = new Map<number, PendingReply>();
  const deadlines = createDeadlines(clock);
  let lastId = 0;

  function end(id: number, reply: Reply): void {
    const pendingReply = pending.get(id);
    if (pendingReply === undefined) return;
    pending.delete(id);
    deadlines.end(pendingReply.deadline);
    pendingReply.onReply(reply);
  }

  function fail(id: number): void {
    const startedAt = pending.get(id)?.startedAt;
    if (startedAt !== undefined) end(id, { kind: "silent", fault: "local", afterMs: clock.monotonic() - startedAt });
  }

  function endLate(id: number): void {
    if (!pending.has(id)) return;
    fail(id);
    onLate();
  }

  return {
    count: () => pending.size,
    open: (timeoutMs, onReply) => {
      lastId += 1;
      const id = lastId;
      // If this thread was blocked, a reply that came in time may wait to be read. It is read before a timer that is set now.
      const deadline = deadlines.begin(timeoutMs + LATE_REPLY_MS, () => clock.after(0, () => endLate(id)));
      pending.set(id, { onReply, startedAt: clock.monotonic(), deadline });
      return id;
    },
    end,
    fail,
    failAll: () => {
      for (const id of [...pending.keys()]) fail(id);
    },
  };
}
