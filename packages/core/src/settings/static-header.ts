// Reads the text of a static header's value, secret or not. Only for checking and sending it, never for showing it.

import type { Secret } from "./secret.js";

/** The value as it is sent. */
export function revealValue(value: string | Secret): string {
  return typeof value === "string" ? value : value.reveal();
}
