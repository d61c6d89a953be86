// How a caller shows its write key: as the user of Basic authorization, with no password, as Segment's libraries do.

import { Buffer } from "node:buffer";

/** The whole Authorization header. */
export function basicAuthorization(writeKey: string): string {
  return `Basic ${Buffer.from(`${writeKey}:`).toString("base64")}`;
}
