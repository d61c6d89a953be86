// Checks that the explanation of a delivery names the event that decided, by the evidence of the ledger, and has the
// reasons that it must have and no other. What a process cannot know yet may be missing. Of core it calls only what it
// checks.

import {
  type DeliveryPolicy,
  type DeliveryReason,
  type DeliveryRecord,
  type DeliveryStore,
  explain,
  type Workspace,
  type Destination,
  type AttemptRecord,
} from "@postrider/core";
import type { Process } from "../machine/process.js";
import { type KnownDelivery, type Ledger, nameOf, reportBroken, laneOf } from "./ledger.js";
import { type KnownEvidence, windowEndOf, lastSlotOf } from "./verdicts.js";
import { isFinished } from "./move.js";
import { urlsOf } from "./observe-request.js";

/** The most deliveries that are looked at in one step of a simulation. */
const MAX_LOOKED_AT = 100;

interface RecordInSettings {
  readonly record: DeliveryRecord;
  readonly settings: Workspace;
}

/** Checks the explanation of a delivery that has ended. */
export function checkEnding(ledger: Ledger, delivery: KnownDelivery, { record, settings }: RecordInSettings): void {
  if (!isFinished(delivery)) return;
  const { reasons } = explain({ record, settings }, ledger.clock.wall());
  const [reason] = reasons;
  const hasOneReason = reason !== undefined && reasons.length === 1;
  reportWrong(ledger, delivery, {
    reasons,
    wrong: hasOneReason ? wrongEnding(ledger, delivery, reason) : "not one reason",
  });
}

/** Checks the explanations of deliveries that have not ended, as a process that runs tells them. */
export async function checkOpen(ledger: Ledger, process: Process | undefined, store: DeliveryStore): Promise<void> {
  if (process === undefined) return;
  const openDeliveries = [...ledger.deliveries.values()]
    .filter((delivery) => !isFinished(delivery))
    .slice(0, MAX_LOOKED_AT);
  const settings = process.relay.workspace();
  const lanes = new Map(process.relay.lanes().map((status) => [status.lane, status]));
  for (const delivery of openDeliveries) {
    const record = await store.find(delivery.id);
    const lane = lanes.get(delivery.lane);
    if (record === undefined || lane === undefined || record.state !== delivery.state) continue;
    const { reasons } = explain({ record, settings, lane }, ledger.clock.wall());
    const wrong = expectOpen(ledger, { delivery, reasons, process: process.number, settings });
    reportWrong(ledger, delivery, { reasons, wrong });
  }
}

interface CheckedReasons {
  readonly reasons: readonly DeliveryReason[];
  /** The error in the reasons; undefined if they are right. */
  readonly wrong: string | undefined;
}

function reportWrong(ledger: Ledger, delivery: KnownDelivery, { reasons, wrong }: CheckedReasons): void {
  if (wrong === undefined) return;
  const kinds = reasons.map(({ kind }) => kind).join(", ");
  reportBroken(ledger, "explained", `${nameOf(delivery)} is ${delivery.state}, and explained by ${kinds}: ${wrong}`);
}

/** The error in the reason of a delivery that has ended; undefined if it is right. */
function wrongEnding(ledger: Ledger, delivery: KnownDelivery, reason: DeliveryReason): string | undefined {
  const { evidence } = delivery;
  if (delivery.state === "delivered") {
    if (reason.kind !== "delivered") return "it was delivered";
    const isRight = evidence.decidingAttempts.some(
      (attempt) => attempt.verdict === "success" && isSame(attempt, reason.attempt),
    );
    return isRight ? undefined : "another attempt delivered it";
  }
  switch (delivery.reason) {
    case "expired":
      return reason.kind === "expired" ? wrongExpiry(ledger, delivery, reason) : "it has expired";
    case "refused":
      return wrongRefusal(delivery, reason);
    case undefined:
      return "it has no reason";
    case "lane-full":
    case "purged":
    case "destination-removed":
      return reason.kind === delivery.reason ? undefined : `it is dead as ${delivery.reason}`;
  }
}

type ReasonOf<Kind extends DeliveryReason["kind"]> = Extract<DeliveryReason, { readonly kind: Kind }>;

function wrongExpiry(
  { isTimeUneven, policy }: Ledger,
  { evidence }: KnownDelivery,
  { attempt, others, isCutShort, windowEndsAt }: ReasonOf<"expired">,
): string | undefined {
  if (windowEndsAt !== windowEndOf(evidence, policy)) return "its window ended at another time";
  if (!evidence.lastRoundAttempts.some((lastAttempt) => isSame(lastAttempt, attempt)))
    return "another round was the last";
  if (!areOthers(evidence.latestAttempts.values(), attempt, others)) return "the other endpoints failed otherwise";
  // A schedule of the host may give up at any time.
  if (isTimeUneven || policy.schedule !== undefined || isWithinRounding(evidence, policy)) return undefined;
  if (isCutShort && evidence.hadLocalFault) return undefined;
  const isEnded = evidence.decidingAttempts.length === 0;
  return isCutShort === isEnded ? undefined : `its last round ${isEnded ? "did not end it" : "ended it"}`;
}

/** Durations are recorded in whole milliseconds: by them, a retry may fit or not. */
const ROUNDING_MS = 2;

function isWithinRounding({ firstStartedAt = 0, lastRoundAttempts }: KnownEvidence, policy: DeliveryPolicy): boolean {
  const slotEndsAt = firstStartedAt + policy.retryWindowMs - lastSlotOf(policy, firstStartedAt).marginMs;
  const endedAt = Math.max(...lastRoundAttempts.map(({ startedAt, durationMs }) => startedAt + durationMs));
  return Math.abs(endedAt + policy.firstRetryMs - slotEndsAt) <= ROUNDING_MS;
}

function wrongRefusal({ evidence }: KnownDelivery, reason: DeliveryReason): string | undefined {
  if (evidence.latestRefusals.size === 0)
    return reason.kind === "never-allowed" ? undefined : "no endpoint has refused it";
  if (reason.kind !== "refused") return "its endpoints have refused it";
  const areSame = reason.attempts.every((attempt) => isSame(attempt, evidence.latestRefusals.get(attempt.endpoint)));
  return areSame && reason.attempts.length === evidence.latestRefusals.size
    ? undefined
    : "other attempts were its refusals";
}

interface OpenExplanation {
  readonly delivery: KnownDelivery;
  readonly reasons: readonly DeliveryReason[];
  /** The process that tells them. */
  readonly process: number;
  readonly settings: Workspace;
}

type Kind = DeliveryReason["kind"];

/** The error in the reasons; undefined if they are right. */
function expectOpen(ledger: Ledger, explanation: OpenExplanation): string | undefined {
  const { delivery, reasons } = explanation;
  const nowMs = ledger.clock.wall();
  const kinds = new Set<Kind>(reasons.map(({ kind }) => kind));
  if (delivery.state === "claimed" && delivery.leaseUntil > nowMs)
    return kinds.size === 1 && kinds.has("in-flight") ? undefined : "it is under a lease";
  if (kinds.has("lease-ended") !== (delivery.state === "claimed")) return "its lease has not ended, or is not told";
  const wrong = wrongClosure(ledger, explanation, kinds);
  // Without its destination, nothing else decides.
  if (kinds.has("not-in-settings")) return wrong;
  return wrong ?? wrongLane(ledger, explanation, kinds) ?? wrongTime(ledger, explanation);
}

function wrongClosure(ledger: Ledger, { delivery, process, settings }: OpenExplanation, kinds: ReadonlySet<Kind>) {
  const destination = destinationOf(delivery, settings);
  if (destination === undefined) return kinds.has("not-in-settings") ? undefined : "the settings do not have it";
  if (kinds.has("off") === destination.enabled) return `its destination is ${destination.enabled ? "on" : "off"}`;
  // A process that has just started learns of the pauses by its first poll, and says nothing of them before.
  const mustBe = destination.paused || ledger.pauses.get(delivery.lane)?.answeredBy === process;
  const mayBe = mustBe || ledger.everPaused.has(delivery.lane);
  if (kinds.has("paused") ? mayBe : !mustBe) return undefined;
  return `its destination is ${mustBe ? "" : "not "}paused`;
}

const HELD_KINDS: readonly Kind[] = ["held", "refusing", "blocked"];

function wrongLane(ledger: Ledger, { delivery, process, settings }: OpenExplanation, kinds: ReadonlySet<Kind>) {
  const isHeld = laneOf(ledger, delivery.lane).heldBy.has(process);
  if (HELD_KINDS.some((kind) => kinds.has(kind)) !== isHeld) return `its lane is ${isHeld ? "" : "not "}held`;
  const { evidence } = delivery;
  const urls = urlsOf(destinationOf(delivery, settings));
  const openUrls = urls.filter((url) => !evidence.finalEndpoints.has(url));
  const holdEnds = openUrls.map((url) => ledger.holds.get(`${String(process)} ${url}`));
  const mustBe =
    openUrls.length > 0 && holdEnds.every((until) => until !== undefined && until > ledger.clock.monotonic());
  const mayBe = holdEnds.every((until) => until !== undefined);
  if (kinds.has("endpoint-holds") ? mayBe : !mustBe) return undefined;
  return `its endpoints have ${mustBe ? "" : "not "}asked for a pause`;
}

/** Checks the wait of the delivery itself: for the time of its next round, or for its turn. */
function wrongTime(ledger: Ledger, { delivery, reasons, settings }: OpenExplanation): string | undefined {
  const isDue = delivery.state === "claimed" || delivery.dueAt <= ledger.clock.wall();
  const wait = reasons.find((reason) => reason.kind === "backoff" || reason.kind === "not-due");
  if (isDue !== (wait === undefined)) return isDue ? "it is due" : "it is not due";
  if (wait !== undefined) return wrongWait(delivery, wait);
  const hasRate = destinationOf(delivery, settings)?.rateLimit !== undefined;
  return reasons.some(({ kind }) => kind === "rate-limit") && !hasRate ? "there is no rate limit" : undefined;
}

type Wait = Extract<DeliveryReason, { readonly kind: "backoff" | "not-due" }>;

function wrongWait({ evidence }: KnownDelivery, wait: Wait): string | undefined {
  if (wait.kind === "not-due") return evidence.lastRoundAttempts.length === 0 ? undefined : "a round of it has failed";
  if (!evidence.lastRoundAttempts.some((attempt) => isSame(attempt, wait.attempt))) return "another round failed last";
  return areOthers(evidence.latestAttempts.values(), wait.attempt, wait.others)
    ? undefined
    : "its other endpoints failed otherwise";
}

function destinationOf({ lane }: KnownDelivery, { destinations }: Workspace): Destination | undefined {
  return destinations.find(({ id }) => id === lane);
}

/** True if these are the latest attempts of all endpoints but that of `attempt`. */
function areOthers(
  latest: Iterable<AttemptRecord>,
  attempt: AttemptRecord | undefined,
  others: readonly AttemptRecord[],
): boolean {
  const expected = [...latest].filter(
    ({ endpoint, verdict }) => endpoint !== attempt?.endpoint && verdict !== "success",
  );
  return expected.length === others.length && expected.every((failed) => others.some((other) => isSame(failed, other)));
}

/** True if both are the record of the same attempt. */
function isSame(first: AttemptRecord, second: AttemptRecord | undefined): boolean {
  return second !== undefined && first.round === second.round && first.endpoint === second.endpoint;
}
