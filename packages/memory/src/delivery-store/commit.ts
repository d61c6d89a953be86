// Applies the changes of one commit: all of them or none. Everything that could refuse the commit is checked before the first change.
// A message about a suppressed user is only counted: not even its message id is stored.

import {
  type NoticeProgress,
  type NewMessage,
  type AcceptResult,
  type Changes,
  type CommitResult,
  createStoreError,
  type EpochMs,
  type Lease,
  type DeadReason,
  type DeliveryId,
  deliveryId,
  type DeliveryState,
  type DestinationId,
  type LeaseToken,
  plusMs,
  type InitialState,
  type Replay,
} from "@postrider/core";
import { type Contents, type MessageContents, copyBody, type StoredDelivery } from "./contents.js";
import type { MemoryStoreBounds } from "./bounds.js";
import { findDuplicates, remember } from "./dedupe.js";
import { countsOf, countNotice, enterState, sizeOf } from "./move.js";
import { settle } from "./settle.js";
import { mustForget } from "./erasure.js";

export function commit(contents: Contents, bounds: MemoryStoreBounds, changes: Changes, now: EpochMs): CommitResult {
  const kinds = classify(contents, changes, now);
  refuseIfFull(contents, bounds, changes, kinds);

  const accepted = changes.accept.map((message, index): AcceptResult => {
    const kind = kinds[index] ?? "new";
    if (kind === "new") return acceptMessage(contents, { message, lease: changes.lease, bounds }, now);
    if (kind !== "outdated") countsOf(contents, message.source)[COUNTERS[kind]] += 1;
    return { kind };
  });
  const settled = changes.settle.map((settlement) => settle(contents, settlement, now));
  const replayed = changes.replay.map((request) => replay(contents, request, changes.lease, now));
  const appended = changes.append.map((lateAttempt) => append(contents, lateAttempt));
  addTally(contents, changes);
  for (const progress of changes.notified ?? []) noteNotified(contents, progress);
  return { accepted, replayed, settled, appended };
}

type Classification = "new" | "duplicate" | "suppressed" | "outdated";

const COUNTERS = { duplicate: "duplicates", suppressed: "suppressed" } as const;

/** Classifies each message. The id of a suppressed message is not stored, so a later message is no duplicate of it. */
function classify(contents: Contents, { accept: messages }: Changes, now: EpochMs): readonly Classification[] {
  const exclusions = messages.map((message) => exclusionOf(contents, message));
  const candidates = messages.filter((_, index) => exclusions[index] === undefined);
  const duplicates = findDuplicates(contents.seen, candidates, now)[Symbol.iterator]();
  return exclusions.map((exclusion) => {
    if (exclusion !== undefined) return exclusion;
    return duplicates.next().value === true ? "duplicate" : "new";
  });
}

function exclusionOf(contents: Contents, message: NewMessage): "outdated" | "suppressed" | undefined {
  if (isOutdated(contents, message)) return "outdated";
  return isSuppressed(contents, message) ? "suppressed" : undefined;
}

/** Refuses only changes that add deliveries or bytes, so a full store still settles. */
function refuseIfFull(
  contents: Contents,
  bounds: MemoryStoreBounds,
  changes: Changes,
  kinds: readonly Classification[],
): void {
  const messagesToStore = changes.accept.filter(
    (message, index) => kinds[index] === "new" && message.deliveries.length > 0,
  );
  const deliveries = messagesToStore.reduce((sum, message) => sum + message.deliveries.length, changes.replay.length);
  const bytes = messagesToStore.reduce((sum, message) => sum + message.body.length, 0);
  const tooMany = deliveries > 0 && contents.deliveries.size + deliveries > bounds.maxDeliveries;
  const tooLarge = bytes > 0 && contents.bytes + bytes > bounds.maxBytes;
  if (tooMany || tooLarge) throw createStoreError("full", "the memory store is at its bound");
}

function addTally(contents: Contents, { tally }: Changes): void {
  for (const { source, refused, suppressed, shed } of tally) {
    const counts = countsOf(contents, source);
    counts.refused += refused;
    counts.suppressed += suppressed;
    counts.shed += shed;
  }
}

function isSuppressed({ deletions }: Contents, { userIds = [] }: NewMessage): boolean {
  return deletions.suppressed.size > 0 && userIds.some((userId) => deletions.suppressed.has(userId));
}

/**
 * True if a request about users was stored after the request with the number `asOf`. A message without `asOf` is never
 * outdated.
 */
function isOutdated({ deletions }: Contents, { asOf }: NewMessage): boolean {
  return asOf !== undefined && deletions.requests.size > asOf;
}

/**
 * Stores how many users have been notified. The number never decreases, since a second process may report an older
 * number.
 */
function noteNotified({ deletions }: Contents, { deletion: id, users }: NoticeProgress): void {
  const deletion = deletions.requests.get(id);
  if (deletion !== undefined) deletion.notified = Math.max(deletion.notified, Math.min(users, deletion.users));
}

interface MessageToAccept {
  readonly message: NewMessage;
  /** The lease of those deliveries of the message that start as claimed. */
  readonly lease: Lease;
  readonly bounds: MemoryStoreBounds;
}

function acceptMessage(contents: Contents, { message, lease, bounds }: MessageToAccept, now: EpochMs): AcceptResult {
  remember(contents.seen, message, bounds.maxMessageIds, now);
  const counts = countsOf(contents, message.source);
  counts.accepted += message.filtered.length;
  counts.filtered += message.filtered.length;
  if (message.deletion === undefined) counts.received += 1;

  const storedMessage = storeMessage(message);
  const deliveries = message.deliveries.map(({ destination, start }) =>
    addDelivery(contents, { message: storedMessage, destination, acceptedAt: message.receivedAt, start, lease }, now),
  );
  return { kind: "stored", deliveries };
}

function storeMessage({ source, messageId, type, body, deletion, traceparent, ...rest }: NewMessage): MessageContents {
  const userIds = [...(rest.userIds ?? [])];
  return { source, messageId, type, deletion, traceparent, userIds, body: copyBody(body), deliveries: new Set() };
}

interface NewStoredDelivery {
  readonly message: MessageContents;
  readonly destination: DestinationId;
  readonly acceptedAt: EpochMs;
  readonly replayOf?: DeliveryId;
  readonly start: InitialState;
  readonly lease: Lease;
}

function addDelivery(contents: Contents, toAdd: NewStoredDelivery, now: EpochMs): DeliveryId {
  const { message, destination, acceptedAt, replayOf } = toAdd;
  contents.sequence += 1;
  const { state, at, token, reason } = startFields(toAdd.start, toAdd.lease, now);
  const delivery: StoredDelivery = {
    state,
    at,
    token,
    reason,
    id: deliveryId(String(contents.sequence)),
    sequence: contents.sequence,
    place: 0,
    message,
    destination,
    acceptedAt,
    replayOf,
    wasReplayed: false,
    lapses: undefined,
    rounds: 0,
    firstAttemptAt: undefined,
    firstAttempt: undefined,
    detail: undefined,
    endpoints: [],
    attempts: [],
  };
  attach(contents, delivery);
  contents.deliveries.set(delivery.id, delivery);
  contents.history.add(delivery);
  countsOf(contents, message.source).accepted += 1;
  countNotice(contents, message, "stored");
  enterState(contents, delivery);
  return delivery.id;
}

interface StartFields {
  readonly state: DeliveryState;
  readonly at: EpochMs;
  readonly token: LeaseToken | undefined;
  readonly reason: DeadReason | undefined;
}

function startFields(start: InitialState, lease: Lease, now: EpochMs): StartFields {
  switch (start.kind) {
    case "claimed":
      return { state: "claimed", at: plusMs(now, lease.leaseMs), token: lease.token, reason: undefined };
    case "waiting":
      return { state: "waiting", at: start.dueAt, token: undefined, reason: undefined };
    case "dead":
      return { state: "dead", at: now, token: undefined, reason: start.reason };
  }
}

function attach(contents: Contents, delivery: StoredDelivery): void {
  const { message } = delivery;
  if (message.deliveries.size === 0) contents.bytes += sizeOf(message);
  message.deliveries.add(delivery);
}

function replay(contents: Contents, request: Replay, lease: Lease, now: EpochMs): DeliveryId | undefined {
  const old = contents.deliveries.get(request.of);
  if (old === undefined || old.state === "waiting" || old.state === "claimed") return undefined;
  if (mustForget(contents, old) || (request.once === true && old.wasReplayed)) return undefined;
  old.wasReplayed = true;
  const { message, destination, id } = old;
  return addDelivery(
    contents,
    { message, destination, acceptedAt: now, replayOf: id, start: request.start, lease },
    now,
  );
}

function append(contents: Contents, { id, attempt }: Changes["append"][number]): "appended" | "gone" {
  const delivery = contents.deliveries.get(id);
  if (delivery === undefined) return "gone";
  delivery.attempts = [...delivery.attempts, attempt];
  return "appended";
}
