// The requests that have no reply yet, each with its number and its deadline. Each gets one reply: that which came, or the fault
// `local`. Must not know the channel.

import type { Clock, MonoMs, Reply } from "@postrider/core";
import { createDeadlines, type Deadline } from "@postrider/core/engine";
import { LATE_REPLY_MS } from "./limits.js";

export interface PendingReplies {
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
export function createPendingReplies(clock: Pick<Clock, "monotonic" | "after">, onLate: () => void): PendingReplies {
  const pending = new Map<number, PendingReply>();
  const deadlines = createDeadlines(clock);
  let lastId = 0;

  function end(id: number, reply: Reply): void {
    const found = pending.get(id);
    if (found === undefined) return;
    pending.delete(id);
    deadlines.end(found.deadline);
    found.onReply(reply);
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
      // If this thread was blocked, a reply that came in time may wait to be read: it is, before a timer that is set now.
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
