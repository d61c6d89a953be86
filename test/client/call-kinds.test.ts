// Each kind of call, from the method of the client to the message that a receiver gets. A kind that is added to core and
// forgotten in one of the places between fails here.

import {
  type CallKind,
  CALL_KINDS,
  createSecret,
  DEFAULT_DELIVERY,
  DEFAULT_RETENTION,
  destinationId,
  sourceId,
} from "@postrider/core";
import {
  createManualClock,
  createMemoryDisk,
  createMemoryStore,
  createScriptedHttp,
  createSeededRandom,
} from "@postrider/memory";
import { createRelay } from "@postrider/relay";
import { calls } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { routeOf } from "../../packages/http/src/ingest/routes.js";
import { SAMPLE_CALLS } from "../../packages/postrider/src/cli/demo/samples.js";
import { SECRET, WRITE_KEY } from "../canary.js";
import { createRig } from "./rig.js";

const BY_ALL = {
  anonymousId: "an anonymous id",
  context: { ip: "192.0.2.1" },
  integrations: { All: true },
  timestamp: "2026-01-31T12:00:00.000Z",
};
const BY_USER = { ...BY_ALL, userId: "a user" };
const VIEW = { ...BY_USER, name: "a name", category: "a category", properties: { "a key": "a property" } };

/** A call of each kind with every field that the kind has. */
const CALLS: Readonly<Record<CallKind, object>> = {
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

  it("is reached by its name and by its first letter, which no other route has", () => {
    expect(routeOf(`/v1/${kind}`)).toEqual({ kind: "call", call: kind });
    expect(routeOf(`/v1/${kind.charAt(0)}`)).toEqual({ kind: "call", call: kind });
    expect(routeOf("/v1/b")).toEqual({ kind: "batch" });
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
async function messageOf(call: unknown): Promise<object> {
  const clock = createManualClock();
  const http = createScriptedHttp({ clock, script: () => ({ kind: "answers", status: 200 }) });
  const source = sourceId("website");
  const destination = {
    id: destinationId("crm"),
    name: "CRM",
    enabled: true,
    paused: false,
    acceptsHistorical: true,
    sources: [{ source, mode: "cloud" }],
    endpoints: [{ url: "https://example.com/hook", headers: [] }],
    secrets: [createSecret(SECRET)],
  } as const;
  const relay = createRelay({
    workspace: {
      sources: [{ id: source, name: "Website", writeKey: createSecret(WRITE_KEY) }],
      destinations: [destination],
      delivery: DEFAULT_DELIVERY,
      retention: DEFAULT_RETENTION,
    },
    store: createMemoryStore({ disk: createMemoryDisk() }),
    http,
    clock,
    random: createSeededRandom(1),
    gatherMs: 0,
  });
  relay.start();
  const receipts = (await relay.accept({ source, calls: [call] }))._unsafeUnwrap();
  expect(receipts).toMatchObject([{ kind: "accepted" }]);
  await clock.advance(1_000);
  await relay.stop();
  return JSON.parse(new TextDecoder().decode(http.requests()[0]?.body)) as object;
}
