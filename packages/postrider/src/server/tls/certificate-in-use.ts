// The certificate that a running server shows to callers: reads it again on request, and keeps the one in use if the new one
// cannot be served. Connections that are open keep the certificate with which they began.

import type { CertificateOutcome } from "@postrider/api";
import type { Clock } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import type { TlsFiles, TlsPair } from "./tls-pair.js";
import { createExpiryWatch } from "./expiry-watch.js";
import { readPair } from "./read-pair.js";

export interface CertificateInUse {
  /** Reads both files again. Results are logged, and returned; undefined without TLS. */
  reread(): CertificateOutcome | undefined;
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

  function replace(next: TlsPair): CertificateOutcome {
    if (next.cert === inUse.cert && next.key === inUse.key) return "unchanged";
    use(next);
    inUse = next;
    const detail = `${files.certFile} is valid until ${formatTimestamp(next.validUntil)}`;
    logger.log("info", { code: "certificate-replaced", detail });
    return "replaced";
  }

  function refuse(reason: string): CertificateOutcome {
    logger.log("error", { code: "certificate-refused", detail: `${reason}; the one in use stays` });
    return { refused: reason };
  }

  return {
    reread: () => {
      const read = readPair(files, clock.wall());
      const outcome = read.kind === "ok" ? replace(read.pair) : refuse(read.reason);
      expiry.start(files.certFile, inUse.validUntil);
      return outcome;
    },
    stop: () => expiry.stop(),
  };
}

/** The certificate of a server without TLS: there is none. */
export const NO_CERTIFICATE: CertificateInUse = { reread: () => undefined, stop: nothing };

function nothing(): void {
  // There is no certificate to watch.
}
