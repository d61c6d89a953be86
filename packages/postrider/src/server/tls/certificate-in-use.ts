// The certificate that a running server shows to callers: reads it again on request, and keeps the one in use if the new one
// cannot be served. Connections that are open keep the certificate with which they began.

import type { Clock } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import type { TlsFiles, TlsPair } from "./tls-pair.js";
import { createExpiryWatch } from "./expiry-watch.js";
import { readPair } from "./read-pair.js";

export interface CertificateInUse {
  /** Reads both files again. Results are logged. */
  reread(): void;
  /** Ends the watch of its expiry. */
  stop(): void;
}

export interface CertificateInUseOptions {
  readonly files: TlsFiles;
  /** The pair with which the server has started. */
  readonly pair: TlsPair;
  /** Shows a pair to callers from now on. */
  readonly use: (pair: TlsPair) => void;
  readonly clock: Pick<Clock, "wall" | "after">;
  readonly logger: Logger;
}

/** Warns at once if the certificate is about to expire. */
export function createCertificateInUse({ files, pair, use, clock, logger }: CertificateInUseOptions): CertificateInUse {
  const expiry = createExpiryWatch(clock, logger);
  let inUse = pair;
  expiry.start(files.certFile, pair.validUntil);

  function replace(next: TlsPair): void {
    if (next.cert === inUse.cert && next.key === inUse.key) return;
    use(next);
    inUse = next;
    const detail = `${files.certFile} is valid until ${formatTimestamp(next.validUntil)}`;
    logger.log("info", { code: "certificate-replaced", detail });
  }

  return {
    reread: () => {
      const read = readPair(files, clock.wall());
      if (read.kind === "ok") replace(read.pair);
      else logger.log("error", { code: "certificate-refused", detail: `${read.reason}; the one in use stays` });
      expiry.start(files.certFile, inUse.validUntil);
    },
    stop: () => expiry.stop(),
  };
}

/** The certificate of a server without TLS: there is none. */
export const NO_CERTIFICATE: CertificateInUse = { reread: nothing, stop: nothing };

function nothing(): void {
  // There is no file to read, and no certificate to watch.
}
