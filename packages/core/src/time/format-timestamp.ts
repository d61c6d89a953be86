// How an instant is written wherever one leaves us: ISO 8601 UTC with milliseconds (spec, webhook destination §2.2).

import type { EpochMs } from "../ids.js";

/** `2026-01-31T12:00:00.000Z`. Of the years 0001 to 9999, which is all that comes in. */
export function formatTimestamp(at: EpochMs): string {
  return new Date(at).toISOString();
}
