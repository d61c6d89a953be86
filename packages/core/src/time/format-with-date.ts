// Writes an instant with the platform's `Date`. For the client, where a small download matters more than speed.

import type { EpochMs } from "../ids.js";

/** The instant as text, such as `2026-01-31T12:00:00.000Z`. Throws a RangeError outside the range of `Date`. */
export function formatWithDate(at: EpochMs): string {
  return new Date(at).toISOString();
}
