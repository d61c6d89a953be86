// Makes batches of the calls that wait, when core says so, and lets only so many be on their way at once. One alarm is
// set at a time; it asks core anew when it rings.

import type { Cancel, Clock, MonoMs } from "@postrider/core";
import { type BatchSettings, isFull, nextFlush, packBatch, type Waiting } from "@postrider/core/batch";
import type { HeldCall } from "./create-call-tracker.js";
import { createQueue } from "./create-queue.js";

export interface DispatchOptions {
  readonly settings: BatchSettings;
  readonly clock: Clock;
  /** Resolves when the batch is no longer on its way; never rejects. */
  readonly send: (calls: readonly HeldCall[]) => Promise<void>;
}

export interface Dispatch {
  add(call: HeldCall): void;
  /** Does not let the calls before this place wait for company. */
  hurry(beforePlace: number): void;
  /** Stops; answers what was never on its way. */
  drain(): readonly HeldCall[];
}

export function createDispatch({ settings, clock, send }: DispatchOptions): Dispatch {
  const queue = createQueue<HeldCall>();
  let inFlight = 0;
  let awaitedBefore = 0;
  let firstQueuedAt = 0 as MonoMs;
  let lastFlushAt: MonoMs | undefined;
  let alarm: Cancel | undefined;

  function pump(): void {
    while (inFlight < settings.maxInFlight) {
      const now = clock.monotonic();
      const next = nextFlush(waiting(), settings, now);
      if (next.kind === "later") alarm ??= clock.after(next.at - now, ring);
      if (next.kind !== "now") return;
      lastFlushAt = now;
      launch(queue.take(packBatch(queue.items(), settings.flushAt)));
    }
  }

  function waiting(): Waiting {
    const awaited = awaitedBefore - (queue.first()?.place ?? awaitedBefore);
    return { calls: queue.size(), bytes: queue.bytes(), awaited, firstQueuedAt, lastFlushAt };
  }

  function ring(): void {
    alarm = undefined;
    pump();
  }

  function launch(calls: readonly HeldCall[]): void {
    inFlight += 1;
    void send(calls).then(() => {
      inFlight -= 1;
      pump();
    });
  }

  return {
    add: (call): void => {
      if (queue.size() === 0) firstQueuedAt = clock.monotonic();
      queue.add(call);
      // While the alarm is set, the time is its business.
      if (alarm === undefined || isFull(waiting(), settings)) pump();
    },
    hurry: (beforePlace): void => {
      awaitedBefore = beforePlace;
      pump();
    },
    drain: () => {
      alarm?.();
      return queue.take(queue.size());
    },
  };
}
