// Makes batches of the queued calls when core says so, and limits how many batches are in flight. One timer is set at a
// time; when it fires, core is asked again.

import type { Cancel, MonoMs } from "@postrider/core";
import { type BatchSettings, isBatchFull, monoMs, nextFlush, packBatch, type QueueState } from "@postrider/core/batch";
import type { PendingCall } from "./create-call-tracker.js";
import { createQueue } from "./create-queue.js";
import type { BatchSender } from "./create-sender.js";
import type { Timers } from "./create-timers.js";

export interface DispatchOptions {
  readonly settings: BatchSettings;
  readonly clock: Timers;
  readonly send: BatchSender["send"];
}

export interface Dispatch {
  add(call: PendingCall): void;
  /** Sends the calls with a smaller sequence number, without waiting for a full batch. */
  flushBefore(sequence: number): void;
  /** The calls that have not ended, oldest first. */
  open(): readonly PendingCall[];
  /** Stops, and returns the calls that have not ended, oldest first. */
  drain(): readonly PendingCall[];
}

export function createDispatch({ settings, clock, send }: DispatchOptions): Dispatch {
  const queue = createQueue<PendingCall>();
  /** The batches that were sent. A set of their calls would keep the garbage collector busier than the calls do. */
  const inFlight = new Set<readonly PendingCall[]>();
  /** A flush waits for the calls with a smaller sequence number. */
  let awaitedBefore = 0;
  /** The lowest sequence number of the calls that were queued again behind others; Infinity once the queue was empty. */
  let lowestRequeued = Infinity;
  let firstQueuedAt = monoMs(0);
  let lastFlushAt: MonoMs | undefined;
  let timer: Cancel | undefined;

  function pump(): void {
    while (inFlight.size < settings.maxInFlight) {
      const nowMs = clock.monotonic();
      const flush = nextFlush(state(), settings, nowMs);
      if (flush.kind === "later") timer ??= clock.after(flush.at - nowMs, onTimer);
      if (flush.kind !== "now") return;
      lastFlushAt = nowMs;
      launch(queue.take(packBatch(queue.items(), settings.flushAt)));
    }
  }

  function state(): QueueState {
    const awaited = awaitedBefore - Math.min(queue.first()?.sequence ?? awaitedBefore, lowestRequeued);
    return { calls: queue.size(), bytes: queue.bytes(), awaited, firstQueuedAt, lastFlushAt };
  }

  function onTimer(): void {
    timer = undefined;
    pump();
  }

  function launch(calls: readonly PendingCall[]): void {
    inFlight.add(calls);
    if (queue.size() === 0) lowestRequeued = Infinity;
    send(calls, (callsToRepeat) => {
      inFlight.delete(calls);
      for (const call of callsToRepeat) {
        lowestRequeued = Math.min(lowestRequeued, call.sequence);
        add(call);
      }
      clock.hand(pump);
    });
  }

  function add(call: PendingCall): void {
    if (queue.size() === 0) firstQueuedAt = clock.monotonic();
    queue.add(call);
  }

  function open(): readonly PendingCall[] {
    const calls = [...[...inFlight].flat(), ...queue.items()].filter(({ isEnded }) => !isEnded);
    return calls.sort((a, b) => a.sequence - b.sequence);
  }

  return {
    add: (call): void => {
      add(call);
      // While a timer is set, only a full batch is sent before it fires.
      if (timer === undefined || isBatchFull(state(), settings)) pump();
    },
    flushBefore: (sequence): void => {
      awaitedBefore = sequence;
      pump();
    },
    open,
    drain: () => {
      timer?.();
      const remaining = open();
      queue.take(queue.size());
      return remaining;
    },
  };
}
