// Writes what keeps a lane from sending as a sentence, and who has paused it.

import type { LaneClosure } from "./delivery-reason.js";
import type { PausedBy } from "./lane-status.js";

/** What keeps the lane from sending now. What did at the end of the window is not recorded. */
export function closureInWords(closed: LaneClosure | undefined): string {
  if (closed === undefined) return "";
  switch (closed.mode) {
    case "held":
      return " It is held now, since nearly all recent attempts failed.";
    case "refusing":
      return " It is held now, since its receiver refuses whatever it gets.";
    case "blocked":
      return " It is blocked now: our own address policy refuses every endpoint.";
    case "paused":
      return ` It is paused now ${pausedInWords(closed.pausedBy)}.`;
    case "off":
      return ' It is off now ("enabled" is false).';
    case "gone":
      return " It is not in the settings now.";
  }
}

/** Who has paused it, and how that ends. */
export function pausedInWords(by: readonly PausedBy[]): string {
  const places = by.map((one) =>
    one === "settings" ? 'in the settings ("paused")' : "by an operator (postrider resume)",
  );
  return places.join(" and ");
}
