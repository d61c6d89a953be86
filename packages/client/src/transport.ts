// The type of a transport: any WHATWG fetch has it, and a function of the host may have it. It needs no type declarations of
// a runtime.

/**
 * Sends one request and resolves as soon as the status is known; rejects when no answer comes. It is called with the URL
 * and a `TransportRequest`, whose classes differ between runtimes, so this type does not name them.
 */
export type Transport = (url: string, request: never) => Promise<TransportAnswer>;

/** The second argument of a transport. */
export interface TransportRequest {
  readonly method: "POST";
  readonly headers: Readonly<Record<string, string>>;
  /** A text, or bytes if it is gzipped. */
  readonly body: string | Uint8Array;
  readonly redirect: "manual";
  /** Aborted when the time of the try is over. */
  readonly signal: { readonly aborted: boolean; addEventListener(type: "abort", listener: () => void): void };
}

export interface TransportAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Null if there is none. */
  readonly body: { getReader(): AnswerReader } | null;
}

export interface AnswerReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
  cancel(): Promise<unknown>;
}
