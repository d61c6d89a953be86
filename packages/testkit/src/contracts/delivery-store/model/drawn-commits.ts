// Draws commits of any mixture: messages and duplicates, settlements valid and stale, replays, late attempts, tallies.
// No two attempts of a delivery have the same round and endpoint, as the port demands of a caller.

import {
  type CallCounts,
  type Changes,
  type NoticeProgress,
  type Replay,
  type EpochMs,
  epochMs,
  type InitialState,
  MAX_MESSAGE_USERS,
  type NewDelivery,
  type NewMessage,
  type AttemptRecord,
  type EndpointState,
  FAULTS,
  type Outcome,
  type Settlement,
} from "@postrider/core";
import fc from "fast-check";
import { defined } from "@postrider/core/engine";
import {
  drawnDeliveries,
  drawnRequests,
  type Drawn,
  type DrawContext,
  idOrUnknown,
  nearbyInstants,
  freeToken,
} from "./command.js";
import { leasesMs, sources, tokens, lanes, messageIds, types, userIds, endpoints } from "./names.js";
import { findRequest } from "./users.js";
import type { ModelDelivery } from "./model.js";

type AsDrawn<T> = fc.Arbitrary<Drawn<T>>;

const dueTimes: AsDrawn<EpochMs> = nearbyInstants(-1_000, 3_000);

const starts: AsDrawn<InitialState> = fc.oneof(
  { weight: 2, arbitrary: fc.constant<Drawn<InitialState>>(() => ({ kind: "claimed" })) },
  dueTimes.map((dueAt): Drawn<InitialState> => (there) => ({ kind: "waiting", dueAt: dueAt(there) })),
  fc.constant<Drawn<InitialState>>(() => ({ kind: "waiting", dueAt: epochMs(0) })),
  fc.constant<Drawn<InitialState>>(() => ({ kind: "dead", reason: "lane-full" })),
);

const newDeliveries: AsDrawn<NewDelivery> = fc
  .tuple(lanes, starts)
  .map(([destination, start]) => (there) => ({ destination, start: start(there) }));

const filtered = fc.constant({ destination: null, reason: "no-destination" } as const);

type About = Pick<NewMessage, "type" | "userIds" | "asOf" | "deletion">;

const anonymous: AsDrawn<About> = types.map((type) => () => ({ type }));

const aboutUsers: AsDrawn<About> = fc
  .record({
    type: types.filter((type) => type !== "delete"),
    userIds: fc.uniqueArray(userIds, { maxLength: MAX_MESSAGE_USERS }),
    // Mostly of no age or as new as can be; otherwise as of an earlier request.
    age: fc.constantFrom(undefined, undefined, undefined, 0, 0, 1, 2),
  })
  .map(({ type, userIds: users, age }) => ({ model }) => {
    const asOf = age === undefined ? undefined : (model.requests.at(-1 - age)?.number ?? 0);
    return { type, userIds: users, ...defined({ asOf }) };
  });

/** Notices of a stored request; if there is none, a message without users. */
const notices: AsDrawn<About> = drawnRequests().map((request) => (there) => {
  const deletion = request(there);
  return { type: "delete", ...(findRequest(there.model, deletion) === undefined ? {} : { deletion }) };
});

/** Messages; with users if `hasUsers`. */
function drawnMessages(hasUsers: boolean): AsDrawn<NewMessage> {
  const withUsers = fc.oneof(anonymous, { weight: 4, arbitrary: aboutUsers }, notices);
  return fc
    .record({
      plain: fc.record({ source: sources, messageId: messageIds }),
      about: hasUsers ? withUsers : anonymous,
      receivedAt: nearbyInstants(-2_000, 0),
      body: fc.uint8Array({ maxLength: 8 }),
      deliveries: lists(newDeliveries),
      filtered: fc.array(filtered, { maxLength: 2 }),
    })
    .map(({ plain, about, receivedAt, body, deliveries, filtered: out }) => (there) => ({
      ...plain,
      ...about(there),
      receivedAt: receivedAt(there),
      body: new Uint8Array(body) as NewMessage["body"],
      deliveries: deliveries(there),
      filtered: out,
    }));
}

function lists<T>(item: AsDrawn<T>): AsDrawn<readonly T[]> {
  return fc.array(item, { maxLength: 3 }).map((items) => (there) => items.map((one) => one(there)));
}

const results: fc.Arbitrary<AttemptRecord["result"]> = fc.oneof(
  fc.constantFrom(200, 302, 404, 410, 429, 503, 599).map((status) => ({ kind: "answered", status }) as const),
  fc.constantFrom(...FAULTS).map((fault) => ({ kind: "silent", fault }) as const),
);

/** Attempts but for their round. */
const attempts: AsDrawn<Omit<AttemptRecord, "round">> = fc
  .record({
    plain: fc.record({ endpoint: endpoints, durationMs: fc.nat(5_000) }),
    result: results,
    verdict: fc.constantFrom("success", "retry", "refused"),
    startedAt: nearbyInstants(-2_000, 0),
  })
  .map(({ plain, startedAt, ...rest }) => (there) => ({ ...plain, ...rest, startedAt: startedAt(there) }));

const endpointStates: fc.Arbitrary<EndpointState> = fc.record(
  {
    endpoint: endpoints,
    refused: fc.boolean(),
    refusedAt: fc.nat().map(epochMs),
    excerpt: fc.uint8Array({ maxLength: 3 }),
  },
  { requiredKeys: ["endpoint", "refused"] },
);

const details = fc.constantFrom("404", "gone", "timeout", "");

const outcomes: AsDrawn<Outcome> = fc.oneof(
  fc.constant<Drawn<Outcome>>(() => ({ kind: "delivered", detail: "200" })),
  details.map((detail): Drawn<Outcome> => () => ({ kind: "dead", reason: "refused", detail })),
  fc.constant<Drawn<Outcome>>(() => ({ kind: "dead", reason: "expired" })),
  fc
    .tuple(dueTimes, details)
    .map(([dueAt, detail]): Drawn<Outcome> => (there) => ({ kind: "rescheduled", dueAt: dueAt(there), detail })),
  dueTimes.map((dueAt): Drawn<Outcome> => (there) => ({ kind: "released", dueAt: dueAt(there) })),
);

const settlements: AsDrawn<Settlement> = fc
  .record({
    delivery: drawnDeliveries("claimed", "lost", "lost", "all"),
    isOwn: fc.constantFrom(true, true, true, false),
    token: tokens,
    outcome: outcomes,
    attempts: lists(attempts),
    endpoints: fc.uniqueArray(endpointStates, { selector: ({ endpoint }) => endpoint, maxLength: 3 }),
  })
  .map(({ isOwn, ...drawn }) => (there) => {
    const delivery = drawn.delivery(there);
    const outcome = drawn.outcome(there);
    const token = (isOwn ? delivery?.token : undefined) ?? drawn.token;
    const round = (delivery?.rounds ?? 0) + 1;
    const content =
      outcome.kind === "released"
        ? { attempts: [], endpoints: [] }
        : {
            attempts: drawn.attempts(there).flatMap((attempt) => newAttempt(delivery, { ...attempt, round }, there)),
            endpoints: structuredClone(drawn.endpoints),
          };
    return { id: idOrUnknown(delivery), token, outcome, ...content };
  });

/** Late attempts of earlier rounds; an attempt whose key is taken is left out. */
const lateAttempts: AsDrawn<Changes["append"]> = fc
  .array(fc.tuple(drawnDeliveries("finished", "all"), fc.nat(2), attempts), { maxLength: 3 })
  .map(
    (late) => (there) =>
      late.flatMap(([drawn, earlier, attempt]) => {
        const delivery = drawn(there);
        const round = Math.max(1, (delivery?.rounds ?? 0) - earlier);
        const added = newAttempt(delivery, { ...attempt(there), round }, there);
        return added.map((one) => ({ id: idOrUnknown(delivery), attempt: one }));
      }),
  );

/** The attempt, unless the delivery or a request of this command has one of its round and endpoint. */
function newAttempt(
  delivery: ModelDelivery | undefined,
  attempt: AttemptRecord,
  { attemptKeys }: DrawContext,
): readonly AttemptRecord[] {
  const { round, endpoint } = attempt;
  const key = JSON.stringify([delivery?.id, round, endpoint]);
  const isStored = delivery?.attempts.some((one) => one.round === round && one.endpoint === endpoint) === true;
  if (isStored || attemptKeys.has(key)) return [];
  attemptKeys.add(key);
  return [attempt];
}

interface DrawnReplay {
  readonly replay: Replay;
  /** Repeats a delivery that the same commit settles, if there is one. */
  readonly isOfSettled: boolean;
}

const replays: AsDrawn<DrawnReplay> = fc
  .tuple(drawnDeliveries("finished", "all"), starts, fc.boolean(), fc.boolean())
  .map(([delivery, start, isOfSettled, once]) => (there) => {
    return { replay: { of: idOrUnknown(delivery(there)), start: start(there), once }, isOfSettled };
  });

const tallies: fc.Arbitrary<CallCounts> = fc.record({
  source: sources,
  refused: fc.nat(3),
  suppressed: fc.nat(3),
  shed: fc.nat(3),
});

/** Any progress: none, all users of the request, or fewer than before. */
const progress: AsDrawn<NoticeProgress> = fc
  .tuple(drawnRequests(), fc.constantFrom(0, 1, 9, 9))
  .map(([request, most]) => (there) => {
    const deletion = request(there);
    return { deletion, users: Math.min(most, findRequest(there.model, deletion)?.users ?? 1) };
  });

export function drawnCommits(hasUsers: boolean): fc.Arbitrary<Drawn<Changes>> {
  return fc
    .record({
      accept: lists(drawnMessages(hasUsers)),
      settle: lists(settlements),
      replay: lists(replays),
      append: lateAttempts,
      tally: fc.array(tallies, { maxLength: 2 }),
      lease: fc.record({ token: tokens, leaseMs: leasesMs }),
      notified: fc.array(progress, { maxLength: 2 }),
    })
    .map((drawn) => (there) => makeCommit(drawn, there, hasUsers));
}

type DrawnCommit = Pick<Changes, "tally" | "lease"> & {
  readonly accept: Drawn<Changes["accept"]>;
  readonly settle: Drawn<Changes["settle"]>;
  readonly replay: Drawn<readonly DrawnReplay[]>;
  readonly append: Drawn<Changes["append"]>;
  readonly notified: readonly Drawn<NoticeProgress>[];
};

function makeCommit({ tally, lease, ...drawn }: DrawnCommit, there: DrawContext, hasUsers: boolean): Changes {
  const settle = drawn.settle(there);
  const replay = drawn.replay(there).map(({ replay, isOfSettled }, index) => {
    const settled = isOfSettled ? settle[index % settle.length] : undefined;
    return { ...replay, of: settled?.id ?? replay.of };
  });
  const notified = drawn.notified.map((one) => one(there));
  const [accept, append] = [drawn.accept(there), drawn.append(there)];
  const token = freeToken(lease.token, there);
  const changes = { accept, settle, replay, append, tally, lease: { ...lease, token } };
  return hasUsers ? { ...changes, notified } : changes;
}
