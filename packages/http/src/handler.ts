// HTTP as plain data: a request that has been read, an answer to be written, and a function between them. Listeners for
// node:http and for Web-standard runtimes speak this shape, and so do tests (decision: http kit).

export interface IncomingRequest {
  /** Upper case. */
  readonly method: string;
  /** Without query: `/v1/track`. */
  readonly path: string;
  /** Without the question mark; empty if none. */
  readonly query: string;
  /** Names in lower case; repeated headers joined by a comma. */
  readonly headers: ReadonlyMap<string, string>;
  readonly body: RequestBody;
  /** The address that the request counts for, in limits on callers; absent where it counts for none. */
  readonly remoteAddress?: string;
}

/**
 * The raw bytes, before any unzipping, or the news that there were more of them than the listener reads, or that it has
 * no room for them among all that it holds already. `streamed`: as they arrive, however many, no faster than they are
 * taken; to be read once, and it throws when the caller leaves before the end. `unread-encoding`: in a content encoding
 * that nothing here reads, and so left unread.
 */
export type RequestBody =
  | { readonly kind: "read"; readonly bytes: Uint8Array }
  | { readonly kind: "streamed"; readonly chunks: AsyncIterable<Uint8Array> }
  | { readonly kind: "too-large" }
  | { readonly kind: "no-room" }
  | { readonly kind: "unread-encoding" };

/** A request without its body. */
export type IncomingHead = Omit<IncomingRequest, "body">;

/** What says what a request asks for. */
export type RequestHead = Pick<IncomingRequest, "method" | "path">;

export interface Answer {
  readonly status: number;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: string;
}

/** Total: every request has an answer. */
export interface Handler {
  (request: IncomingRequest): Promise<Answer>;
  /**
   * Whether the head alone shows a key that opens something here. The bodies of all others are read out of a small budget
   * of their own. Absent, it is so for every request.
   */
  readonly knows?: (head: IncomingHead) => boolean;
}
