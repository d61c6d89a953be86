// A certificate and its private key: the files in which an operator has them, and the texts that a server uses.

import type { EpochMs } from "@postrider/core";

/** Paths, as the operator named them. */
export interface TlsFiles {
  /** A certificate as PEM text, followed by those of its intermediate authorities. */
  readonly certFile: string;
  /** The private key of the first certificate as PEM text, without a passphrase. */
  readonly keyFile: string;
}

/** A certificate that may be served, and its key. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
  readonly validUntil: EpochMs;
}
