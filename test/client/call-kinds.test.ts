// Each kind of call and each of its fields, from the method of the client, or from an object of a host, to the message that a receiver
// gets. A kind that is added to core and forgotten in one of the places between fails here.

import { type Call, type CallKind, CALL_KINDS, sourceId } from "@postrider/core";
import { plainCall } from "@postrider/core/engine";
import { calls } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routeOf } from "../../packages/http/src/ingest/routes.js";
import { SAMPLE_CALLS } from "../../packages/postrider/src/cli/demo/samples.js";
import { createWorld } from "../ingest/world.js";
import { createRig } from "./rig.js";

const BY_ALL = {
  anonymousId: "an anonymous id",
  context: { ip: "192.0.2.1" },
  integrations: { All: true },
  timestamp: "2026-01-31T12:00:00.000Z",
};
const BY_USER = { ...BY_ALL, userId: "a user" };
const VIEW = { ...BY_USER, name: "a name", category: "a category", properties: { "a key": "a property" } };

/** Fields of every kind that other tests are about. */
type TestedElsewhere = "type" | "messageId" | "originalTimestamp" | "sentAt";

/** A call of each kind with every field that the kind has. */
const CALLS: {
  readonly [Kind in CallKind]: Readonly<
    Record<Exclude<keyof Extract<Call, { readonly type: Kind }>, TestedElsewhere>, unknown>
  >;
} = {
  identify: { ...BY_USER, traits: { "a key": "a trait" } },
  track: { ...BY_USER, event: "an event", properties: { "a key": "a property" } },
  page: VIEW,
  screen: VIEW,
  group: { ...BY_USER, groupId: "a group", traits: { "a key": "a trait" } },
  alias: { ...BY_USER, previousId: "a former user" },
};

/** Fields that the server acts on and does not pass on, and those whose value it writes anew. */
const NOT_SENT = ["integrations", "timestamp", "context"];

describe.each(CALL_KINDS)("a call of kind %s", (kind) => {
  it("reaches a receiver with every field that the caller gave", async () => {
    const message = await messageOf(await batchedBy(kind));
    expect(message).toMatchObject({ type: kind, context: { ...BY_ALL.context }, timestamp: BY_ALL.timestamp });
    const values = Object.values(message);
    for (const [name, value] of Object.entries(CALLS[kind])) {
      if (!NOT_SENT.includes(name)) expect(values, name).toContainEqual(value);
    }
  });

  it("is read from an instance of a class, and each field from an object that writes itself", () => {
    expect(plainCall(Object.create(CALLS[kind]))).toMatchObject(CALLS[kind]);
    for (const [name, value] of Object.entries(CALLS[kind])) {
      expect(plainCall({ ...CALLS[kind], [name]: { toJSON: () => value } }), name).toEqual(CALLS[kind]);
    }
  });

  it("is reached by its name and by one letter", () => {
    const letters = Array.from("abcdefghijklmnopqrstuvwxyz", (letter) => routeOf(`/v1/${letter}`));
    expect(routeOf(`/v1/${kind}`)).toEqual({ kind: "call", call: kind });
    expect(letters.filter((route) => route?.kind === "call" && route.call === kind)).toHaveLength(1);
  });

  it("is among the calls of the demo, and among those that property tests generate", () => {
    expect(SAMPLE_CALLS.map((sample) => sample.kind)).toContain(kind);
    expect(fc.sample(calls(), { numRuns: 500, seed: 1 }).map(({ type }) => type)).toContain(kind);
  });
});

/** The call as the client puts it into a batch. */
async function batchedBy(kind: CallKind): Promise<unknown> {
  const { client, sent } = createRig();
  const made = (client[kind] as (input: object) => ReturnType<typeof client.track>)(CALLS[kind]);
  expect(made.kind).toBe("ok");
  await client.close();
  return sent[0]?.batch[0];
}

/** The message that a relay sends for a call. */
async function messageOf(call: unknown): Promise<Readonly<Record<string, unknown>>> {
  const world = createWorld();
  const receipts = (await world.relay.accept({ source: sourceId("website"), calls: [call] }))._unsafeUnwrap();
  expect(receipts).toMatchObject([{ kind: "accepted" }]);
  await world.clock.advance(1_000);
  await world.relay.stop();
  return world.messages()[0]!;
}
