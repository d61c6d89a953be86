// The type of matrix.js, which is plain JavaScript because plain Node runs it.

/** How often each request is sent. */
export const TIMES: number;

/** Sends each request to each host. Rejects only if a host does not start. */
export function measure(writeKey: string): Promise<
  readonly {
    readonly framework: string;
    readonly way: string;
    readonly request: string;
    readonly answer: string;
    readonly stored: number;
    readonly ms: number;
  }[]
>;
