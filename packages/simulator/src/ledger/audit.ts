// The last check of a simulation: compares what the disk holds, read through a new store, with the ledger.

import { type DeliveryRecord, type DeliveryStore, longestDelay, type Workspace } from "@postrider/core";
import { checkEnding } from "./check-explained.js";
import { reportBroken, type KnownDelivery, type Ledger, nameOf } from "./ledger.js";
import { isFinished } from "./move.js";
import { checkCounts } from "./observe-bulk-changes.js";

export async function audit(ledger: Ledger, store: DeliveryStore, settings: Workspace): Promise<void> {
  checkCounts(ledger, ledger.counts, await store.counts());
  for (const known of ledger.deliveries.values()) {
    if (!isFinished(known)) reportBroken(ledger, "all-settle", `${nameOf(known)} is still ${known.state}`);
    const record = await store.find(known.id);
    compare(ledger, known, record);
    if (record !== undefined) checkEnding(ledger, known, { record, settings });
  }
}

/**
 * Reports each delivery that waits, or is claimed, for longer than its policy or a receiver can ask for. To be called
 * only when no fault was recent.
 */
export function checkStalls(ledger: Ledger): void {
  const { clock, policy, deliveries } = ledger;
  const waitsMs = Math.max(longestDelay(policy), policy.retryWindowMs, policy.leaseMs) + 1_000;
  for (const known of deliveries.values()) {
    const stallsMs = known.state === "waiting" ? known.dueAt - clock.wall() - waitsMs : 0;
    const lingersMs = known.state === "claimed" ? known.leaseUntil - clock.wall() - waitsMs : 0;
    if (stallsMs <= 0 && lingersMs <= 0) continue;
    reportBroken(
      ledger,
      "no-stall",
      `${nameOf(known)} is ${known.state} for ${String(Math.max(stallsMs, lingersMs))} ms too long`,
    );
  }
}

function compare(ledger: Ledger, known: KnownDelivery, record: DeliveryRecord | undefined): void {
  if (record === undefined) {
    // Finished deliveries may have been swept.
    if (!isFinished(known)) reportBroken(ledger, "no-lost-call", `${nameOf(known)} was stored, and is gone`);
    return;
  }
  if (record.state !== known.state || record.reason !== known.reason) {
    reportBroken(ledger, "settles-once", `${nameOf(known)} was ${known.state} when last seen, and is ${record.state}`);
  }
  const [unsettled, counted] = [known.unsettled.size, record.lapses?.count ?? 0];
  if (unsettled > counted) {
    const what = `${String(unsettled)} rounds were sent and never recorded, and ${String(counted)} are counted`;
    reportBroken(ledger, "repeats-are-counted", `${nameOf(known)}: ${what}`);
  }
  const hasSuccess = record.attempts.some((attempt) => attempt.verdict === "success");
  if (hasSuccess !== (record.state === "delivered")) {
    reportBroken(
      ledger,
      "delivered-is-success",
      `${nameOf(known)} is ${record.state}, which its recorded attempts contradict`,
    );
  }
}
