// Checks that the explanation of a delivery names the event that decided, as the ledger observed it, and has the
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
import { type KnownEvent, windowEndOf, lastSlotOf } from "./verdicts.js";
import { isFinished } from "./move.js";
import { urlsOf } from "./observe-request.js";

/** The most deliveries that are looked at in one step of a simulation. */
const MAX_LOOKED_AT = 100;

interface ReadRecord {
  readonly record: DeliveryRecord;
  readonly settings: Workspace;
}

/** Checks the explanation of a delivery that has ended. */
export function checkEnding(ledger: Ledger, delivery: KnownDelivery, { record, settings }: ReadRecord): void {
  if (!isFinished(delivery)) return;
  const { reasons } = explain({ record, settings }, ledger.clock.wall());
  const [reason] = reasons;
  const isOne = reason !== undefined && reasons.length === 1;
  tell(ledger, delivery, { reasons, wrong: isOne ? wrongEnding(ledger, delivery, reason) : "not one reason" });
}

/** Checks the explanations of deliveries that have not ended, as a process that runs tells them. */
export async function checkOpen(ledger: Ledger, process: Process | undefined, store: DeliveryStore): Promise<void> {
  if (process === undefined) return;
  const open = [...ledger.deliveries.values()].filter((delivery) => !isFinished(delivery)).slice(0, MAX_LOOKED_AT);
  const settings = process.relay.workspace();
  const lanes = new Map(process.relay.lanes().map((status) => [status.lane, status]));
  for (const delivery of open) {
    const record = await store.find(delivery.id);
    const lane = lanes.get(delivery.lane);
    if (record === undefined || lane === undefined || record.state !== delivery.state) continue;
    const { reasons } = explain({ record, settings, lane }, ledger.clock.wall());
    const wrong = expectOpen(ledger, { delivery, reasons, process: process.number, settings });
    tell(ledger, delivery, { reasons, wrong });
  }
}

interface Told {
  readonly reasons: readonly DeliveryReason[];
  /** The error in the reasons; undefined if they are right. */
  readonly wrong: string | undefined;
}

function tell(ledger: Ledger, delivery: KnownDelivery, { reasons, wrong }: Told): void {
  if (wrong === undefined) return;
  const kinds = reasons.map(({ kind }) => kind).join(", ");
  reportBroken(ledger, "explained", `${nameOf(delivery)} is ${delivery.state}, and explained by ${kinds}: ${wrong}`);
}

/** The error in the reason of a delivery that has ended; undefined if it is right. */
function wrongEnding(ledger: Ledger, delivery: KnownDelivery, reason: DeliveryReason): string | undefined {
  const { event } = delivery;
  if (delivery.state === "delivered") {
    if (reason.kind !== "delivered") return "it was delivered";
    const took = event.last.some((one) => one.verdict === "success" && isSame(one, reason.attempt));
    return took ? undefined : "another attempt delivered it";
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
  { event }: KnownDelivery,
  { attempt, others, isCutShort, windowEndsAt }: ReasonOf<"expired">,
): string | undefined {
  if (windowEndsAt !== windowEndOf(event, policy)) return "its window ended at another time";
  if (!event.lastRound.some((one) => isSame(one, attempt))) return "another round was the last";
  if (!areOthers(event.latest.values(), attempt, others)) return "the other endpoints failed otherwise";
  // A schedule of the host may give up at any time.
  if (isTimeUneven || policy.schedule !== undefined || isWithinRounding(event, policy)) return undefined;
  if (isCutShort && event.hadLocalFault) return undefined;
  const isEnded = event.last.length === 0;
  return isCutShort === isEnded ? undefined : `its last round ${isEnded ? "did not end it" : "ended it"}`;
}

/** Durations are recorded in whole milliseconds: by them, a retry may fit or not. */
const ROUNDING_MS = 2;

function isWithinRounding({ firstStartedAt = 0, lastRound }: KnownEvent, policy: DeliveryPolicy): boolean {
  const slotEndsAt = firstStartedAt + policy.retryWindowMs - lastSlotOf(policy, firstStartedAt).marginMs;
  const endedAt = Math.max(...lastRound.map(({ startedAt, durationMs }) => startedAt + durationMs));
  return Math.abs(endedAt + policy.firstRetryMs - slotEndsAt) <= ROUNDING_MS;
}

function wrongRefusal({ event }: KnownDelivery, reason: DeliveryReason): string | undefined {
  if (event.refusals.size === 0) return reason.kind === "never-allowed" ? undefined : "no endpoint has refused it";
  if (reason.kind !== "refused") return "its endpoints have refused it";
  const areSame = reason.attempts.every((one) => isSame(one, event.refusals.get(one.endpoint)));
  return areSame && reason.attempts.length === event.refusals.size ? undefined : "other attempts were its refusals";
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
  return (
    wrongClosure(ledger, explanation, kinds) ?? wrongLane(ledger, explanation, kinds) ?? wrongTime(ledger, explanation)
  );
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

const HELD: readonly Kind[] = ["held", "refusing", "blocked"];

function wrongLane(ledger: Ledger, { delivery, process, settings }: OpenExplanation, kinds: ReadonlySet<Kind>) {
  const isHeld = laneOf(ledger, delivery.lane).heldBy.has(process);
  if (HELD.some((kind) => kinds.has(kind)) !== isHeld) return `its lane is ${isHeld ? "" : "not "}held`;
  const { event } = delivery;
  const urls = urlsOf(destinationOf(delivery, settings));
  const open = urls.filter((url) => !event.final.has(url));
  const untils = open.map((url) => ledger.holds.get(`${String(process)} ${url}`));
  const mustBe = open.length > 0 && untils.every((until) => until !== undefined && until > ledger.clock.monotonic());
  const mayBe = untils.every((until) => until !== undefined);
  if (kinds.has("endpoint-holds") ? mayBe : !mustBe) return undefined;
  return `its endpoints have ${mustBe ? "" : "not "}asked for a pause`;
}

/** Checks the wait of the delivery itself: for the time of its next round, or for its turn. */
function wrongTime(ledger: Ledger, { delivery, reasons, settings }: OpenExplanation): string | undefined {
  const isDue = delivery.state === "claimed" || delivery.dueAt <= ledger.clock.wall();
  const own = reasons.find((reason) => reason.kind === "backoff" || reason.kind === "not-due");
  if (isDue !== (own === undefined)) return isDue ? "it is due" : "it is not due";
  if (own !== undefined) return wrongWait(delivery, own);
  const hasRate = destinationOf(delivery, settings)?.rateLimit !== undefined;
  return reasons.some(({ kind }) => kind === "rate-limit") && !hasRate ? "there is no rate limit" : undefined;
}

type Wait = Extract<DeliveryReason, { readonly kind: "backoff" | "not-due" }>;

function wrongWait({ event }: KnownDelivery, own: Wait): string | undefined {
  if (own.kind === "not-due") return event.lastRound.length === 0 ? undefined : "a round of it has failed";
  if (!event.lastRound.some((one) => isSame(one, own.attempt))) return "another round failed last";
  return areOthers(event.latest.values(), own.attempt, own.others) ? undefined : "its other endpoints failed otherwise";
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
  return expected.length === others.length && expected.every((one) => others.some((other) => isSame(one, other)));
}

/** True if both are the record of the same attempt. */
function isSame(one: AttemptRecord, other: AttemptRecord | undefined): boolean {
  return other !== undefined && one.round === other.round && one.endpoint === other.endpoint;
}
