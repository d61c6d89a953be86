// The parts of a WHATWG fetch that this adapter uses, as types. The fetch of any runtime fits them, so the type declarations
// of a runtime are not needed.

/** A WHATWG fetch. The type of a request differs between runtimes, so it is left out here. */
export type Fetch = (url: string, request: never) => Promise<FetchAnswer>;

/** The part of a Web-standard `Response` that is used. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Null if there can be none, as after 204. */
  readonly body: { getReader(): BodyReader } | null;
}

/** Reads the body of an answer piece by piece, like the reader of a `ReadableStream`. */
export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}
