// HTTP as plain data: a request that has been read, an answer to be written, and a function between them. Listeners for
// node:http and for Web-standard runtimes call that function, and so do tests (decision: http kit).

/** A request as plain data, the same for every runtime. */
export interface IncomingRequest {
  /** Upper case. */
  readonly method: string;
  /** Without query: `/v1/track`. */
  readonly path: string;
  /** The prefix that the listener, or the framework that calls it, has cut from the path, such as `/segment`; absent without one. */
  readonly mountPath?: string;
  /** Without the question mark; empty if none. */
  readonly query: string;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: RequestBody;
  /** The address for which limits on callers count the request; absent if they count it for no address. */
  readonly remoteAddress?: string;
}

/**
 * The body of a request, or why there is none.
 * `read`: the raw bytes, before any unzipping.
 * `streamed`: the bytes as they arrive, of any length, with backpressure; to be iterated once. Throws when the caller leaves
 * before the end.
 * `too-large`: longer than the listener reads.
 * `no-room`: it does not fit into the bytes that the listener may hold for all requests under way.
 * `unread-encoding`: in a content encoding that is not supported, and so not read.
 */
export type RequestBody =
  | { readonly kind: "read"; readonly bytes: Uint8Array }
  | { readonly kind: "streamed"; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly kind: "too-large" }
  | { readonly kind: "no-room" }
  | { readonly kind: "unread-encoding" };

/** A request without its body. */
export type IncomingHead = Omit<IncomingRequest, "body">;

/** The part of a request that selects a route. */
export type RequestHead = Pick<IncomingRequest, "method" | "path">;

/** An answer as it is written: status, headers in this order, and a body. */
export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string | Uint8Array | AnswerStream;
}

/**
 * A body that is written piece by piece, texts as UTF-8, as fast as the caller reads. `signal` is aborted once the caller has
 * left or the listener ends its streams: the iteration should end then, and no further piece is written. If it throws, the
 * connection is cut, so that the caller does not take the answer for whole.
 */
export type AnswerStream = (signal: AbortSignal) => AsyncIterable<string | Uint8Array>;

/** Answers every request. If it throws or rejects, the listener answers 500. */
export interface Handler {
  (request: IncomingRequest): Promise<Answer>;
  /**
   * True if the head alone shows a known key. The bodies of requests without a known key share a smaller byte budget. If this function is
   * absent, every request counts as one with a known key.
   */
  readonly knows?: (head: IncomingHead) => boolean;
}
