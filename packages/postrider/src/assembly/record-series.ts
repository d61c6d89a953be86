// Takes a snapshot of the metrics at each full 10 seconds of the wall clock, so that the API can show their course over time (decision:
// series).

import type { Cancel } from "@postrider/core";
import type { DeliveryParts } from "./delivery-parts.js";

/** The shortest step of series. */
const INTERVAL_MS = 10_000;

/** Takes the first snapshot at once. Returns a function that ends the timer. */
export function recordSeries({
  relay,
  metrics,
  series,
  clock,
}: Pick<DeliveryParts, "relay" | "metrics" | "series" | "clock">): Cancel {
  let cancel = take();
  return () => cancel();

  function take(): Cancel {
    const wallMs = clock.wall();
    series.take(metrics.snapshot(relay.lanes(), wallMs), wallMs);
    return clock.after(INTERVAL_MS - (wallMs % INTERVAL_MS), () => {
      cancel = take();
    });
  }
}
