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
import { type Drawn, type Question, questionsOf } from "./command.js";
import { drawnCommits } from "./drawn-commits.js";
import type { Model, ModelDelivery } from "./model.js";
import { addModelDelivery, append, findReplayable, judgeMessage, settle } from "./moves.js";
import type { Snapshot } from "./snapshot.js";
import { findRequest } from "./users.js";

export function commitQuestions(hasUsers: boolean): fc.Arbitrary<Question> {
  return questionsOfCommits("commit", drawnCommits(hasUsers));
}

/** Commits of nothing but late attempts. */
export function lateAttemptQuestions(): fc.Arbitrary<Question> {
  const nothing = { accept: [], replay: [], settle: [], tally: [] };
  const drawn = drawnCommits(false).map((draw): Drawn<Changes> => (there) => {
    const { append: late, lease } = draw(there);
    return { ...nothing, append: late, lease };
  });
  return questionsOfCommits("late attempts", drawn);
}

function questionsOfCommits(name: string, drawn: fc.Arbitrary<Drawn<Changes>>): fc.Arbitrary<Question> {
  return questionsOf<Changes, CommitResult>({
    name,
    drawn,
    send: (store, changes, now) => store.commit(changes, now),
    spoil,
    follow: (model, { request, answer, now, seen, since }) => {
      follow(model, { request, answer }, now);
      adoptOrder(model, since, seen);
    },
    presume: (model, { request, now, seen }) => presumeCommit(model, { request, seen }, now),
  });
}

interface AnsweredCommit {
  readonly request: Changes;
  readonly answer: CommitResult;
}

function follow(model: Model, { request, answer }: AnsweredCommit, now: EpochMs): void {
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
      model.counts.push({ source, name, count: tally[name] });
    }
  }
  for (const { deletion, users } of request.notified ?? []) {
    const deletionRequest = findRequest(model, deletion);
    if (deletionRequest !== undefined) deletionRequest.notified = Math.max(deletionRequest.notified, users);
  }
}

interface AnsweredMessage {
  readonly message: NewMessage;
  readonly lease: Lease;
  readonly answer: AcceptResult | undefined;
}

const COUNTER_OF = { duplicate: "duplicates", suppressed: "suppressed" } as const;

function followAccepted(model: Model, { message, lease, answer }: AnsweredMessage, now: EpochMs): void {
  const { source, messageId, type, deletion, userIds = [], body, receivedAt } = message;
  const kind = judgeMessage(model, message, now);
  expectEqual(answer?.kind, kind, `the answer to ${JSON.stringify([source, messageId])}`);
  if (kind === "outdated") return;
  if (answer?.kind !== "stored" || kind !== "stored") {
    model.counts.push({ source, name: kind === "stored" ? "received" : COUNTER_OF[kind], count: 1 });
    return;
  }
  model.seen.push({ source, messageId, at: now, deliveries: message.deliveries.length });
  model.counts.push({ source, name: "received", count: deletion === undefined ? 1 : 0 });
  model.counts.push({ source, name: "filtered", count: message.filtered.length });
  expectEqual(answer.deliveries.length, message.deliveries.length, "how many deliveries a message got");
  const storedMessage = { source, messageId, type, deletion, userIds, body, isPurged: false };
  for (const [index, { destination, start }] of message.deliveries.entries()) {
    const id = newId(model, answer.deliveries[index]);
    addModelDelivery(model, { id, message: storedMessage, destination, acceptedAt: receivedAt, start, lease }, now);
  }
}

function followReplayed(model: Model, { request, answer }: AnsweredCommit, now: EpochMs): void {
  expectEqual(answer.replayed.length, request.replay.length, "how many replays are answered");
  for (const [index, replay] of request.replay.entries()) {
    const original = findReplayable(model, replay);
    const replayedId = answer.replayed[index];
    expectEqual(replayedId !== undefined, original !== undefined, `whether ${replay.of} was replayed`);
    if (original === undefined) continue;
    addReplay(model, { id: newId(model, replayedId), original, start: replay.start, lease: request.lease }, now);
  }
}

interface NewReplay {
  readonly id: DeliveryId;
  readonly original: ModelDelivery;
  readonly start: InitialState;
  readonly lease: Lease;
}

function addReplay(model: Model, { id, original, start, lease }: NewReplay, now: EpochMs): void {
  const { id: replayOf, message, destination } = original;
  addModelDelivery(model, { id, message, destination, replayOf, acceptedAt: now, start, lease }, now);
}

function newId(model: Model, storeId: DeliveryId | undefined): DeliveryId {
  const id = expectPresent(storeId, "the id of a new delivery");
  const isNew = model.deliveries.every((delivery) => delivery.id !== id);
  expectThat(isNew, `the id ${id} is given again`);
  return id;
}

/**
 * Orders the new deliveries as the store lists them: it chooses an order for those of commits that were sent together, and keeps
 * to it. A request about users parts what was stored before it from what was stored after it.
 */
function adoptOrder(model: Model, since: number, { list }: Snapshot): void {
  const knownCount = Math.max(since, ...model.requests.map(({ upTo }) => upTo));
  const newestFirst = list.deliveries.map(({ id }) => id);
  const newcomers = model.deliveries.slice(knownCount);
  newcomers.sort((first, second) => newestFirst.indexOf(second.id) - newestFirst.indexOf(first.id));
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
  const newDeliveries = seen.list.deliveries.filter(({ id }) => !knownIds.has(id)).toReversed();
  const accepted = request.accept.map((message): AcceptResult => {
    const { source, messageId, type } = message;
    const kind = judgeMessage(copy, message, now);
    if (kind !== "stored") return { kind };
    copy.seen.push({ source, messageId, at: now, deliveries: 0 });
    const deliveries = message.deliveries.map(({ destination, start }) =>
      take(newDeliveries, { source, messageId, type, destination }, start),
    );
    return { kind, deliveries };
  });
  const settled = request.settle.map((settlement) => settle(copy, settlement, now));
  const replayed = request.replay.map((replay) => {
    const original = findReplayable(copy, replay);
    if (original === undefined) return undefined;
    const id = take(newDeliveries, { replayOf: replay.of }, replay.start);
    addReplay(copy, { id, original, start: replay.start, lease: request.lease }, now);
    return id;
  });
  return { accepted, settled, replayed, appended: request.append.map((late) => append(copy, late)) };
}

/** Takes the oldest delivery that has these fields and this start out of the list. */
function take(newDeliveries: DeliverySummary[], fields: Partial<DeliverySummary>, start: InitialState): DeliveryId {
  const names = Object.keys(fields) as (keyof DeliverySummary)[];
  const place = newDeliveries.findIndex(
    (delivery) =>
      delivery.state === start.kind &&
      (delivery.replayOf === undefined) === (fields.replayOf === undefined) &&
      names.every((name) => delivery[name] === fields[name]) &&
      (start.kind !== "waiting" || delivery.dueAt === start.dueAt),
  );
  const [delivery] = place === -1 ? [] : newDeliveries.splice(place, 1);
  return expectPresent(delivery, "a delivery of a commit that was not answered").id;
}
