// Written by test/house/api-report.js. Run `npm run docs` instead of editing it.
// What `@postrider/fetch` exports.

import type { Clock, HttpPort } from "@postrider/core";

export declare const FETCH_LIMITS: {
  readonly exactHeaders: Unsupported & {
    readonly adds: readonly string[];
  };
  readonly emptyQueries: Unsupported;
  readonly everyStatus: Unsupported;
  readonly rawAnswers: Unsupported;
  readonly statusLines: Unsupported;
  readonly boundedFraming: Unsupported;
  readonly socketFaults: Unsupported;
  readonly certificateFaults: Unsupported;
  readonly authorities: Unsupported;
  readonly strictTls: Unsupported;
  readonly vettedAddresses: Unsupported;
  readonly ownResolver: Unsupported;
  readonly ownConnections: Unsupported;
  readonly close: Unsupported;
};

export type Fetch = (url: string, request: never) => Promise<FetchAnswer>;

export interface FetchAnswer {
  readonly status: number;
  readonly headers: {
    get(name: string): string | null;
  };
  readonly body: {
    getReader(): BodyReader;
  } | null;
}

export interface FetchHttpOptions {
  readonly clock: Clock;
  readonly fetch?: Fetch;
}

export declare function createFetchHttp({ clock, fetch }: FetchHttpOptions): HttpPort;

// Not exported by name, but part of what is.

interface BodyReader {
  read(): Promise<{
    readonly done: boolean;
    readonly value?: Uint8Array | undefined;
  }>;
}

interface Unsupported {
  readonly reason: string;
}

export {};
