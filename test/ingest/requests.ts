// Builds requests as a listener would hand them over.

import type { IncomingRequest } from "@postrider/ingest";
import { WRITE_KEY } from "../canary.js";

interface Sent {
  readonly body?: unknown;
  readonly bytes?: Uint8Array;
  readonly headers?: Readonly<Record<string, string>>;
  readonly query?: string;
}

/** A request; `body` is written as JSON, `bytes` go as they are. */
export function request(
  method: string,
  path: string,
  { body, bytes, headers = {}, query = "" }: Sent = {},
): IncomingRequest {
  const json = body === undefined ? new Uint8Array() : new TextEncoder().encode(JSON.stringify(body));
  return {
    method,
    path,
    query,
    headers: new Map(Object.entries(headers)),
    body: { kind: "read", bytes: bytes ?? json },
  };
}

/** Basic auth with a write key, as libraries send it. */
export function basic(key: string = WRITE_KEY): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
}

/** A POST with the key of the website in Basic auth. */
export function post(path: string, body: unknown): IncomingRequest {
  return request("POST", path, { body, headers: basic() });
}
