// The last check of a simulation: compares what the disk holds, read through new stores, with the ledger, and the sets
// of audiences with what their hosts gave and with the requests about users.

import {
  type DeliveryRecord,
  type DeliveryStore,
  longestDelay,
  type Workspace,
  type AudienceStore,
} from "@postrider/core";
import { decodeAudience, setPrefix } from "@postrider/core/engine";
import { checkEnding } from "./check-explained.js";
import { reportBroken, type KnownDelivery, type Ledger, nameOf } from "./ledger.js";
import { isFinished } from "./move.js";
import { checkCounts } from "./observe-bulk-changes.js";
import type { KnownAudience } from "./known.js";

export async function audit(ledger: Ledger, store: DeliveryStore, settings: Workspace): Promise<void> {
  checkCounts(ledger, ledger.counts, await store.counts());
  for (const delivery of ledger.deliveries.values()) {
    if (!isFinished(delivery)) reportBroken(ledger, "all-settle", `${nameOf(delivery)} is still ${delivery.state}`);
    const record = await store.find(delivery.id);
    compare(ledger, delivery, record);
    if (record !== undefined) checkEnding(ledger, delivery, { record, settings });
  }
}

/**
 * Reports each delivery that waits, or is claimed, for longer than its policy or a receiver can ask for. To be called
 * only when no fault was recent.
 */
export function checkStalls(ledger: Ledger): void {
  const { clock, policy, deliveries } = ledger;
  const waitsMs = Math.max(longestDelay(policy), policy.retryWindowMs, policy.leaseMs) + 1_000;
  for (const delivery of deliveries.values()) {
    const stallsMs = delivery.state === "waiting" ? delivery.dueAt - clock.wall() - waitsMs : 0;
    const lingersMs = delivery.state === "claimed" ? delivery.leaseUntil - clock.wall() - waitsMs : 0;
    if (stallsMs <= 0 && lingersMs <= 0) continue;
    reportBroken(
      ledger,
      "no-stall",
      `${nameOf(delivery)} is ${delivery.state} for ${String(Math.max(stallsMs, lingersMs))} ms too long`,
    );
  }
}

function compare(ledger: Ledger, delivery: KnownDelivery, record: DeliveryRecord | undefined): void {
  if (record === undefined) {
    // Finished deliveries may have been swept.
    if (!isFinished(delivery)) reportBroken(ledger, "no-lost-call", `${nameOf(delivery)} was stored, and is gone`);
    return;
  }
  if (record.state !== delivery.state || record.reason !== delivery.reason) {
    reportBroken(
      ledger,
      "settles-once",
      `${nameOf(delivery)} was ${delivery.state} when last seen, and is ${record.state}`,
    );
  }
  const roundsLost = delivery.unsettled.size;
  const lapses = record.lapses?.count ?? 0;
  if (roundsLost > lapses) {
    const difference = `${String(roundsLost)} rounds were sent and never recorded, and ${String(lapses)} are counted`;
    reportBroken(ledger, "repeats-are-counted", `${nameOf(delivery)}: ${difference}`);
  }
  const hasSuccess = record.attempts.some((attempt) => attempt.verdict === "success");
  if (hasSuccess !== (record.state === "delivered")) {
    reportBroken(
      ledger,
      "delivered-is-success",
      `${nameOf(delivery)} is ${record.state}, which its recorded attempts contradict`,
    );
  }
}

export async function auditAudiences(ledger: Ledger, store: AudienceStore): Promise<void> {
  for (const audience of ledger.users.audiences.values()) {
    for (const set of await store.sets(setPrefix(audience.key)))
      checkBarred(ledger, audience, await readSet(store, set));
    const record = await store.records.find("audience", audience.key);
    const { current = "" } = record === undefined ? {} : decodeAudience(record);
    // Without a current set, no upload was ever complete.
    if (audience.syncs > 0 && audience.pending === undefined)
      checkCurrent(ledger, audience, await readSet(store, current));
  }
}

async function readSet(store: AudienceStore, set: string): Promise<ReadonlyMap<string, string>> {
  const members = new Map<string, string>();
  for (let page = await store.read(set); page.length > 0; page = await store.read(set, page.at(-1)?.userId)) {
    for (const { userId, value = "true" } of page) members.set(userId, value);
  }
  return members;
}

function checkBarred(ledger: Ledger, { barredUsers, key }: KnownAudience, members: ReadonlyMap<string, string>): void {
  for (const user of barredUsers) {
    if (members.has(user)) reportBroken(ledger, "deleted-stay-away", `${user} was deleted, and is kept in ${key}`);
  }
}

function checkCurrent(ledger: Ledger, audience: KnownAudience, members: ReadonlyMap<string, string>): void {
  const { latest, barredUsers, touchedUsers, key } = audience;
  for (const user of new Set([...latest.keys(), ...members.keys()])) {
    const expected = barredUsers.has(user) ? undefined : latest.get(user);
    if (expected === members.get(user) || touchedUsers.has(user)) continue;
    const difference = `${user} of ${key} is ${members.get(user) ?? "no member"} on the disk, and ${expected ?? "no member"}`;
    reportBroken(ledger, "syncs-are-whole", difference);
  }
}
