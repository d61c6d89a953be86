// Writes the progress of a long simulation to standard error. A short simulation writes nothing.

import { formatDuration } from "@postrider/core/engine";
import { counted } from "../format-count.js";
import type { SimulationProgress } from "@postrider/simulator";
import type { Host } from "../host.js";

/** The time before the first line, and between two lines. */
const EVERY_MS = 2_000;

export function createProgressLines({
  clock,
  err,
}: Pick<Host, "clock" | "err">): (progress: SimulationProgress) => void {
  let saidAt: number = clock.monotonic();
  return ({ elapsedMs, ofMs, calls, finished }) => {
    if (clock.monotonic() - saidAt < EVERY_MS) return;
    saidAt = clock.monotonic();
    err(
      `${formatDuration(elapsedMs)} of ${formatDuration(ofMs)}: ${counted(calls, "call")}, ${counted(finished, "delivery", "deliveries")} finished`,
    );
  };
}
