// Decides why a delivery has ended, and which attempt decided it. Must not know lanes.

import type { AttemptRecord, DeliveryRecord } from "../delivery/delivery.js";
import { lastSlot } from "../retry/schedule.js";
import { describeResult, FORBIDDEN_ADDRESS } from "../round/judge-reply.js";
import type { DeliveryReason } from "./delivery-reason.js";
import type { DeliveryFacts } from "./delivery-facts.js";

/** The success that delivered it: the one whose answer came first. */
export function successIn({ attempts }: DeliveryRecord): { readonly attempt?: AttemptRecord } {
  const successes = attempts.filter(({ verdict }) => verdict === "success");
  const first = successes.toSorted((one, other) => answeredAt(one) - answeredAt(other))[0];
  return first === undefined ? {} : { attempt: first };
}

function answeredAt({ startedAt, durationMs }: AttemptRecord): number {
  return startedAt + durationMs;
}

/** Why a dead delivery is dead. */
export function reasonOfDeath(known: DeliveryFacts): DeliveryReason {
  const { reason = "expired" } = known.record;
  switch (reason) {
    case "expired":
      return expiry(known);
    case "refused":
      return refusal(known.record);
    case "lane-full":
    case "purged":
    case "destination-removed":
      return { kind: reason };
  }
}

function expiry({ record, settings, windowEndsAt }: DeliveryFacts): DeliveryReason {
  const attempt = lastFailure(record);
  const first = record.attempts[0];
  const isCutShort =
    attempt === undefined ||
    first === undefined ||
    attempt.startedAt < lastSlot(settings.delivery, first.startedAt).from;
  return {
    kind: "expired",
    isCutShort,
    ...(attempt === undefined ? {} : { attempt }),
    ...(windowEndsAt === undefined ? {} : { windowEndsAt }),
  };
}

/** The attempt of the last round whose result the delivery has as its detail, or else the last attempt of that round. */
export function lastFailure({ attempts, detail }: DeliveryRecord): AttemptRecord | undefined {
  const round = Math.max(0, ...attempts.map((attempt) => attempt.round));
  const last = attempts.filter((attempt) => attempt.round === round && attempt.verdict !== "success");
  return last.findLast(({ result }) => describeResult(result) === detail) ?? last.at(-1);
}

function refusal({ attempts, detail }: DeliveryRecord): DeliveryReason {
  const refusals = new Map(
    attempts.filter(({ verdict }) => verdict === "refused").map((attempt) => [attempt.endpoint, attempt]),
  );
  if (refusals.size === 0 && detail === FORBIDDEN_ADDRESS) return { kind: "never-allowed" };
  return { kind: "refused", attempts: [...refusals.values()] };
}
