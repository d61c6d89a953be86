// What sends a request, as shapes: any WHATWG fetch fits, and so does a host's own function. Nobody needs the type
// declarations of a runtime for it.

/**
 * Sends one request and answers as soon as the status is known; rejects when no answer comes. It is called with the URL
 * and a `TransportRequest`, whose classes are the runtime's own, so that they are not named in the type.
 */
export type Transport = (url: string, request: never) => Promise<TransportAnswer>;

/** What a transport is called with, as the second argument. */
export interface TransportRequest {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or bytes where it is gzipped. */
  readonly body: string | Uint8Array;
  readonly redirect: "manual";
  /** Aborted when the time of the try is over. */
  readonly signal: { readonly aborted: boolean; addEventListener(type: "abort", listener: () => void): void };
}

export interface TransportAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Null where there is none. */
  readonly body: { getReader(): AnswerReader } | null;
}

export interface AnswerReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}
