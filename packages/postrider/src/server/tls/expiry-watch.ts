// Tells the operator that the certificate in use is about to expire, and that it has expired. Ends nothing: callers decide
// whether they accept an expired certificate.

import type { Cancel, Clock, EpochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";

/** The last part of the validity of a certificate, in which a warning is logged. */
const EXPIRY_WARNING_MS = 14 * 86_400_000;
/** The longest and the shortest time between two looks at the wall clock, which may be set. */
const LONGEST_WAIT_MS = 3_600_000;
const SHORTEST_WAIT_MS = 1_000;

export interface ExpiryWatch {
  /** Watches the certificate of this file from now on, in place of the one before. Logs at once what it is time to tell. */
  start(file: string, validUntil: EpochMs): void;
  stop(): void;
}

type Phase = "valid" | "expires-soon" | "expired";

/** Logs each phase of a certificate once. */
export function createExpiryWatch(clock: Pick<Clock, "wall" | "after">, logger: Logger): ExpiryWatch {
  let cancel: Cancel | undefined;

  function look(file: string, validUntil: EpochMs, told: Phase): void {
    const leftMs = validUntil - clock.wall();
    const phase = phaseOf(leftMs);
    if (phase !== told) tell(logger, phase, `${file} is valid until ${formatTimestamp(validUntil)}`);
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

function tell(logger: Logger, phase: Phase, detail: string): void {
  if (phase === "expired") logger.log("error", { code: "certificate-expired", detail });
  if (phase === "expires-soon") logger.log("warning", { code: "certificate-expires-soon", detail });
}
