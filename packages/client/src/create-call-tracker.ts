// Counts the pending calls of a client, and resolves the promises of callers that wait for the end of calls, or for room in
// the queue. Each call is added once and ended once.

import { fitsCapacity, MAX_CALL_BYTES, type QueueCapacity, type SerializedCall } from "@postrider/core/batch";

/** A call that was queued and has not ended, with its number in the order of all calls of this client. */
export interface PendingCall extends SerializedCall {
  readonly sequence: number;
  /** True once it was delivered or has failed. */
  isEnded: boolean;
  /** True while it is in a request that outlives the page. */
  isCarried: boolean;
}

/** The numbers of the calls that were waited for: those that were delivered, have failed, or have not ended yet. */
export interface FlushReport {
  /** Calls that the server has accepted. */
  readonly delivered: number;
  /** Calls that were given up. */
  readonly failed: number;
  /** Calls that had not ended within the limit of time. They stay queued. */
  readonly pending: number;
}

export interface CallTracker {
  hasRoom(bytes: number): boolean;
  add(call: SerializedCall): PendingCall;
  end(call: PendingCall, isDelivered: boolean): void;
  /** The number that the next call gets. */
  nextSequence(): number;
  /** Waits for all calls that are pending now; `stop` ends the wait with the counts so far. */
  awaitPending(): { readonly ended: Promise<FlushReport>; readonly stop: () => void };
  /** Waits until there is room for any call. */
  awaitRoom(): Promise<void>;
  /** Ends all waits for room; later waits for room end at once. */
  releaseWaiters(): void;
}

interface Wait {
  /** The wait is for the calls with a smaller sequence number. */
  readonly before: number;
  readonly resolve: (flushed: FlushReport) => void;
  delivered: number;
  failed: number;
  pending: number;
}

export function createCallTracker(capacity: QueueCapacity): CallTracker {
  const waits = new Set<Wait>();
  let roomWaiters: (() => void)[] = [];
  let isReleased = false;
  let calls = 0;
  let bytes = 0;
  let nextSequence = 0;

  function count(sequence: number, isDelivered: boolean): void {
    for (const wait of waits) {
      if (sequence >= wait.before) continue;
      wait.pending -= 1;
      if (isDelivered) wait.delivered += 1;
      else wait.failed += 1;
      if (wait.pending === 0) finish(wait);
    }
  }

  function finish(wait: Wait): void {
    waits.delete(wait);
    const { delivered, failed, pending } = wait;
    wait.resolve({ delivered, failed, pending });
  }

  /** Releases one waiting caller for each call that fits, since each released caller is about to make a call. */
  function releaseForRoom(): void {
    if (roomWaiters.length === 0 || !fitsCapacity({ calls, bytes }, capacity)) return;
    const free = Math.min(capacity.calls - calls, Math.ceil((capacity.bytes - bytes) / MAX_CALL_BYTES));
    for (const resolve of roomWaiters.splice(0, free)) resolve();
  }

  return {
    hasRoom: (addedBytes) => fitsCapacity({ calls, bytes }, capacity, addedBytes),
    add: ({ type, messageId, json, bytes: size }) => {
      calls += 1;
      bytes += size;
      return { sequence: nextSequence++, type, messageId, json, bytes: size, isEnded: false, isCarried: false };
    },
    end: (call, isDelivered): void => {
      call.isEnded = true;
      calls -= 1;
      bytes -= call.bytes;
      if (waits.size > 0) count(call.sequence, isDelivered);
      releaseForRoom();
    },
    nextSequence: () => nextSequence,
    awaitPending: () => {
      let stop = (): void => undefined;
      const ended = new Promise<FlushReport>((resolve) => {
        const wait: Wait = { before: nextSequence, resolve, delivered: 0, failed: 0, pending: calls };
        stop = (): void => finish(wait);
        if (calls === 0) finish(wait);
        else waits.add(wait);
      });
      return { ended, stop };
    },
    awaitRoom: () =>
      isReleased || (roomWaiters.length === 0 && fitsCapacity({ calls, bytes }, capacity))
        ? Promise.resolve()
        : new Promise((resolve) => roomWaiters.push(resolve)),
    releaseWaiters: (): void => {
      isReleased = true;
      const waiters = roomWaiters;
      roomWaiters = [];
      for (const resolve of waiters) resolve();
    },
  };
}
