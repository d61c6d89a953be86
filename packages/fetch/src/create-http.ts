// The HTTP port over a WHATWG fetch, on any runtime with a fetch. Answers `invalid-header` for a header that HTTP
// cannot carry: fetch would reject with an error that has no code.

import type { Clock, HttpPort } from "@postrider/core";
import type { Fetch } from "./fetch-shape.js";
import { canSendHeader } from "./headers.js";
import { sendByFetch } from "./send.js";

/** The options of `createFetchHttp`. */
export interface FetchHttpOptions {
  readonly clock: Clock;
  /** The global `fetch` of the runtime if absent. */
  readonly fetch?: Fetch;
}

/** Creates an HTTP port over `fetch`. `FETCH_LIMITS` lists the parts of the contract that it cannot support. */
export function createFetchHttp({ clock, fetch = globalThis.fetch }: FetchHttpOptions): HttpPort {
  return {
    send: (request) =>
      request.headers.every(canSendHeader)
        ? sendByFetch(request, { clock, fetch })
        : Promise.resolve({ kind: "silent", fault: "invalid-header", afterMs: 0 }),
  };
}
