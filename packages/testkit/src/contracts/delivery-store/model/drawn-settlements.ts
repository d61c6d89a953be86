// Draws settlements, valid and stale, and late attempts. No two attempts of a delivery have the same round and endpoint,
// and a release carries neither attempts nor endpoints, as the port demands of a caller.

import {
  type AttemptRecord,
  type Changes,
  type EndpointState,
  epochMs,
  FAULTS,
  type Outcome,
  type Settlement,
} from "@postrider/core";
import fc from "fast-check";
import { type DrawContext, drawnDeliveries, type Drawn, idOrUnknown, nearbyInstants } from "./command.js";
import { type AsDrawn, dueTimes, lists } from "./drawn-messages.js";
import type { ModelDelivery } from "./model.js";
import { endpoints, tokens } from "./names.js";

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

export const settlements: AsDrawn<Settlement> = fc
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
export const lateAttempts: AsDrawn<Changes["append"]> = fc
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
