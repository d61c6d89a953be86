// The HTTP port over a WHATWG fetch, on whatever runtime has one. Refuses what fetch would only refuse in words of its own.

import type { Clock, HttpPort } from "@postrider/core";
import type { Fetch } from "./fetch-shape.js";
import { canCarry } from "./headers.js";
import { sendByFetch } from "./send.js";

export interface FetchHttpOptions {
  readonly clock: Clock;
  /** The runtime's own if absent. */
  readonly fetch?: Fetch;
}

/** An HTTP port over `fetch`. What it cannot promise stands in `FETCH_SUPPORTS`. */
export function createFetchHttp({ clock, fetch = globalThis.fetch }: FetchHttpOptions): HttpPort {
  return {
    send: (request) =>
      request.headers.every(canCarry)
        ? sendByFetch(request, { clock, fetch })
        : Promise.resolve({ kind: "silent", fault: "invalid-header", afterMs: 0 }),
  };
}
