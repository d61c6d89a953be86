// Reports the outcome of each call to the host: by callbacks and by iterators. An error of a callback is logged. An iterator
// that is read too slowly holds a bounded number of outcomes, and returns how many it has dropped.

import { MAX_OUTCOME_ITERATORS, MAX_OUTCOMES_WAITING } from "./limits.js";
import type { ClientLogger } from "./logger.js";
import type { DeliveredCall, FailedCall, CallOutcome } from "./outcome.js";

export interface OutcomeCallbacks {
  /** Called for each call that the server has accepted. An exception is logged as `callback-failed`. */
  readonly onDelivered?: ((call: DeliveredCall) => unknown) | undefined;
  /** Called for each call that is given up, or refused before it was queued. An exception is logged as `callback-failed`. */
  readonly onFailed?: ((call: FailedCall) => unknown) | undefined;
}

export interface Outcomes {
  delivered(call: DeliveredCall): void;
  failed(call: FailedCall): void;
  /** Like `failed`, but ignores a call that a callback of `refused` itself makes: such calls would never end. */
  refused(call: FailedCall): void;
  /** All outcomes from now on, until the client is closed. */
  listen(): AsyncIterableIterator<CallOutcome>;
  /** Ends every iterator. */
  end(): void;
}

export function createOutcomes({ onDelivered, onFailed }: OutcomeCallbacks, logger: ClientLogger): Outcomes {
  const listeners = new Set<Listener>();
  let isReportingRefusal = false;
  let isOver = false;

  function report<T>(callback: ((call: T) => unknown) | undefined, call: T): void {
    const logFailure = (): void => logger.log("error", { code: "callback-failed" });
    try {
      // Not `instanceof`: another realm, such as that of a test runner, has another Promise.
      (callback?.(call) as Partial<Promise<unknown>> | undefined)?.catch?.(logFailure);
    } catch {
      logFailure();
    }
  }

  function failed(call: FailedCall): void {
    report(onFailed, call);
    for (const listener of listeners) listener.add({ kind: "failed", ...call });
  }

  return {
    delivered: ({ messageId, type }): void => {
      if (onDelivered !== undefined) report(onDelivered, { messageId, type });
      for (const listener of listeners) listener.add({ kind: "delivered", messageId, type });
    },
    failed,
    refused: (call): void => {
      if (isReportingRefusal) return;
      isReportingRefusal = true;
      failed(call);
      isReportingRefusal = false;
    },
    listen: () => {
      const listener = createListener(() => listeners.delete(listener));
      if (isOver || listeners.size >= MAX_OUTCOME_ITERATORS) listener.end();
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
  readonly iterator: AsyncIterableIterator<CallOutcome>;
  add(outcome: CallOutcome): void;
  /** Ends the iterator after the outcomes that wait in it. */
  end(): void;
}

function createListener(leave: () => void): Listener {
  const backlog: CallOutcome[] = [];
  const takers: ((result: IteratorResult<CallOutcome, undefined>) => void)[] = [];
  let missed = 0;
  let isOver = false;

  function take(): CallOutcome | undefined {
    if (missed === 0) return backlog.shift();
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
      else if (backlog.push(outcome) > MAX_OUTCOMES_WAITING) missed += backlog.splice(0, MAX_OUTCOMES_WAITING).length;
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
        backlog.length = 0;
        missed = 0;
        leave();
        end();
        return Promise.resolve({ done: true, value: undefined });
      },
    },
  };
}
