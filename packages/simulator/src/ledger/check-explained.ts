// Checks that the explanation of a delivery names the event that decided, as the ledger has observed it: at the end for those that
// have ended, and now and then for those that wait. Of core it calls only what it checks.

import {
  type DeliveryPolicy,
  type DeliveryReason,
  type DeliveryRecord,
  type DeliveryStore,
  explain,
  type Workspace,
} from "@postrider/core";
import type { Process } from "../machine/process.js";
import { expectOpen } from "./expect-open.js";
import { areOthers, isSame } from "./same-attempt.js";
import { type KnownDelivery, type Ledger, nameOf, reportBroken } from "./ledger.js";
import { type KnownEvent, windowEndOf } from "./known-event.js";
import { isFinished } from "./move.js";
import { lastSlotOf } from "./last-slot.js";

/** The most deliveries that are looked at in one step of a simulation. */
const MAX_LOOKED_AT = 100;

export interface ReadRecord {
  readonly record: DeliveryRecord;
  readonly settings: Workspace;
}

/** Checks the explanation of a delivery that has ended. */
export function checkEnding(ledger: Ledger, known: KnownDelivery, { record, settings }: ReadRecord): void {
  if (!isFinished(known)) return;
  const { reasons } = explain({ record, settings }, ledger.clock.wall());
  const [reason] = reasons;
  const isOne = reason !== undefined && reasons.length === 1;
  tell(ledger, known, { reasons, wrong: isOne ? wrongEnding(ledger, known, reason) : "not one reason" });
}

/** Checks the explanations of deliveries that have not ended, as a process that runs tells them. */
export async function checkOpen(ledger: Ledger, process: Process | undefined, store: DeliveryStore): Promise<void> {
  if (process === undefined) return;
  const open = [...ledger.deliveries.values()].filter((known) => !isFinished(known)).slice(0, MAX_LOOKED_AT);
  const settings = process.relay.workspace();
  const lanes = new Map(process.relay.lanes().map((status) => [status.lane, status]));
  for (const known of open) {
    const record = await store.find(known.id);
    const lane = lanes.get(known.lane);
    if (record === undefined || lane === undefined || record.state !== known.state) continue;
    const { reasons } = explain({ record, settings, lane }, ledger.clock.wall());
    const wrong = expectOpen(ledger, { known, reasons, process: process.number, settings });
    tell(ledger, known, { reasons, wrong });
  }
}

interface Told {
  readonly reasons: readonly DeliveryReason[];
  /** What is wrong with them; undefined if nothing is. */
  readonly wrong: string | undefined;
}

function tell(ledger: Ledger, known: KnownDelivery, { reasons, wrong }: Told): void {
  if (wrong === undefined) return;
  const kinds = reasons.map(({ kind }) => kind).join(", ");
  reportBroken(ledger, "explained", `${nameOf(known)} is ${known.state}, and explained by ${kinds}: ${wrong}`);
}

/** What is wrong with the reason of a delivery that has ended. */
function wrongEnding(ledger: Ledger, known: KnownDelivery, reason: DeliveryReason): string | undefined {
  const { event } = known;
  if (known.state === "delivered") {
    if (reason.kind !== "delivered") return "it was delivered";
    const took = event.last.some((one) => one.verdict === "success" && isSame(one, reason.attempt));
    return took ? undefined : "another attempt delivered it";
  }
  switch (known.reason) {
    case "expired":
      return reason.kind === "expired" ? wrongExpiry(ledger, known, reason) : "it has expired";
    case "refused":
      return wrongRefusal(known, reason);
    case undefined:
      return "it has no reason";
    case "lane-full":
    case "purged":
    case "destination-removed":
      return reason.kind === known.reason ? undefined : `it is dead as ${known.reason}`;
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
  const named = reason.attempts.every((one) => isSame(one, event.refusals.get(one.endpoint)));
  return named && reason.attempts.length === event.refusals.size ? undefined : "other attempts were its refusals";
}
