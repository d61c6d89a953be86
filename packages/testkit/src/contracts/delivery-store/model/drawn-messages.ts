// Draws messages: of any type and source, about up to two users, notices of requests, as of any request.

import {
  type EpochMs,
  epochMs,
  type InitialState,
  MAX_MESSAGE_USERS,
  type NewDelivery,
  type NewMessage,
} from "@postrider/core";
import { defined } from "@postrider/core/engine";
import fc from "fast-check";
import { drawnRequests, type Drawn, nearbyInstants } from "./command.js";
import { lanes, messageIds, sources, types, userIds } from "./names.js";
import { findRequest } from "./users.js";

export type AsDrawn<T> = fc.Arbitrary<Drawn<T>>;

export const dueTimes: AsDrawn<EpochMs> = nearbyInstants(-1_000, 3_000);

export const starts: AsDrawn<InitialState> = fc.oneof(
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
export function drawnMessages(hasUsers: boolean): AsDrawn<NewMessage> {
  const known = fc.oneof(anonymous, { weight: 4, arbitrary: aboutUsers }, notices);
  return fc
    .record({
      plain: fc.record({ source: sources, messageId: messageIds }),
      about: hasUsers ? known : anonymous,
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

export function lists<T>(item: AsDrawn<T>): AsDrawn<readonly T[]> {
  return fc.array(item, { maxLength: 3 }).map((items) => (there) => items.map((one) => one(there)));
}
