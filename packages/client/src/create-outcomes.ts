// Tells the host how its calls end: by callback, and to whoever iterates. What a callback throws, or rejects with, harms
// nobody. A listener that does not keep up costs a bounded amount of memory, and hears how much it has missed.

import { MAX_LISTENERS, MAX_OUTCOMES_WAITING } from "./limits.js";
import type { Logger } from "./logger.js";
import type { DeliveredCall, FailedCall, Outcome } from "./outcome.js";

export interface OutcomeCallbacks {
  readonly onDelivered?: ((call: DeliveredCall) => unknown) | undefined;
  readonly onFailed?: ((call: FailedCall) => unknown) | undefined;
}

export interface Outcomes {
  delivered(call: DeliveredCall): void;
  failed(call: FailedCall): void;
  /** All outcomes from now on, until the client is closed. */
  listen(): AsyncIterableIterator<Outcome>;
  /** Lets every listener come to its end. */
  end(): void;
}

export function createOutcomes({ onDelivered, onFailed }: OutcomeCallbacks, logger: Logger): Outcomes {
  const listeners = new Set<Listener>();
  let isOver = false;

  function tell<T>(callback: ((call: T) => unknown) | undefined, call: T): void {
    const complain = (): void => logger.log("error", { code: "callback-failed" });
    try {
      const answer = callback?.(call);
      if (answer instanceof Promise) answer.catch(complain);
    } catch {
      complain();
    }
  }

  return {
    delivered: ({ messageId, type }): void => {
      if (onDelivered !== undefined) tell(onDelivered, { messageId, type });
      for (const listener of listeners) listener.add({ kind: "delivered", messageId, type });
    },
    failed: (call): void => {
      tell(onFailed, call);
      for (const listener of listeners) listener.add({ kind: "failed", ...call });
    },
    listen: () => {
      const listener = createListener(() => listeners.delete(listener));
      if (isOver || listeners.size >= MAX_LISTENERS) listener.end();
      else listeners.add(listener);
      return listener.iterator;
    },
    end: (): void => {
      isOver = true;
      for (const listener of listeners) listener.end();
      listeners.clear();
    },
  };
}

interface Listener {
  readonly iterator: AsyncIterableIterator<Outcome>;
  add(outcome: Outcome): void;
  /** No more comes; what waits is still handed out. */
  end(): void;
}

function createListener(leave: () => void): Listener {
  const waiting: Outcome[] = [];
  const takers: ((result: IteratorResult<Outcome, undefined>) => void)[] = [];
  let missed = 0;
  let isOver = false;

  function take(): Outcome | undefined {
    if (missed === 0) return waiting.shift();
    const count = missed;
    missed = 0;
    return { kind: "missed", count };
  }

  function end(): void {
    isOver = true;
    for (const give of takers.splice(0)) give({ done: true, value: undefined });
  }

  return {
    add: (outcome): void => {
      const give = takers.shift();
      if (give !== undefined) give({ done: false, value: outcome });
      else if (waiting.push(outcome) > MAX_OUTCOMES_WAITING) missed += waiting.splice(0, MAX_OUTCOMES_WAITING).length;
    },
    end,
    iterator: {
      [Symbol.asyncIterator]() {
        return this;
      },
      next: () => {
        const value = take();
        if (value !== undefined) return Promise.resolve({ done: false, value });
        if (isOver) return Promise.resolve({ done: true, value: undefined });
        return new Promise((resolve) => takers.push(resolve));
      },
      return: () => {
        waiting.length = 0;
        missed = 0;
        leave();
        end();
        return Promise.resolve({ done: true, value: undefined });
      },
    },
  };
}
