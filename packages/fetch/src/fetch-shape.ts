// What this adapter uses of a WHATWG fetch, as shapes: any runtime's own fits, and nobody needs its type declarations.

/** A WHATWG fetch. What it is called with is made of the runtime's own classes, whose types are not named here. */
export type Fetch = (url: string, request: never) => Promise<FetchAnswer>;

export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Null where there can be none, as after 204. */
  readonly body: { getReader(): BodyReader } | null;
}

export interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}
