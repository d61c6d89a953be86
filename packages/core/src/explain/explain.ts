// Decides why a delivery is in its state: the reasons, first the one that must change first; the time of its next attempt; and the
// end of its retry window. reason-in-words.ts puts the reasons into words.

import { defined } from "../defined.js";
import type { DeliveryRecord } from "../delivery/delivery.js";
import { type EpochMs, epochMs } from "../ids.js";
import { windowEnd } from "../retry/schedule.js";
import type { Workspace } from "../settings/workspace.js";
import type { DeliveryFacts, DeliveryReason } from "./delivery-reason.js";
import { earliest, reasonOfDeath, successIn } from "./final-reason.js";
import { lapsesInWords, reasonInWords } from "./reason-in-words.js";
import type { LaneStatus } from "./lane-status.js";
import { reasonsOfWaiting } from "./waiting-reasons.js";

/** The facts about a delivery, the settings in force, and its lane. */
export interface ExplainInput {
  readonly record: DeliveryRecord;
  readonly settings: Pick<Workspace, "destinations" | "delivery" | "retention">;
  /** Absent: nothing is known of it. Reasons that lie in the lane are not found then. */
  readonly lane?: LaneStatus;
}

/** The explanation of the state of a delivery. */
export interface Explanation {
  /** At least one. Of several, each keeps the delivery waiting; the first lasts longest, or needs an operator. */
  readonly reasons: readonly DeliveryReason[];
  /** The reasons in words, in the same order. */
  readonly sentences: readonly string[];
  /** The rounds that may have been sent without a record, in words, and the reason. Absent if there is no sign of any. */
  readonly lapses?: string;
  /** The earliest instant for the next attempt. Absent if the delivery is finished, or waits for an operator. */
  readonly nextAttemptAt?: EpochMs;
  /** After this, no attempt starts. Absent if the delivery is finished, or was never tried. */
  readonly windowEndsAt?: EpochMs;
}

/** Explains the state of a delivery by the settings in force: earlier settings are not known. */
export function explain({ record, settings, lane }: ExplainInput, now: EpochMs): Explanation {
  const windowEndsAt = windowEndOf(record, settings.delivery);
  const facts: DeliveryFacts = {
    record,
    destination: settings.destinations.find(({ id }) => id === record.destination),
    settings,
    ...defined({ lane, windowEndsAt }),
  };
  const reasons = reasonsOf(facts, now);
  const isOpen = record.state === "waiting" || record.state === "claimed";
  const nextAttemptAt = isOpen ? nextAttemptOf(reasons, now) : undefined;
  return {
    reasons,
    sentences: reasons.map((reason) => reasonInWords(reason, now)),
    ...defined({ lapses: record.lapses && lapsesInWords(record.lapses) }),
    ...(nextAttemptAt === undefined ? {} : { nextAttemptAt }),
    ...(isOpen && windowEndsAt !== undefined ? { windowEndsAt } : {}),
  };
}

function reasonsOf(facts: DeliveryFacts, now: EpochMs): readonly DeliveryReason[] {
  switch (facts.record.state) {
    case "delivered":
      return [{ kind: "delivered", ...successIn(facts.record) }];
    case "dead":
      return [reasonOfDeath(facts)];
    case "claimed":
    case "waiting":
      return reasonsOfWaiting(facts, now);
  }
}

/** The end of the retry window, which the first recorded round has begun. */
function windowEndOf({ attempts }: DeliveryRecord, policy: Workspace["delivery"]): EpochMs | undefined {
  const [attempt] = attempts;
  return attempt === undefined ? undefined : windowEnd(policy, earliest(attempt, attempts).startedAt);
}

/** The latest of all instants for which the delivery waits; undefined if one of its reasons ends only by an operator. */
function nextAttemptOf(reasons: readonly DeliveryReason[], now: EpochMs): EpochMs | undefined {
  let at: number = now;
  for (const reason of reasons) {
    const end = endOf(reason, now);
    if (end === undefined) return undefined;
    at = Math.max(at, end);
  }
  return epochMs(at);
}

function endOf(reason: DeliveryReason, now: EpochMs): EpochMs | undefined {
  switch (reason.kind) {
    case "blocked":
    case "held":
    case "refusing":
      return reason.backoff.nextProbeAt;
    case "endpoint-holds":
      return reason.until;
    case "backoff":
    case "not-due":
      return reason.dueAt;
    case "rate-limit":
      return reason.nextAt;
    case "lane-busy":
    case "due":
    case "lease-ended":
      return now;
    case "in-flight":
      return reason.leaseUntil;
    case "not-in-settings":
    case "off":
    case "paused":
    case "delivered":
    case "expired":
    case "refused":
    case "never-allowed":
    case "lane-full":
    case "purged":
    case "destination-removed":
      return undefined;
  }
}
