// The certificate that a running server shows to callers: reads it again on request, keeps the one in use if the new one cannot be
// served, and tells the operator when it is about to expire. Open connections keep theirs; callers judge an expired one.

import type { CertificateOutcome } from "@postrider/http/api";
import type { Cancel, Clock, EpochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import { readPair, type TlsFiles, type TlsPair } from "./tls-pair.js";

/** The last part of the validity of a certificate, in which a warning is logged. */
const EXPIRY_WARNING_MS = 14 * 86_400_000;

/** The longest and the shortest time between two looks at the wall clock, which may be set. */
const LONGEST_WAIT_MS = 3_600_000;

const SHORTEST_WAIT_MS = 1_000;

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

  function replace(newPair: TlsPair): CertificateOutcome {
    if (newPair.cert === inUse.cert && newPair.key === inUse.key) return "unchanged";
    use(newPair);
    inUse = newPair;
    const detail = `${files.certFile} is valid until ${formatTimestamp(newPair.validUntil)}`;
    logger.log("info", { code: "certificate-replaced", detail });
    return "replaced";
  }

  function refuse(reason: string): CertificateOutcome {
    logger.log("error", { code: "certificate-refused", detail: `${reason}; the one in use stays` });
    return { refused: reason };
  }

  return {
    reread: () => {
      const pairResult = readPair(files, clock.wall());
      const outcome = pairResult.kind === "ok" ? replace(pairResult.pair) : refuse(pairResult.reason);
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

interface ExpiryWatch {
  /**
   * Watches the certificate of this file from now on, in place of the previous one. Logs at once if the certificate ends soon or has ended.
   */
  start(file: string, validUntil: EpochMs): void;
  stop(): void;
}

type Phase = "valid" | "expires-soon" | "expired";

/** Logs each phase of a certificate once. */
export function createExpiryWatch(clock: Pick<Clock, "wall" | "after">, logger: Logger): ExpiryWatch {
  let cancel: Cancel | undefined;

  function look(file: string, validUntil: EpochMs, loggedPhase: Phase): void {
    const leftMs = validUntil - clock.wall();
    const phase = phaseOf(leftMs);
    if (phase !== loggedPhase) logPhase(logger, phase, `${file} is valid until ${formatTimestamp(validUntil)}`);
    const waitMs = Math.max(SHORTEST_WAIT_MS, Math.min(leftMs, LONGEST_WAIT_MS));
    cancel = phase === "expired" ? undefined : clock.after(waitMs, () => look(file, validUntil, phase));
  }

  return {
    start: (file, validUntil) => {
      cancel?.();
      look(file, validUntil, "valid");
    },
    stop: () => cancel?.(),
  };
}

function phaseOf(leftMs: number): Phase {
  if (leftMs < 0) return "expired";
  return leftMs <= EXPIRY_WARNING_MS ? "expires-soon" : "valid";
}

function logPhase(logger: Logger, phase: Phase, detail: string): void {
  if (phase === "expired") logger.log("error", { code: "certificate-expired", detail });
  if (phase === "expires-soon") logger.log("warning", { code: "certificate-expires-soon", detail });
}
