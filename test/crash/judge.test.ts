import type { AttemptRecord, DeliveryId, DestinationId, EndpointId, EpochMs, Verdict } from "@postrider/core";
import { NO_COUNTS } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type Evidence, type Finding, judge, kindsOf } from "./judge.js";
import type { Sighting } from "./sightings.js";
import type { HeldDelivery, StoreContent } from "./store-content.js";

const BODY = Buffer.from('{"messageId":"m1"}');

function attempt(round: number, verdict: Verdict): AttemptRecord {
  const result = { kind: "answered", status: verdict === "success" ? 200 : 503 } as const;
  const endpoint = "http://127.0.0.1/" as EndpointId;
  return { round, endpoint, startedAt: 0 as EpochMs, durationMs: 1, result, verdict };
}

function delivery(destination: string, changes: Partial<HeldDelivery> = {}): HeldDelivery {
  const attempts = destination === "steady" ? [attempt(1, "success")] : [attempt(1, "retry"), attempt(2, "success")];
  const what = { messageId: "m1", destination, unit: `${destination}/m1`, body: BODY };
  return { id: destination as DeliveryId, ...what, state: "delivered", attempts, ...changes };
}

function seen(requests: number, changes: Partial<Sighting> = {}): Sighting {
  return { times: Array.from({ length: requests }, (_, index) => index), body: BODY, isConstant: true, ...changes };
}

const CONTENT: StoreContent = {
  deliveries: [delivery("steady"), delivery("flaky")],
  counts: { ...NO_COUNTS, accepted: 2, delivered: 2 },
  lanes: [],
  integrity: "ok",
};

/** One call, delivered to both destinations without trouble. */
const EVIDENCE: Evidence = {
  made: new Set(["m1"]),
  safe: new Set(["m1"]),
  sightings: new Map([
    ["steady/m1", seen(1)],
    ["flaky/m1", seen(2)],
  ]),
  interrupted: new Map(),
  content: CONTENT,
};

const withContent = (changes: Partial<StoreContent>): Evidence => ({
  ...EVIDENCE,
  content: { ...CONTENT, ...changes },
});
const withSteady = (changes: Partial<HeldDelivery>): Evidence =>
  withContent({ deliveries: [delivery("steady", changes), delivery("flaky")] });
const withSighting = (sighting: Sighting | undefined): Evidence => {
  const sightings = new Map([...EVIDENCE.sightings].filter(([unit]) => unit !== "steady/m1"));
  return { ...EVIDENCE, sightings: sighting === undefined ? sightings : sightings.set("steady/m1", sighting) };
};

const CASES: readonly (readonly [string, Evidence, readonly Finding["kind"][]])[] = [
  ["all went well", EVIDENCE, []],
  [
    "a delivery of a call that was answered 200 is gone",
    withContent({ deliveries: [delivery("steady")], counts: { ...NO_COUNTS, accepted: 1, delivered: 1 } }),
    ["lost"],
  ],
  [
    "a delivery waits at the end",
    withContent({
      deliveries: [delivery("steady", { state: "waiting", attempts: [attempt(1, "retry")] }), delivery("flaky")],
      counts: { ...NO_COUNTS, accepted: 2, delivered: 1, waiting: 1 },
      lanes: [{ lane: "steady" as DestinationId, deliveries: 1, bytes: BODY.length, nextDueAt: 0 as EpochMs }],
    }),
    ["not-delivered"],
  ],
  [
    "a call is stored twice",
    withContent({
      deliveries: [...CONTENT.deliveries, delivery("steady")],
      counts: { ...NO_COUNTS, accepted: 3, delivered: 3 },
    }),
    ["stored-twice"],
  ],
  [
    "a delivery succeeded twice",
    withSteady({ attempts: [attempt(1, "success"), attempt(2, "success")] }),
    ["settled-twice"],
  ],
  [
    "a round is recorded twice",
    withSteady({ attempts: [attempt(1, "retry"), attempt(1, "success")] }),
    ["round-twice"],
  ],
  ["a delivery is delivered without a success", withSteady({ attempts: [attempt(1, "retry")] }), ["settled-twice"]],
  ["there is a call that no caller made", { ...EVIDENCE, made: new Set(), safe: new Set() }, ["never-called"]],
  ["a receiver never saw what is delivered", withSighting(undefined), ["never-seen"]],
  ["a request is not recorded", withSighting(seen(2)), ["seen-too-often"]],
  ["a request of a kill is not recorded", { ...withSighting(seen(2)), interrupted: new Map([["steady/m1", 1]]) }, []],
  ["the bytes differ from one request to the next", withSighting(seen(1, { isConstant: false })), ["bytes-differ"]],
  ["the bytes in the file are others", withSteady({ body: Buffer.from("{}") }), ["bytes-differ"]],
  ["the counters do not add up", withContent({ counts: { ...CONTENT.counts, accepted: 3 } }), ["counts-differ"]],
  [
    "the counters differ from the rows",
    withContent({ counts: { ...NO_COUNTS, accepted: 2, delivered: 1, dead: 1 } }),
    ["counts-differ"],
  ],
  [
    "a lane counts what is finished",
    withContent({
      lanes: [{ lane: "steady" as DestinationId, deliveries: 1, bytes: BODY.length, nextDueAt: 0 as EpochMs }],
    }),
    ["counts-differ"],
  ],
  ["SQLite finds fault with the file", withContent({ integrity: "row 1 missing" }), ["file-broken"]],
];

describe("the oracle", () => {
  it.each(CASES)("where %s", (_what, evidence, kinds) => {
    expect(kindsOf(judge(evidence))).toEqual(kinds);
  });
});
