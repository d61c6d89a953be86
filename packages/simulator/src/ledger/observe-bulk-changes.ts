// Records the changes of `end` and `pullIn`, and checks them and the counters. The store answers only how many
// deliveries changed, so each delivery is looked up.

import type {
  Counts,
  DeliveryRecord,
  DeliveryStore,
  DestinationId,
  EndRequest,
  PullInRequest,
  SourceCounts,
  Workspace,
} from "@postrider/core";
import { totalCounts } from "@postrider/core/engine";
import { checkBlockedEnd, recordProbeWait } from "./holds.js";
import { checkTrueExpiry } from "./fleet/windows.js";
import { reportBroken, type KnownDelivery, type Ledger, nameOf, addTraceLine } from "./ledger.js";
import { noteEnd } from "./verdicts.js";
import { isFinished, moveDelivery, setWaiting } from "./move.js";
import { recordPurged } from "./observe-deletion.js";
import { mayExpire } from "./observe-settlement.js";

/** Checks that the counters of the store balance, and that they equal the counts of the ledger. */
export function checkCounts(ledger: Ledger, seen: Ledger["counts"], sources: readonly SourceCounts[]): void {
  const told: Counts = totalCounts(sources);
  const sum = told.filtered + told.waiting + told.claimed + told.delivered + told.dead;
  if (told.accepted !== sum)
    reportBroken(
      ledger,
      "counting-law",
      `${String(told.accepted)} accepted, but ${String(sum)} filtered or in a state`,
    );
  for (const name of ["accepted", "filtered", "waiting", "claimed", "delivered", "dead"] as const) {
    if (told[name] !== seen[name])
      reportBroken(ledger, "counting-law", `${String(told[name])} ${name}, and ${String(seen[name])} seen`);
  }
}

/**
 * Checks that a process ends deliveries as expired, or as refused, only if their time is over by the wall clock, and as
 * removed only if its settings do not have their destination.
 */
export function checkEndRequest(ledger: Ledger, request: EndRequest, { destinations }: Workspace): void {
  checkBlockedEnd(ledger, request);
  const { lane, reason, firstAttemptBefore } = request;
  if (reason === "destination-removed" && destinations.some(({ id }) => id === lane))
    reportBroken(ledger, "closed-keeps", `untried deliveries of ${lane} were to be ended while it was closed`);
  const earlyMs = (firstAttemptBefore ?? Infinity) + ledger.policy.retryWindowMs - ledger.clock.wall();
  if (reason === "expired" && earlyMs > 0)
    reportBroken(
      ledger,
      "expires-in-time",
      `waiting deliveries of ${lane} were to be ended ${String(earlyMs)} ms too soon`,
    );
}

/** Records the deliveries that `end` has ended. */
export async function observeEnd(ledger: Ledger, store: DeliveryStore, { lane, reason }: EndRequest): Promise<void> {
  await lookUp(ledger, store, lane, (known, record) => {
    if (record.state !== "dead" || isFinished(known)) return;
    if (record.reason === "purged") {
      recordPurged(ledger, known);
      return;
    }
    addTraceLine(ledger, `ended ${nameOf(known)}`);
    checkEnd(ledger, known, reason);
    recordProbeWait(ledger, known);
    moveDelivery(ledger, known, "dead");
    known.reason = record.reason;
    noteEnd(known.event);
    known.finishedAt = ledger.clock.monotonic();
  });
}

function checkEnd(ledger: Ledger, known: KnownDelivery, reason: EndRequest["reason"]): void {
  if (reason !== "expired") return;
  checkTrueExpiry(ledger, known);
  if (known.firstAttemptAt === undefined)
    reportBroken(ledger, "first-attempt", `${nameOf(known)} was ended before its first attempt`);
  else if (!mayExpire(ledger, known, known.firstAttemptAt)) {
    reportBroken(ledger, "expires-in-time", `${nameOf(known)} was ended within its window`);
  }
}

/** Records the due times that `pullIn` has brought forward. */
export async function observePullIn(ledger: Ledger, store: DeliveryStore, { lane }: PullInRequest): Promise<void> {
  await lookUp(ledger, store, lane, (known, { dueAt }) => {
    if (dueAt === undefined) return;
    if (known.state === "claimed") known.leaseUntil = dueAt;
    if (known.state === "waiting" && known.dueAt !== dueAt) setWaiting(ledger, known, dueAt);
  });
}

async function lookUp(
  { deliveries }: Ledger,
  store: DeliveryStore,
  lane: DestinationId,
  see: (known: KnownDelivery, record: DeliveryRecord) => void,
): Promise<void> {
  for (const known of deliveries.values()) {
    if (known.lane !== lane || isFinished(known)) continue;
    const record = await store.find(known.id);
    if (record !== undefined) see(known, record);
  }
}
