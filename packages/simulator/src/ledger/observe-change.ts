// Records a change of an audience when it is stored for a destination, and checks it against what the host asked for: it must
// be a step from what the destination was told to what the host gave last. Reads the body, as a receiver does.

import { type DestinationId, isAudienceSource, type NewMessage } from "@postrider/core";
import type { KnownAudience } from "./known-audience.js";
import { type Ledger, reportBroken } from "./ledger.js";

/** What a stored change says of a user; `value` is absent if the user is no member any more. */
interface SeenChange {
  readonly user: string;
  readonly value: string | undefined;
}

const decoder = new TextDecoder();

/** The user of a change, for each message of an audience. */
export function observeChange(ledger: Ledger, { source, body, deliveries }: NewMessage): string | undefined {
  if (!isAudienceSource(source)) return undefined;
  const audience = ledger.users.audiences.get(source.slice(source.indexOf("/") + 1));
  if (audience === undefined) {
    reportBroken(ledger, "changes-are-true", `a change of ${source} was stored, which no host has made`);
    return undefined;
  }
  const change = readChange(audience, decoder.decode(body));
  for (const { destination } of deliveries) {
    checkUser(ledger, audience, change, destination);
    tell(ledger, audience, change, destination);
  }
  return change.user;
}

function readChange({ key, kind }: KnownAudience, body: string): SeenChange {
  const read = JSON.parse(body) as {
    readonly userId: string;
    readonly traits?: Readonly<Record<string, unknown>>;
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  const said = (read.traits ?? read.properties)?.[key];
  const isGone = kind === "audience" ? said === false : said === null;
  return { user: read.userId, value: isGone ? undefined : JSON.stringify(said) };
}

function checkUser(ledger: Ledger, audience: KnownAudience, { user }: SeenChange, id: DestinationId): void {
  const told = `${id} is told of ${user} of ${audience.key}`;
  if (ledger.users.suppressed.has(user)) reportBroken(ledger, "deleted-stay-away", `${told}, who is suppressed`);
  else if (audience.barred.has(user)) reportBroken(ledger, "deleted-stay-away", `${told}, who was deleted`);
}

function tell(ledger: Ledger, audience: KnownAudience, { user, value }: SeenChange, id: DestinationId): void {
  const { pending, hidden, key } = audience;
  const known = audience.told.get(id);
  const what = `${user} of ${key} is told to ${id} as ${value ?? "no member"}`;
  audience.changes += 1;
  if (known === undefined || pending === undefined) {
    reportBroken(ledger, "changes-are-true", `${what}, and no sync of it was asked for`);
    return;
  }
  if (pending.get(user) !== value)
    reportBroken(ledger, "changes-are-true", `${what}, and is ${pending.get(user) ?? "no member"}`);
  if (known.get(user) === value && !(value === undefined && hidden.has(user)))
    reportBroken(ledger, "changes-are-true", `${what} once more`);
  if (value === undefined) known.delete(user);
  else known.set(user, value);
}
