// Bodies as libraries, hand-written callers and other languages' JSON writers send them. None is lost behind a 200: a call arrives, with
// a warning where something of it could not be used, or the answer names its index in the batch, the rule and the place.

import type { CallWarning, RefusalCode } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { basic } from "./requests.js";
import { request, textOf } from "../http/request.js";
import { createWorld, type World } from "./world.js";

/** What a body adds to a plain call to track, as JSON. */
type Added = string;
type Warned = readonly [CallWarning["code"], path: string][];

const AT = "2021-10-16T16:00:27.000Z";
/** Dates that arrive as `AT`, to the second. */
const READ: readonly (readonly [by: string, written: string])[] = [
  ["analytics-swift", '"2021-10-16T16:00:27.029:Z"'],
  ["analytics-go 2", '"2021-10-16T16:00:27+0000"'],
  ["Go's RFC3339Nano", '"2021-10-16T16:00:27.000000001Z"'],
  ["RFC 3339 in small letters", '"2021-10-16t16:00:27z"'],
  ["PHP's date('c')", '"2021-10-16T18:00:27+02:00"'],
  ["PHP's Y-m-d H:i:s", '"2021-10-16 16:00:27"'],
  ["Python's str(datetime)", '"2021-10-16 16:00:27.000001+00:00"'],
  ["Python's isoformat", '"2021-10-16T16:00:27"'],
  ["Python's time.time()", "1634400027.0290003"],
  ["Ruby's Time#to_s", '"2021-10-16 18:00:27 +0200"'],
  ["Ruby's Time#to_s in UTC", '"2021-10-16 16:00:27 UTC"'],
  ["Java's ZonedDateTime", '"2021-10-16T18:00:27+02:00[Europe/Berlin]"'],
  ["Java's ZonedDateTime in UTC", '"2021-10-16T16:00:27Z[UTC]"'],
  ["PostgreSQL", '"2021-10-16 18:00:27.000001+02"'],
  ["MySQL, padded", '" 2021-10-16 16:00:27 "'],
  ["a comma for the point", '"2021-10-16T16:00:27,000Z"'],
  ["ISO 8601 without separators", '"20211016T160027Z"'],
  ["slashes, the year first", '"2021/10/16 16:00:27"'],
  ["Date.now()", "1634400027000"],
  ["Date.now() as a text", '"1634400027000"'],
  ["seconds, as PHP's time()", "1634400027"],
  ["seconds as a text", '"1634400027"'],
  ["String(new Date())", '"Sat Oct 16 2021 16:00:27 GMT+0000 (Coordinated Universal Time)"'],
  ["toUTCString and HTTP", '"Sat, 16 Oct 2021 16:00:27 GMT"'],
  ["mail", '"Sat, 16 Oct 2021 18:00:27 +0200"'],
];

/** What is no date, or could be two. */
const UNREAD: readonly string[] = [
  '"03/04/2026"',
  '"16.10.2021 16:00"',
  '"2015-09-15T10:06:21 am+0400"',
  '"༢༠༡༥-༡༡-༡༧T༨:༡༢:༡༠+0800"',
  '"yesterday"',
  '"Invalid Date"',
  '"NaN"',
  '"2021-13-01"',
  '"2021-02-30T00:00:00Z"',
  '"0000-00-00 00:00:00"',
  '"2021-10-16T16:60:00Z"',
  '"2021-10-16T16:00:27 CEST"',
  '"+012021-10-16T16:00:27Z"',
  "0",
  "-1",
  "1634400027000000",
  "1.5",
  "true",
  "[]",
  "{}",
  '{"date":"2021-10-16 16:00:27.000000","timezone_type":3,"timezone":"UTC"}',
  '{"seconds":1634400027}',
];

const TAKEN: readonly (readonly [what: string, added: Added, Warned])[] = [
  ...["properties", "context", "integrations", "traits"].map(
    (field) => [`PHP's empty ${field}`, `"${field}":[]`, []] as const,
  ),
  ["no timestamp", '"timestamp":null', []],
  ["an empty timestamp", '"timestamp":""', []],
  ["the empty sentAt of analytics-go 2", '"sentAt":""', []],
  [
    "an originalTimestamp that is none beside a good timestamp",
    `"timestamp":"${AT}","originalTimestamp":"x"`,
    [["unread-date", "originalTimestamp"]],
  ],
  [
    "a good originalTimestamp beside a timestamp that is none",
    `"timestamp":"x","originalTimestamp":"${AT}"`,
    [["unread-date", "timestamp"]],
  ],
  [
    "three dates that are none",
    '"timestamp":"x","originalTimestamp":1,"sentAt":{}',
    [
      ["unread-date", "timestamp"],
      ["unread-date", "originalTimestamp"],
      ["unread-date", "sentAt"],
    ],
  ],
  [
    "a time 13 days after it was sent",
    '"timestamp":"2024-06-04T11:36:12.799Z","sentAt":"2024-05-21T00:08:54.551Z"',
    [["date-ahead", "timestamp"]],
  ],
  ["a number beyond 2^53", '"properties":{"id":7615917337495251231}', [["imprecise-number", "properties.id"]]],
  ["a number that is infinite", '"properties":{"a":1e999}', [["imprecise-number", "properties.a"]]],
  ["a numeric id", '"userId":42', []],
  ["an empty anonymousId", '"anonymousId":""', []],
  ["everything null", '"messageId":null,"anonymousId":null,"context":null,"integrations":null,"properties":null', []],
  ["unknown fields", '"_metadata":{"nodeVersion":"20"},"channel":"server","version":"1.1","writeKey":"x"', []],
  ["the type in the call", '"type":"track"', []],
  ["a key twice", '"event":"f","event":"g"', []],
  ["half a surrogate pair", '"properties":{"a":"\\ud800"}', []],
  ["properties under inherited names", '"properties":{"__proto__":{"a":1},"constructor":2}', []],
  ["switches that say nothing", '"integrations":{"All":"false","Webhooks":null}', []],
];

const REFUSED: readonly (readonly [what: string, added: Added, RefusalCode, path: string])[] = [
  ["no event", '"event":null', "no-event", "event"],
  ["an empty event", '"event":""', "no-event", "event"],
  ["an event that is a number", '"event":7', "not-a-string", "event"],
  ["no ids", '"userId":null', "no-ids", ""],
  ["empty ids", '"userId":"","anonymousId":""', "no-ids", ""],
  ["an id that is an object", '"userId":{"$oid":"1"}', "id-not-string", "userId"],
  ["an id with a fraction", '"userId":1.5', "id-not-string", "userId"],
  ["properties that are a list", '"properties":["a"]', "not-an-object", "properties"],
  ["properties that are a text", '"properties":"{}"', "not-an-object", "properties"],
  ["a context that is a number", '"context":1', "not-an-object", "context"],
  ["integrations that are a list of names", '"integrations":["CRM"]', "not-an-object", "integrations"],
  ["another kind", '"type":"purchase"', "unknown-type", "type"],
  ["a messageId of 101 characters", `"messageId":"${"m".repeat(101)}"`, "bad-message-id", "messageId"],
  ["65 levels", `"properties":${"[".repeat(65)}${"]".repeat(65)}`, "too-deep", `properties${"[0]".repeat(62)}…`],
  ["33,000 bytes", `"properties":{"a":"${"x".repeat(33_000)}"}`, "too-large", ""],
];

interface Heard {
  readonly status: number;
  readonly body: Readonly<Record<string, unknown>>;
}

function open() {
  const events: RelayEvent[] = [];
  const world = createWorld({ observe: (event) => events.push(event) });
  const warnings = (): Warned =>
    events
      .flatMap((event) => (event.kind === "accepted" ? (event.warnings ?? []) : []))
      .map(({ code, path }) => [code, path]);
  return { world, warnings };
}

/** The call as JSON; of a key that is there twice, a parser takes the last one. */
function callOf(added: Added): string {
  return `{"type":"track","userId":"u1","event":"odd",${added}}`;
}

async function post(world: World, path: string, json: string): Promise<Heard> {
  const answer = await world.ingest(request("POST", path, { bytes: new TextEncoder().encode(json), headers: basic() }));
  await world.clock.settle();
  return { status: answer.status, body: JSON.parse(textOf(answer)) as Heard["body"] };
}

function batchOf(added: Added): string {
  return `{"batch":[{"type":"page","userId":"u1"},${callOf(added)}],"sentAt":null}`;
}

/** The odd call as it has arrived. */
function arrived(world: World): Readonly<Record<string, unknown>> | undefined {
  return world.messages().find(({ type }) => type === "track");
}

describe("a date as it is written", () => {
  it.each(READ)("by %s is read", async (_, written) => {
    const { world, warnings } = open();
    expect(await post(world, "/v1/batch", batchOf(`"timestamp":${written}`))).toMatchObject({
      body: { accepted: 2, rejected: [] },
    });
    expect(String(arrived(world)?.["timestamp"]).slice(0, 19)).toBe(AT.slice(0, 19));
    expect(warnings()).toEqual([]);
  });

  it.each(UNREAD)("as %s becomes the time of receipt, with a warning", async (written) => {
    const { world, warnings } = open();
    expect(await post(world, "/v1/batch", batchOf(`"timestamp":${written}`))).toMatchObject({
      body: { accepted: 2, rejected: [] },
    });
    const { timestamp, receivedAt } = arrived(world) ?? {};
    expect(timestamp).toBe(receivedAt);
    expect(arrived(world)).not.toHaveProperty("originalTimestamp");
    expect(warnings()).toEqual([["unread-date", "timestamp"]]);
  });
});

describe("a call with", () => {
  it.each(TAKEN)("%s arrives, in a batch and alone", async (_, added, warned) => {
    for (const [path, json] of [
      ["/v1/batch", batchOf(added)],
      ["/v1/track", callOf(added)],
    ] as const) {
      const { world, warnings } = open();
      const heard = await post(world, path, json);
      expect(heard).toMatchObject({ status: 200, body: path === "/v1/batch" ? { accepted: 2, rejected: [] } : {} });
      expect(arrived(world)).toMatchObject({ type: "track" });
      expect(warnings()).toEqual(warned);
    }
  });

  it.each(REFUSED)("%s is named by its index in a batch, and refused alone", async (_, added, code, path) => {
    const { world } = open();
    const heard = await post(world, "/v1/batch", batchOf(added));
    expect(heard).toMatchObject({ status: 200, body: { accepted: 1, rejected: [{ index: 1, code }] } });
    const [rejected] = heard.body["rejected"] as readonly { readonly path: string; readonly message: string }[];
    if (!path.endsWith("…")) expect(rejected?.path).toBe(path);
    expect(rejected?.message).toContain("expected ");
    const alone = await post(world, "/v1/track", callOf(added));
    expect(alone).toMatchObject({ status: code === "too-large" ? 413 : 400, body: { error: { code } } });
    expect(arrived(world)).toBeUndefined();
  });
});

describe("a batch", () => {
  const call = `{"type":"track","userId":"u1","event":"odd","timestamp":"${AT}"}`;

  it.each([
    ['"context":[]', []],
    ['"integrations":[]', []],
    ['"sentAt":""', []],
    ['"sentAt":"yesterday"', [["unread-date", "sentAt"]]],
    ['"sentAt":{}', [["unread-date", "sentAt"]]],
    ['"context":{"id":7615917337495251231}', [["imprecise-number", "context.id"]]],
  ] satisfies readonly (readonly [string, readonly (readonly string[])[]])[])(
    "with %s loses no call",
    async (field, warned) => {
      const { world, warnings } = open();
      expect(await post(world, "/v1/batch", `{"batch":[${call}],${field}}`)).toMatchObject({
        status: 200,
        body: { accepted: 1, rejected: [] },
      });
      expect(arrived(world)).toMatchObject({ timestamp: AT });
      expect(warnings()).toEqual(warned);
    },
  );

  it("whose sentAt cannot be read is no matter to a call that has its own", async () => {
    const { world, warnings } = open();
    await post(world, "/v1/batch", `{"batch":[${call.replace("}", `,"sentAt":"${AT}"}`)}],"sentAt":"x"}`);
    expect(warnings()).toEqual([]);
  });

  it.each(['"context":"x"', '"context":["x"]', '"integrations":["CRM"]'])(
    "with %s is refused as a whole",
    async (field) => {
      const { world } = open();
      expect(await post(world, "/v1/batch", `{"batch":[${call}],${field}}`)).toMatchObject({
        status: 400,
        body: { error: { code: "bad-batch" } },
      });
    },
  );
});
