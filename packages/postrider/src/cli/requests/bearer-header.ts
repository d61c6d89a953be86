// Writes the header that shows the API token, as its bytes in UTF-8, which is how the server compares it.

import { Buffer } from "node:buffer";

/** The value of the Authorization header. */
export function bearerHeader(token: string): string {
  return `Bearer ${Buffer.from(token, "utf8").toString("latin1")}`;
}
