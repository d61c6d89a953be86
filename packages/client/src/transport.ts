// The type of a transport: a WHATWG fetch, or a function of the host with the same shape. The type needs no
// declarations of a runtime.

/**
 * Sends one request and resolves as soon as the status is known; rejects when no answer comes. The second argument is a
 * `TransportRequest`. It is typed `never`, because the type that fetch expects differs between runtimes.
 */
export type Transport = (url: string, request: never) => Promise<TransportAnswer>;

/** The second argument of a transport. */
export interface TransportRequest {
  /** Always a POST. */
  readonly method: "POST";
  /** All headers, by their names. */
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or bytes if the body is gzipped. */
  readonly body: string | Uint8Array;
  /** Redirects are not followed. */
  readonly redirect: "manual";
  /** True in a page, within what browsers allow: the request goes on when the page is left. Otherwise absent. */
  readonly keepalive?: boolean;
  /** Aborted when the time of the try is over, or the batch is abandoned. Absent in a runtime without `AbortController`. */
  readonly signal?: { readonly aborted: boolean; addEventListener(type: "abort", listener: () => void): void };
}

/** The part of a Web-standard `Response` that the client uses. */
export interface TransportAnswer {
  /** The HTTP status. */
  readonly status: number;
  /** The headers by name, in upper or lower case; null for one that is absent. */
  readonly headers: { get(name: string): string | null };
  /** Null or absent if the answer has no body, or the runtime has no streams. */
  readonly body?: { getReader(): AnswerReader } | null;
  /** The whole body. Called only if `body` cannot be read piece by piece. */
  text?(): Promise<string>;
}

/** Reads the body of an answer piece by piece, like the reader of a `ReadableStream`. */
interface AnswerReader {
  /** The next bytes, or `done`. */
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  /** Gives up the rest. */
  cancel(): Promise<unknown>;
}
