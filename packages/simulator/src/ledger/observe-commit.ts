// Records the messages that a commit stored and the settlements that took effect, and checks both. A change of an
// audience must be a step from the members that the destination got to those that the host gave last; its body is read.

import {
  type AcceptResult,
  type Changes,
  type CommitResult,
  type DeliveryId,
  type EpochMs,
  type Lease,
  type NewDelivery,
  type NewMessage,
  plusMs,
  type DestinationId,
  isAudienceSource,
} from "@postrider/core";
import { reportBroken, keyOf, type KnownDelivery, type Ledger, nameInBody, nameOf, addHistoryLine } from "./ledger.js";
import { observeTrueClaim, observeTrueRelease } from "./fleet/claims.js";
import { countInState, setLease, setWaiting } from "./move.js";
import { createEvidence } from "./verdicts.js";
import { observeSettlement, recordOnce } from "./observe-settlement.js";
import { observeReplay } from "./replays.js";
import { createKnownRounds, type KnownAudience } from "./known.js";

interface ObservedCommit {
  /** The number of the process that commits. */
  readonly process: number;
  readonly changes: Changes;
  readonly committed: CommitResult;
}

const decoder = new TextDecoder();

export function observeCommit(ledger: Ledger, { process, changes, committed }: ObservedCommit, now: EpochMs): void {
  ledger.holders.set(changes.lease.token, process);
  for (const [index, message] of changes.accept.entries()) {
    observeMessage(ledger, { process, message, accepted: committed.accepted[index], lease: changes.lease }, now);
  }
  for (const [index, settlement] of changes.settle.entries()) {
    const settled = committed.settled[index];
    observeTrueRelease(ledger, settlement.id, { process, token: settlement.token });
    if (settled === "settled" || settled === "purged") observeSettlement(ledger, settlement, settled);
    else addHistoryLine(ledger, `stale ${settlement.id}`);
  }
  for (const [index, replay] of changes.replay.entries()) {
    const id = committed.replayed[index];
    const original = ledger.deliveries.get(replay.of);
    if (id === undefined || original === undefined) continue;
    observeReplay(ledger, original);
    ledger.counts.accepted += 1;
    const { lane: destination, messageId, user, body } = original;
    const delivery = { destination, start: replay.start };
    addDelivery(ledger, { id, process, delivery, messageId, user, body, receivedAt: now, lease: changes.lease }, now);
  }
  for (const [index, { id, attempt }] of changes.append.entries()) {
    const delivery = ledger.deliveries.get(id);
    if (delivery !== undefined && committed.appended[index] === "appended") recordOnce(ledger, delivery, attempt);
  }
}

interface CommittedMessage {
  readonly process: number;
  readonly message: NewMessage;
  readonly accepted: AcceptResult | undefined;
  readonly lease: Lease;
}

function observeMessage(ledger: Ledger, { process, message, accepted, lease }: CommittedMessage, now: EpochMs): void {
  const { messageId, deliveries, filtered } = message;
  if (accepted?.kind !== "stored") {
    addHistoryLine(ledger, `${accepted?.kind ?? "duplicate"} ${messageId}`);
    return;
  }
  if (ledger.storedIds.has(messageId)) reportBroken(ledger, "stored-once", `${messageId} was stored a second time`);
  if (ledger.withdrawnIds.has(messageId))
    reportBroken(ledger, "stored-once", `${messageId} was rolled back, and is stored`);
  ledger.storedIds.add(messageId);
  const user = observeChange(ledger, message);
  if (user === undefined && message.deletion === undefined) ledger.calls += 1;
  ledger.counts.accepted += deliveries.length + filtered.length;
  ledger.counts.filtered += filtered.length;
  const body = decoder.decode(message.body);
  for (const [index, delivery] of deliveries.entries()) {
    const id = accepted.deliveries[index];
    if (id === undefined)
      reportBroken(ledger, "no-lost-call", `${messageId} has no delivery to ${delivery.destination}`);
    else
      addDelivery(ledger, { id, process, delivery, messageId, user, body, receivedAt: message.receivedAt, lease }, now);
  }
}

interface CommittedDelivery {
  readonly id: DeliveryId;
  readonly process: number;
  readonly delivery: NewDelivery;
  readonly messageId: string;
  readonly user: string | undefined;
  readonly body: string;
  readonly receivedAt: EpochMs;
  readonly lease: Lease;
}

function addDelivery(ledger: Ledger, committed: CommittedDelivery, now: EpochMs): void {
  const { id, delivery, messageId, user, body, lease } = committed;
  const { destination: lane, start } = delivery;
  const acceptedAt = ledger.clock.monotonic();
  const knownDelivery: KnownDelivery = {
    id,
    lane,
    messageId,
    user,
    body,
    acceptedAt,
    acceptedWall: committed.receivedAt,
    state: start.kind,
    reason: start.kind === "dead" ? start.reason : undefined,
    token: undefined,
    leaseUntil: now,
    dueAt: now,
    dueSince: acceptedAt,
    isOut: false,
    firstAttemptAt: undefined,
    lastRoundAt: undefined,
    latestWall: ledger.clock.wall(),
    sent: [],
    recorded: new Set(),
    unsettled: new Set(),
    evidence: createEvidence(),
    succeeded: false,
    succeededUnderLease: false,
    finishedAt: start.kind === "dead" ? acceptedAt : undefined,
    rounds: createKnownRounds(committed.process),
    probeWaitMs: 0,
  };
  if (start.kind === "claimed") {
    setLease(knownDelivery, lease.token, plusMs(now, lease.leaseMs));
    observeTrueClaim(ledger, id, { process: committed.process, ...lease });
  }
  if (start.kind === "waiting") setWaiting(ledger, knownDelivery, start.dueAt);
  ledger.deliveries.set(id, knownDelivery);
  const key = keyOf(lane, nameInBody(body));
  ledger.byKey.set(key, [...(ledger.byKey.get(key) ?? []), knownDelivery]);
  countInState(ledger, knownDelivery);
  addHistoryLine(ledger, `stored ${nameOf(knownDelivery)} ${start.kind}`);
}

/** A stored change of a user; `value` is undefined if the user is no longer a member. */
interface StoredChange {
  readonly user: string;
  readonly value: string | undefined;
}

/** Checks and records a stored change of an audience, and returns its user; undefined for any other message. */
function observeChange(ledger: Ledger, { source, body, deliveries }: NewMessage): string | undefined {
  if (!isAudienceSource(source)) return undefined;
  const audience = ledger.users.audiences.get(source.slice(source.indexOf("/") + 1));
  if (audience === undefined) {
    reportBroken(ledger, "changes-are-true", `a change of ${source} was stored, which no host has made`);
    return undefined;
  }
  const change = readChange(audience, decoder.decode(body));
  for (const { destination } of deliveries) {
    checkUser(ledger, audience, change, destination);
    observeTold(ledger, audience, change, destination);
  }
  return change.user;
}

function readChange({ key, kind }: KnownAudience, body: string): StoredChange {
  const call = JSON.parse(body) as {
    readonly userId: string;
    readonly traits?: Readonly<Record<string, unknown>>;
    readonly properties?: Readonly<Record<string, unknown>>;
  };
  const value = (call.traits ?? call.properties)?.[key];
  const isExit = kind === "audience" ? value === false : value === null;
  return { user: call.userId, value: isExit ? undefined : JSON.stringify(value) };
}

function checkUser(ledger: Ledger, audience: KnownAudience, { user }: StoredChange, id: DestinationId): void {
  const prefix = `${id} is told of ${user} of ${audience.key}`;
  if (ledger.users.suppressed.has(user)) reportBroken(ledger, "deleted-stay-away", `${prefix}, who is suppressed`);
  else if (audience.barredUsers.has(user)) reportBroken(ledger, "deleted-stay-away", `${prefix}, who was deleted`);
}

function observeTold(ledger: Ledger, audience: KnownAudience, { user, value }: StoredChange, id: DestinationId): void {
  const { pending, hiddenUsers, key } = audience;
  const membersTold = audience.membersByDestination.get(id);
  const prefix = `${user} of ${key} is told to ${id} as ${value ?? "no member"}`;
  audience.changes += 1;
  if (membersTold === undefined || pending === undefined) {
    reportBroken(ledger, "changes-are-true", `${prefix}, and no sync of it was asked for`);
    return;
  }
  if (pending.get(user) !== value)
    reportBroken(ledger, "changes-are-true", `${prefix}, and is ${pending.get(user) ?? "no member"}`);
  // The store may have refused the entry of a suppressed user, which the relay takes for told: then an exit may come twice.
  if (membersTold.get(user) === value && !(value === undefined && hiddenUsers.has(user)))
    reportBroken(ledger, "changes-are-true", `${prefix} once more`);
  if (value === undefined) membersTold.delete(user);
  else membersTold.set(user, value);
}
