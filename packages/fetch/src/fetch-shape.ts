// The parts of a WHATWG fetch that this adapter uses, as shapes: the fetch of any runtime fits, without its type
// declarations.

/** A WHATWG fetch. Its arguments are of the runtime's classes, whose types are not named here. */
export type Fetch = (url: string, request: never) => Promise<FetchAnswer>;

export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Null if there can be none, as after 204. */
  readonly body: { getReader(): BodyReader } | null;
}

export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}
