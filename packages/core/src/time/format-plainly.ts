// An instant as the platform writes it: for the client, where bytes to load count more than a third of a microsecond.

import type { EpochMs } from "../ids.js";

/** `2026-01-31T12:00:00.000Z`. */
export function formatPlainly(at: EpochMs): string {
  return new Date(at).toISOString();
}
