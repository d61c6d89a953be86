// Sends as many calls as it can each time that a page is hidden or left, since the page may not come back. Calls without a request that
// outlives the page go into beacons: their answers are lost, so that a page that lives on sends the same calls again.

import { packBatch, writeBatch } from "@postrider/core/batch";
import type { Clock } from "@postrider/core";
import type { CallTracker, PendingCall } from "./create-call-tracker.js";
import type { Dispatch } from "./create-dispatch.js";
import type { WebPage } from "./page.js";

export interface LeaveOptions {
  readonly page: WebPage | undefined;
  readonly clock: Clock;
  readonly settings: { readonly url: string; readonly flushAt: number };
  readonly writeKey: string;
  readonly tracker: CallTracker;
  readonly dispatch: Dispatch;
}

/** Returns a function that stops it. */
export function sendOnLeave({ page, clock, settings, writeKey, tracker, dispatch }: LeaveOptions): () => void {
  if (page === undefined) return () => undefined;
  /** Each call is carried by one beacon at most. */
  const beaconed = new WeakSet<PendingCall>();

  const sendBeacons = (): void => {
    const remaining = dispatch.open().filter((call) => !call.isCarried && !beaconed.has(call));
    while (remaining.length > 0) {
      const calls = remaining.splice(0, packBatch(remaining, settings.flushAt));
      if (!page.beacon(settings.url, writeBatch(calls, clock.wall(), writeKey))) return;
      for (const call of calls) beaconed.add(call);
    }
  };

  return page.onLeft(() => {
    dispatch.flushBefore(tracker.nextSequence());
    // The batches that are flushed are sent after this turn.
    void Promise.resolve().then(sendBeacons);
  });
}
