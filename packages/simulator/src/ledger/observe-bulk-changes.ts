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
import { reportBroken, type KnownDelivery, type Ledger, nameOf, addHistoryLine } from "./ledger.js";
import { noteEnd } from "./verdicts.js";
import { isFinished, moveDelivery, setWaiting } from "./move.js";
import { recordPurged } from "./observe-deletion.js";
import { mayExpire } from "./observe-settlement.js";

/** Checks that the counters of the store balance, and that they equal the counts of the ledger. */
export function checkCounts(ledger: Ledger, observedCounts: Ledger["counts"], sources: readonly SourceCounts[]): void {
  const storedCounts: Counts = totalCounts(sources);
  const sum =
    storedCounts.filtered + storedCounts.waiting + storedCounts.claimed + storedCounts.delivered + storedCounts.dead;
  if (storedCounts.accepted !== sum)
    reportBroken(
      ledger,
      "counting-law",
      `${String(storedCounts.accepted)} accepted, but ${String(sum)} filtered or in a state`,
    );
  for (const name of ["accepted", "filtered", "waiting", "claimed", "delivered", "dead"] as const) {
    if (storedCounts[name] !== observedCounts[name])
      reportBroken(
        ledger,
        "counting-law",
        `${String(storedCounts[name])} ${name}, and ${String(observedCounts[name])} seen`,
      );
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

/** Checks that leases that a process brings forward outlast each process that holds one, by the wall clock. */
export function checkPullInRequest(ledger: Ledger, { lane, dueAt }: PullInRequest, { delivery }: Workspace): void {
  const earlyMs = ledger.clock.wall() + delivery.leaseMs - dueAt;
  if (earlyMs > 0 && ledger.fleet === undefined)
    reportBroken(ledger, "one-lease", `leases of ${lane} were to end ${String(earlyMs)} ms too soon`);
}

/** Records the deliveries that `end` has ended. */
export async function observeEnd(ledger: Ledger, store: DeliveryStore, request: EndRequest): Promise<void> {
  await lookUp(ledger, store, request.lane, (delivery, record) => {
    if (record.state !== "dead" || isFinished(delivery)) return;
    if (record.reason === "purged") {
      recordPurged(ledger, delivery);
      return;
    }
    addHistoryLine(ledger, `ended ${nameOf(delivery)}`);
    checkEnd(ledger, delivery, request);
    recordProbeWait(ledger, delivery);
    moveDelivery(ledger, delivery, "dead");
    delivery.reason = record.reason;
    noteEnd(delivery.evidence);
    delivery.finishedAt = ledger.clock.monotonic();
  });
}

/** A request that was right when it was made, as was checked then, is right whatever the clock has done since. */
function checkEnd(ledger: Ledger, delivery: KnownDelivery, { reason, firstAttemptBefore }: EndRequest): void {
  if (reason !== "expired") return;
  checkTrueExpiry(ledger, delivery);
  if (delivery.firstAttemptAt === undefined)
    reportBroken(ledger, "first-attempt", `${nameOf(delivery)} was ended before its first attempt`);
  else if (
    delivery.firstAttemptAt >= (firstAttemptBefore ?? 0) &&
    !mayExpire(ledger, delivery, delivery.firstAttemptAt)
  ) {
    reportBroken(ledger, "expires-in-time", `${nameOf(delivery)} was ended within its window`);
  }
}

/** Records the due times that `pullIn` has brought forward. */
export async function observePullIn(ledger: Ledger, store: DeliveryStore, { lane }: PullInRequest): Promise<void> {
  await lookUp(ledger, store, lane, (delivery, { dueAt }) => {
    if (dueAt === undefined) return;
    if (delivery.state === "claimed") delivery.leaseUntil = dueAt;
    if (delivery.state === "waiting" && delivery.dueAt !== dueAt) setWaiting(ledger, delivery, dueAt);
  });
}

async function lookUp(
  { deliveries }: Ledger,
  store: DeliveryStore,
  lane: DestinationId,
  observe: (delivery: KnownDelivery, record: DeliveryRecord) => void,
): Promise<void> {
  for (const delivery of deliveries.values()) {
    if (delivery.lane !== lane || isFinished(delivery)) continue;
    const record = await store.find(delivery.id);
    if (record !== undefined) observe(delivery, record);
  }
}
