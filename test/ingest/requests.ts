// Builds requests with a write key.

import type { IncomingRequest } from "@postrider/http/ingest";
import { WRITE_KEY } from "../canary.js";
import { request } from "../http/request.js";

/** Basic auth with a write key, as libraries send it. */
export function basic(key: string = WRITE_KEY): { readonly authorization: string } {
  return { authorization: `Basic ${Buffer.from(`${key}:`).toString("base64")}` };
}

/** A POST with the key of the website in Basic auth. */
export function post(path: string, body: unknown): IncomingRequest {
  return request("POST", path, { body, headers: basic() });
}
