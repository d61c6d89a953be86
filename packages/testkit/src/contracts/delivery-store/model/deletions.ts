// Commands about users: requests are opened, purged in slices and finished; pages of requests, and of suppressed users,
// are read.

import {
  type DeletionId,
  type DeletionPage,
  type DeletionQuery,
  type DeletionStore,
  type DeliveryStore,
  type NewDeletion,
  REGULATIONS,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import fc from "fast-check";
import { expectEqual, expectPresent, expectThat } from "../../check.js";
import { drawnRequests, type Drawn, type Question, questionsOf } from "./command.js";
import { deletionIds, LARGE_LIMIT, limits, namedSources, pageLimits, userIds } from "./names.js";
import {
  coveredMessages,
  findRequest,
  isReadyToFinish,
  openRequest,
  purgeMessage,
  learnPair,
  learnUserOrder,
} from "./users.js";

const requests: fc.Arbitrary<NewDeletion> = fc.record({
  id: deletionIds,
  regulation: fc.constantFrom(...REGULATIONS),
  userIds: fc.uniqueArray(userIds, { minLength: 1, maxLength: 3 }),
  sources: fc.oneof(fc.constant(null), fc.uniqueArray(namedSources, { minLength: 1, maxLength: 2 })),
});

export const OPEN_QUESTIONS: fc.Arbitrary<Question> = questionsOf<NewDeletion, undefined>({
  name: "open",
  drawn: requests.map((request) => () => request),
  send: async (store, deletion, now) => {
    await deletionsOf(store).open(deletion, now);
    return undefined;
  },
  follow: (model, { request, now, seen }) => {
    if (findRequest(model, request.id) !== undefined) return;
    const number = expectPresent(seen.users?.requests.get(request.id), `the request ${request.id}`).number;
    const lastNumber = model.requests.at(-1)?.number ?? 0;
    expectThat(
      number > lastNumber,
      `the request ${request.id} has the number ${String(number)}, after ${String(lastNumber)}`,
    );
    openRequest(model, request, number, now);
  },
});

/** Mostly large, since a request is finished only once all is purged. */
const sliceLimits = fc.oneof(limits, fc.constant(LARGE_LIMIT));

type Slice = Parameters<DeletionStore["purge"]>[0];

export const PURGE_QUESTIONS: fc.Arbitrary<Question> = questionsOf<Slice, { readonly isDone: boolean }>({
  name: "purge",
  drawn: fc
    .tuple(
      drawnRequests(({ isPurged }) => !isPurged),
      sliceLimits,
    )
    .map(([id, limit]): Drawn<Slice> => (there) => {
      return { id: id(there), limit: there.isShared ? LARGE_LIMIT : limit };
    }),
  send: (store, request, now) => deletionsOf(store).purge(request, now),
  follow: (model, { request: { id, limit }, answer: { isDone }, now, seen }) => {
    const request = findRequest(model, id);
    if (request === undefined || request.isPurged) {
      expectEqual(isDone, true, `whether the purge of ${id} is done, of which nothing is to be purged`);
      return;
    }
    const covered = coveredMessages(model, request);
    const purgedMessages = covered.filter((message) => {
      const deliveries = model.deliveries.filter((delivery) => delivery.message === message && !delivery.isSwept);
      return isDone || deliveries.some((delivery) => seen.records.get(delivery.id)?.body === undefined);
    });
    expectThat(
      purgedMessages.length <= limit,
      `a slice of ${String(limit)} has purged ${String(purgedMessages.length)} messages`,
    );
    if (limit > 0) request.slices += 1;
    expectThat(isDone || request.slices <= request.upTo + 1, `the purge of ${id} does not come to its end`);
    for (const message of purgedMessages) request.purged += purgeMessage(model, message, now);
    request.isPurged = isDone;
  },
});

export const FINISH_QUESTIONS: fc.Arbitrary<Question> = questionsOf<DeletionId, boolean>({
  name: "finish",
  drawn: drawnRequests((request) => request.finishedAt === undefined && isReadyToFinish(request)),
  send: (store, id, now) => deletionsOf(store).finish(id, now),
  follow: (model, { request: id, answer, now, seen, isAlone }) => {
    const request = findRequest(model, id);
    const isReady = request !== undefined && isReadyToFinish(request);
    if (!answer && isReady && !isAlone) {
      // Another process had the files locked; the user ids may already be gone.
      request.userIds = seen.users?.requests.get(id)?.userIds.length === 0 ? [] : request.userIds;
      return;
    }
    expectEqual(answer, isReady, `whether the request ${id} is finished`);
    if (!isReady) return;
    request.finishedAt ??= now;
    request.userIds = [];
  },
});

const queries: fc.Arbitrary<Drawn<DeletionQuery>> = fc
  .record({
    limit: pageLimits,
    after: fc.option(
      drawnRequests(({ finishedAt }) => finishedAt !== undefined),
      { freq: 2, nil: undefined },
    ),
    unfinished: fc.constantFrom(undefined, false, true, true),
  })
  .map(({ limit, after, unfinished }) => (there) => ({ limit, ...defined({ after: after?.(there), unfinished }) }));

export const REQUESTS_QUESTIONS: fc.Arbitrary<Question> = questionsOf<DeletionQuery, DeletionPage>({
  name: "list requests",
  isRead: true,
  drawn: queries,
  send: (store, request) => deletionsOf(store).list(request),
  follow: (model, { request: { after, unfinished, limit }, answer: { deletions, more } }) => {
    const ids = model.requests.map(({ id }) => id).toReversed();
    const idsBehind = after === undefined ? ids : ids.slice(ids.includes(after) ? ids.indexOf(after) + 1 : ids.length);
    const expectedIds = idsBehind.filter(
      (id) => unfinished !== true || findRequest(model, id)?.finishedAt === undefined,
    );
    const pageIds = deletions.map(({ id }) => id);
    expectEqual(pageIds, expectedIds.slice(0, pageIds.length), "the requests of a page");
    expectThat(pageIds.length <= limit, "a page of requests has more requests than its limit");
    const isWhole = more ? pageIds.length > 0 : pageIds.length === expectedIds.length;
    expectThat(isWhole, "a page of requests leaves out requests, or says wrongly that there are more");
  },
});

type SuppressedQuery = Parameters<DeletionStore["suppressed"]>[0];

export const SUPPRESSED_QUESTIONS: fc.Arbitrary<Question> = questionsOf<SuppressedQuery, readonly string[]>({
  name: "list suppressed",
  isRead: true,
  drawn: fc
    .record({ limit: pageLimits, after: fc.option(userIds, { nil: undefined }) })
    .map(({ limit, after }) => () => {
      return { limit, ...defined({ after }) };
    }),
  send: (store, request) => deletionsOf(store).suppressed(request),
  follow: (model, { request: { after, limit }, answer }) => {
    const otherUsers = model.suppressed.filter((user) => user !== after);
    expectThat(new Set(answer).size === answer.length, "a suppressed user is listed twice on a page");
    expectThat(answer.length <= limit, "a page of suppressed users has more users than its limit");
    expectEqual(
      answer.filter((user) => !otherUsers.includes(user)),
      [],
      "those of a page that are not suppressed",
    );
    learnUserOrder(model, after === undefined ? answer : [after, ...answer]);
    const omittedUsers = otherUsers.filter((user) => !answer.includes(user));
    const isKnownBehind = (user: string): boolean =>
      after === undefined || model.userOrder.some(([first, second]) => first === after && second === user);
    if (answer.length === limit) return;
    expectEqual(omittedUsers.filter(isKnownBehind), [], "the suppressed users that a short page leaves out");
    if (after !== undefined) for (const user of omittedUsers) learnPair(model, user, after);
  },
});

function deletionsOf({ deletions }: DeliveryStore): DeletionStore {
  return expectPresent(deletions, "a store that supports `deletions`");
}
