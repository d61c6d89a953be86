// Writes the header that shows a write key: Basic authorization without a password, as in Segment's libraries.

import { Buffer } from "node:buffer";

/** The value of the Authorization header. */
export function writeKeyHeader(writeKey: string): string {
  return `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}`;
}
