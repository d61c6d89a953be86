// Draws commits of any mixture: messages and duplicates, valid and stale settlements, replays, late attempts, tallies.

import {
  type AttemptRecord,
  type Changes,
  type EndpointState,
  epochMs,
  type NewDelivery,
  type NewMessage,
  type Outcome,
  type Replay,
  type Settlement,
  type InitialState,
  type CallCounts,
} from "@postrider/core";
import fc from "fast-check";
import { drawnDeliveries, type Drawn, idOrUnknown, nearbyInstants } from "./command.js";
import { endpoints, lanes, leasesMs, messageIds, sources, tokens, types } from "./names.js";

type AsDrawn<T> = fc.Arbitrary<Drawn<T>>;

const dueTimes = nearbyInstants(-1_000, 3_000);

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

const messages: AsDrawn<NewMessage> = fc
  .record({
    plain: fc.record({ source: sources, messageId: messageIds, type: types }),
    receivedAt: nearbyInstants(-2_000, 0),
    body: fc.uint8Array({ maxLength: 8 }),
    deliveries: lists(newDeliveries),
    filtered: fc.array(filtered, { maxLength: 2 }),
  })
  .map(({ plain, receivedAt, body, deliveries: start, filtered: out }) => (there) => ({
    ...plain,
    receivedAt: receivedAt(there),
    body: new Uint8Array(body) as NewMessage["body"],
    deliveries: start(there),
    filtered: out,
  }));

const results = fc.constantFrom(
  { kind: "answered", status: 503 } as const,
  { kind: "silent", fault: "timeout" } as const,
);

const attempts: AsDrawn<AttemptRecord> = fc
  .record({
    plain: fc.record({ round: fc.integer({ min: 1, max: 3 }), endpoint: endpoints, durationMs: fc.nat(5_000) }),
    result: results,
    verdict: fc.constantFrom("success", "retry", "refused"),
    startedAt: nearbyInstants(-2_000, 0),
  })
  .map(({ plain, startedAt, ...rest }) => (there) => ({ ...plain, ...rest, startedAt: startedAt(there) }));

const endpointStates: fc.Arbitrary<EndpointState> = fc.record(
  { endpoint: endpoints, refused: fc.boolean(), excerpt: fc.uint8Array({ maxLength: 3 }) },
  { requiredKeys: ["endpoint", "refused"] },
);

const outcomes: AsDrawn<Outcome> = fc.oneof(
  fc.constant<Drawn<Outcome>>(() => ({ kind: "delivered", detail: "200" })),
  fc.constant<Drawn<Outcome>>(() => ({ kind: "dead", reason: "refused", detail: "404" })),
  fc.constant<Drawn<Outcome>>(() => ({ kind: "dead", reason: "expired" })),
  dueTimes.map((dueAt): Drawn<Outcome> => (there) => ({ kind: "rescheduled", dueAt: dueAt(there), detail: "503" })),
  dueTimes.map((dueAt): Drawn<Outcome> => (there) => ({ kind: "released", dueAt: dueAt(there) })),
);

const settlements: AsDrawn<Settlement> = fc
  .record({
    delivery: drawnDeliveries("claimed", "claimed", "claimed", "all"),
    isOwn: fc.constantFrom(true, true, true, false),
    token: tokens,
    outcome: outcomes,
    attempts: lists(attempts),
    endpoints: fc.array(endpointStates, { maxLength: 2 }),
  })
  .map(({ isOwn, ...drawn }) => (there) => {
    const delivery = drawn.delivery(there);
    const id = idOrUnknown(delivery);
    const token = (isOwn ? delivery?.token : undefined) ?? drawn.token;
    const states = structuredClone(drawn.endpoints);
    return { id, token, outcome: drawn.outcome(there), attempts: drawn.attempts(there), endpoints: states };
  });

const replays: AsDrawn<Replay> = fc
  .tuple(drawnDeliveries("finished", "all"), starts)
  .map(([delivery, start]) => (there) => ({ of: idOrUnknown(delivery(there)), start: start(there) }));

const appends: AsDrawn<Changes["append"][number]> = fc
  .tuple(drawnDeliveries("finished", "all"), attempts)
  .map(([delivery, attempt]) => (there) => ({ id: idOrUnknown(delivery(there)), attempt: attempt(there) }));

const tallies: fc.Arbitrary<CallCounts> = fc.record({
  source: sources,
  refused: fc.nat(3),
  suppressed: fc.nat(3),
  shed: fc.nat(3),
});

export const drawnCommits: fc.Arbitrary<Drawn<Changes>> = fc
  .record({
    accept: lists(messages),
    settle: lists(settlements),
    replay: lists(replays),
    append: lists(appends),
    tally: fc.array(tallies, { maxLength: 2 }),
    lease: fc.record({ token: tokens, leaseMs: leasesMs }),
  })
  .map(({ tally, lease, ...drawn }) => (there) => {
    const settled = drawn.settle(there);
    // The port does not define whether a delivery can be replayed in the commit that settles it.
    const replay = drawn.replay(there).filter(({ of }) => settled.every(({ id }) => id !== of));
    return { accept: drawn.accept(there), settle: settled, replay, append: drawn.append(there), tally, lease };
  });

function lists<T>(item: AsDrawn<T>): AsDrawn<readonly T[]> {
  return fc.array(item, { maxLength: 3 }).map((items) => (there) => items.map((one) => one(there)));
}
