// Commands that commit: each list is answered in its order, as the model answers it. If the process died before the
// answer came, it is presumed from the ids that the store lists afterwards.

import type {
  AcceptResult,
  Changes,
  CommitResult,
  DeliveryId,
  EpochMs,
  Lease,
  NewMessage,
  DeliverySummary,
  InitialState,
} from "@postrider/core";
import type fc from "fast-check";
import { expectEqual, expectPresent, expectThat } from "../../check.js";
import { type Question, questionsOf } from "./command.js";
import { drawnCommits } from "./drawn-commits.js";
import type { Model } from "./model.js";
import { addModelDelivery, append, findReplayable, judgeMessage, settle } from "./moves.js";
import type { Snapshot } from "./snapshot.js";
import { findRequest } from "./users.js";

export function commitQuestions(hasUsers: boolean): fc.Arbitrary<Question> {
  return questionsOf<Changes, CommitResult>({
    name: "commit",
    drawn: drawnCommits(hasUsers),
    send: (store, changes, now) => store.commit(changes, now),
    spoil,
    follow: (model, { request, answer, now, seen, since }) => {
      follow(model, { request, answer }, now);
      adoptOrder(model, since, seen);
    },
    presume: (model, { request, now, seen }) => presumeCommit(model, { request, seen }, now),
  });
}

interface Answered {
  readonly request: Changes;
  readonly answer: CommitResult;
}

function follow(model: Model, { request, answer }: Answered, now: EpochMs): void {
  expectEqual(answer.accepted.length, request.accept.length, "how many messages are answered");
  for (const [index, message] of request.accept.entries()) {
    followAccepted(model, { message, lease: request.lease, answer: answer.accepted[index] }, now);
  }
  const settled = request.settle.map((settlement) => settle(model, settlement, now));
  expectEqual(answer.settled, settled, "the answers to the settlements");
  followReplayed(model, { request, answer }, now);
  const appended = request.append.map((late) => append(model, late));
  expectEqual(answer.appended, appended, "the answers to the late attempts");
  for (const { source, ...tally } of request.tally) {
    for (const name of ["refused", "suppressed", "shed"] as const) {
      model.tallied.push({ source, name, count: tally[name] });
    }
  }
  for (const { deletion, users } of request.notified ?? []) {
    const request = findRequest(model, deletion);
    if (request !== undefined) request.notified = Math.max(request.notified, users);
  }
}

interface Arrived {
  readonly message: NewMessage;
  readonly lease: Lease;
  readonly answer: AcceptResult | undefined;
}

const COUNTED = { duplicate: "duplicates", suppressed: "suppressed" } as const;

function followAccepted(model: Model, { message, lease, answer }: Arrived, now: EpochMs): void {
  const { source, messageId, type, deletion, userIds = [], body, receivedAt } = message;
  const kind = judgeMessage(model, message, now);
  expectEqual(answer?.kind, kind, `the answer to ${JSON.stringify([source, messageId])}`);
  if (kind === "outdated") return;
  if (answer?.kind !== "stored" || kind !== "stored") {
    model.tallied.push({ source, name: kind === "stored" ? "received" : COUNTED[kind], count: 1 });
    return;
  }
  model.seen.push({ source, messageId, at: now, deliveries: message.deliveries.length });
  model.tallied.push({ source, name: "received", count: deletion === undefined ? 1 : 0 });
  model.tallied.push({ source, name: "filtered", count: message.filtered.length });
  expectEqual(answer.deliveries.length, message.deliveries.length, "how many deliveries a message got");
  const storedMessage = { source, messageId, type, deletion, userIds, body, isPurged: false };
  for (const [index, { destination, start }] of message.deliveries.entries()) {
    const id = newId(model, answer.deliveries[index]);
    addModelDelivery(model, { id, message: storedMessage, destination, acceptedAt: receivedAt, start, lease }, now);
  }
}

function followReplayed(model: Model, { request, answer }: Answered, now: EpochMs): void {
  expectEqual(answer.replayed.length, request.replay.length, "how many replays are answered");
  for (const [index, again] of request.replay.entries()) {
    const old = findReplayable(model, again);
    const replayedId = answer.replayed[index];
    expectEqual(replayedId !== undefined, old !== undefined, `whether ${again.of} was replayed`);
    if (old === undefined) continue;
    const { id: replayOf, message, destination } = old;
    const id = newId(model, replayedId);
    addModelDelivery(
      model,
      { id, message, destination, replayOf, acceptedAt: now, start: again.start, lease: request.lease },
      now,
    );
  }
}

function newId(model: Model, given: DeliveryId | undefined): DeliveryId {
  const id = expectPresent(given, "the id of a new delivery");
  const isNew = model.deliveries.every((delivery) => delivery.id !== id);
  expectThat(isNew, `the id ${id} is given again`);
  return id;
}

/**
 * The store chooses in which order the deliveries of commits are listed that were sent together; after that, the order does not
 * change. A request about users parts what was stored before it from what was stored after it.
 */
function adoptOrder(model: Model, since: number, { list }: Snapshot): void {
  const knownCount = Math.max(since, ...model.requests.map(({ upTo }) => upTo));
  const newestFirst = list.deliveries.map(({ id }) => id);
  const newcomers = model.deliveries.slice(knownCount);
  newcomers.sort((one, other) => newestFirst.indexOf(other.id) - newestFirst.indexOf(one.id));
  model.deliveries.splice(knownCount, newcomers.length, ...newcomers);
}

/** Changes the byte arrays that were passed in, so that a store which kept them is found. */
function spoil({ accept, settle: settled }: Changes): void {
  for (const { body } of accept) body.fill(0xee);
  for (const { excerpt } of settled.flatMap(({ endpoints }) => endpoints)) excerpt?.fill(0xee);
}

function presumeCommit(
  model: Model,
  { request, seen }: { readonly request: Changes; readonly seen: Snapshot },
  now: EpochMs,
): CommitResult {
  const copy = structuredClone(model);
  const knownIds = new Set(model.deliveries.map(({ id }) => id));
  const fresh = seen.list.deliveries.filter(({ id }) => !knownIds.has(id)).toReversed();
  const accepted = request.accept.map((message): AcceptResult => {
    const { source, messageId, type } = message;
    const kind = judgeMessage(copy, message, now);
    if (kind !== "stored") return { kind };
    copy.seen.push({ source, messageId, at: now, deliveries: 0 });
    const deliveries = message.deliveries.map(({ destination, start }) =>
      take(fresh, { source, messageId, type, destination }, start),
    );
    return { kind, deliveries };
  });
  const settled = request.settle.map((settlement) => settle(copy, settlement, now));
  const replayed = request.replay.map((again) => {
    const old = findReplayable(copy, again);
    return old === undefined ? undefined : take(fresh, { replayOf: again.of }, again.start);
  });
  return { accepted, settled, replayed, appended: request.append.map((late) => append(copy, late)) };
}

/** Takes the oldest delivery that has these fields and this start out of the list. */
function take(fresh: DeliverySummary[], fields: Partial<DeliverySummary>, start: InitialState): DeliveryId {
  const names = Object.keys(fields) as (keyof DeliverySummary)[];
  const place = fresh.findIndex(
    (one) =>
      one.state === start.kind &&
      (one.replayOf === undefined) === (fields.replayOf === undefined) &&
      names.every((name) => one[name] === fields[name]) &&
      (start.kind !== "waiting" || one.dueAt === start.dueAt),
  );
  const [taken] = place === -1 ? [] : fresh.splice(place, 1);
  return expectPresent(taken, "a delivery of a commit that was not answered").id;
}
