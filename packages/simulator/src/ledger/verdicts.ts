// Decides what a reply means, keeps the evidence for the state of a delivery, and finds the last slot of a window
// (decisions: rounds and verdicts, schedule). Does not call core, so that an error of core is not repeated.

import type {
  AttemptResult,
  Reply,
  AttemptRecord,
  DeliveryPolicy,
  EndpointId,
  MonoMs,
  Settlement,
} from "@postrider/core";
import { END_MARGIN_DIVISOR, LAST_SLOT_DIVISOR, MIN_END_MARGIN_MS } from "@postrider/core/engine";

type KnownVerdict = "success" | "retry" | "refused" | "local";

const RETRYABLE_4XX = [408, 423, 425, 429];

const REFUSING_FAULTS = ["self-signed", "forbidden-address", "invalid-header"];

/** The answers that speak of one body. */
const ONE_BODY_STATUSES = ["413", "422"];

/** The status of a reply, or its fault. */
export function resultOf(reply: AttemptResult | Reply): string {
  return reply.kind === "answered" ? String(reply.status) : reply.fault;
}

/** The verdict on a result: the status of an answer, or a fault. */
export function verdictOf(result: string): KnownVerdict {
  const status = Number(result);
  if (Number.isNaN(status)) {
    if (result === "local") return "local";
    return REFUSING_FAULTS.includes(result) ? "refused" : "retry";
  }
  if (status >= 200 && status <= 299) return "success";
  return status >= 500 || RETRYABLE_4XX.includes(status) ? "retry" : "refused";
}

/** True if a refusal speaks of one body, so that it is final at once. */
export function isOfOneBody(result: string): boolean {
  return ONE_BODY_STATUSES.includes(result);
}

export interface KnownEvidence {
  /** The attempts of the change that moved the delivery last: none if it was ended, released, or dead without a round. */
  decidingAttempts: readonly AttemptRecord[];
  /** The attempts of the last round that was recorded. */
  lastRoundAttempts: readonly AttemptRecord[];
  /** True if a request had a `local` fault, which is not recorded: a round may have lasted longer than its record shows. */
  hadLocalFault: boolean;
  /** The start of the first recorded round. */
  firstStartedAt: number | undefined;
  /** The latest attempt at each endpoint, and the latest refusal of each. */
  readonly latestAttempts: Map<EndpointId, AttemptRecord>;
  readonly latestRefusals: Map<EndpointId, AttemptRecord>;
  /** The endpoints that have refused it for good, as the settlements say: it goes to the others. */
  readonly finalEndpoints: Set<EndpointId>;
  /** The time at which each endpoint refused it, in the last settled round that it was part of. */
  readonly refusedAt: Map<EndpointId, MonoMs>;
}

export function createEvidence(): KnownEvidence {
  return {
    decidingAttempts: [],
    lastRoundAttempts: [],
    hadLocalFault: false,
    firstStartedAt: undefined,
    latestAttempts: new Map(),
    latestRefusals: new Map(),
    finalEndpoints: new Set(),
    refusedAt: new Map(),
  };
}

/** To be called when a settlement took effect. */
export function noteSettlement(evidence: KnownEvidence, { attempts }: Settlement): void {
  evidence.decidingAttempts = attempts;
  if (attempts.length > 0) evidence.lastRoundAttempts = attempts;
  const [first] = attempts;
  evidence.firstStartedAt ??= first?.startedAt;
}

/** To be called when an attempt is recorded, also after its round was settled. */
export function noteAttempt({ latestAttempts, latestRefusals }: KnownEvidence, attempt: AttemptRecord): void {
  latestAttempts.set(attempt.endpoint, attempt);
  if (attempt.verdict === "refused") latestRefusals.set(attempt.endpoint, attempt);
}

/** To be called when the delivery was ended without a settlement. */
export function noteEnd(evidence: KnownEvidence): void {
  evidence.decidingAttempts = [];
}

/** The end of the window that the first recorded round has begun; undefined before that. */
export function windowEndOf({ firstStartedAt }: KnownEvidence, { retryWindowMs }: DeliveryPolicy): number | undefined {
  return firstStartedAt === undefined ? undefined : Math.floor(firstStartedAt + retryWindowMs);
}

/**
 * The start of the last slot of the window, and the margin that is left free at the end of the window (decision:
 * schedule).
 */
export function lastSlotOf(
  { retryWindowMs }: { readonly retryWindowMs: number },
  firstAttemptAt: number,
): { readonly from: number; readonly marginMs: number } {
  const marginMs = Math.max(retryWindowMs / END_MARGIN_DIVISOR, MIN_END_MARGIN_MS);
  return { marginMs, from: firstAttemptAt + retryWindowMs - Math.max(retryWindowMs / LAST_SLOT_DIVISOR, 2 * marginMs) };
}
