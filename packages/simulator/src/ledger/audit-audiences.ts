// The last check of audiences: reads their sets on the disk, and compares them with what their hosts gave and with the requests
// about users.

import type { AudienceStore } from "@postrider/core";
import { setPrefix } from "@postrider/core/engine";
import type { KnownAudience } from "./known-audience.js";
import { type Ledger, reportBroken } from "./ledger.js";

export async function auditAudiences(ledger: Ledger, store: AudienceStore): Promise<void> {
  for (const audience of ledger.users.audiences.values()) {
    for (const set of await store.sets(setPrefix(audience.key)))
      checkBarred(ledger, audience, await readSet(store, set));
    const record = await store.find(audience.key);
    // Without a current set, no upload was ever complete.
    if (audience.syncs > 0 && audience.pending === undefined)
      checkCurrent(ledger, audience, await readSet(store, record?.current ?? ""));
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
