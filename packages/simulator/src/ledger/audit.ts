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

function checkBarred(ledger: Ledger, { barred, key }: KnownAudience, members: ReadonlyMap<string, string>): void {
  for (const user of barred) {
    if (members.has(user)) reportBroken(ledger, "deleted-stay-away", `${user} was deleted, and is kept in ${key}`);
  }
}

function checkCurrent(ledger: Ledger, audience: KnownAudience, members: ReadonlyMap<string, string>): void {
  const { latest, barred, touched, key } = audience;
  for (const user of new Set([...latest.keys(), ...members.keys()])) {
    const given = barred.has(user) ? undefined : latest.get(user);
    if (given === members.get(user) || touched.has(user)) continue;
    const what = `${user} of ${key} is ${members.get(user) ?? "no member"} on the disk, and ${given ?? "no member"}`;
    reportBroken(ledger, "syncs-are-whole", what);
  }
}
