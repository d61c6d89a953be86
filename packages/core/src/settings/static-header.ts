// The text of a header's value, hidden or not. Only for checking it and for sending it.

import type { Secret } from "./secret.js";

/** The value as it is sent. */
export function revealValue(value: string | Secret): string {
  return typeof value === "string" ? value : value.reveal();
}
