// Ends an embedded Postrider: first the relay, then what createPostrider has opened. Each wait has a limit, so that a receiver
// or a disk that does not answer cannot keep the host's process from ending.

import type { DeliveryParts } from "../assembly/delivery-parts.js";
import { resolvesWithin } from "../timing/within.js";

/** The time to write a trace. */
const TRACE_GRACE_MS = 10_000;
/** The time to close the HTTP port. */
const HTTP_GRACE_MS = 500;
/** The time for a store to write the rest of its log into its file. */
const STORE_GRACE_MS = 10_000;
/** The time for the thread of a store to end. */
const THREAD_GRACE_MS = 500;

export interface ClosedParts extends Pick<DeliveryParts, "relay" | "http" | "stores" | "clock" | "logger"> {
  /** Writes the recording, if there is one. */
  readonly saveTrace: () => Promise<void>;
  /** Ends the answers that are streamed. */
  readonly endStreams: () => void;
}

/** Waits at most `closeMs` for rounds under way. Never rejects; what does not end in time is logged. */
export async function closeParts(
  { relay, http, stores, clock, logger, saveTrace, endStreams }: ClosedParts,
  closeMs: number,
): Promise<void> {
  endStreams();
  const isSettled = await endsWithin(closeMs, relay.stop());
  if (!isSettled) logger.log("warning", { code: "rounds-left-open", detail: "they are repeated after the next start" });
  await endsWithin(TRACE_GRACE_MS, saveTrace());
  await endsWithin(HTTP_GRACE_MS, http.close());
  await endsWithin(STORE_GRACE_MS, stores.close());
  if (await endsWithin(THREAD_GRACE_MS, stores.abandon())) return;
  logger.log("error", { code: "store-left", detail: "the disk does not answer; what was accepted is safe in its log" });

  function endsWithin(limitMs: number, work: Promise<unknown>): Promise<boolean> {
    return resolvesWithin(clock, limitMs, work).catch(() => true);
  }
}
