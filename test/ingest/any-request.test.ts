// Every request gets an answer: a documented status, JSON, and no details of the server.

import { gzipSync } from "node:zlib";
import type { IncomingRequest } from "@postrider/http/ingest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import "../property.js";
import { request, textOf } from "../http/request.js";
import { basic } from "./requests.js";
import { createWorld } from "./world.js";

const PATHS = ["/v1/track", "/v1/batch", "/v1/b", "/v1/i", "/v1/import", `/v1/projects/${WRITE_KEY}/settings`, "/v1/x"];
const KEYS = [
  "userId",
  "event",
  "type",
  "batch",
  "context",
  "integrations",
  "writeKey",
  "sentAt",
  "timestamp",
  "__proto__",
];
const STATUSES = [200, 204, 400, 401, 404, 405, 413];

const path = fc.oneof(fc.constantFrom(...PATHS), fc.webPath());
const method = fc.oneof(
  { arbitrary: fc.constant("POST"), weight: 5 },
  fc.constantFrom("GET", "OPTIONS", "HEAD", "BREW"),
);
const headers = fc.oneof(
  fc.constant<Record<string, string>>({ ...basic() }),
  fc.record({ authorization: fc.string() }),
  fc.constant({}),
);

const value = fc.oneof(
  fc.jsonValue(),
  fc.constantFrom("track", "u1", [], [{}], [{ type: "track", userId: "u", event: "e" }]),
);
const fields = fc.dictionary(fc.constantFrom(...KEYS), value);
const callLike = fc.oneof(
  fields,
  fields.map((call) => ({ ...call, writeKey: WRITE_KEY })),
);
const json = fc
  .oneof(callLike, fc.record({ batch: fc.array(callLike) }), fc.jsonValue())
  .map((body) => Buffer.from(JSON.stringify(body)));
const bytes = fc.oneof(
  json,
  json.map((plain) => gzipSync(plain)),
  fc.uint8Array({ maxLength: 100 }),
  fc.tuple(json, fc.nat()).map(([plain, at]) => plain.subarray(0, at % (plain.length + 1))),
);

const incoming = fc
  .record({ method, path, headers, bytes })
  .map(({ method: verb, path: where, ...sent }): IncomingRequest => request(verb, where, sent));

describe("any request", () => {
  it("gets an answer with a documented status, in JSON, and never causes an exception", async () => {
    const { ingest } = createWorld();
    const seen = new Set<number>();
    await fc.assert(
      fc.asyncProperty(incoming, async (one) => {
        const answer = await ingest(one);
        seen.add(answer.status);
        expect(STATUSES).toContain(answer.status);
        if (answer.status === 204) expect(answer.body).toBe("");
        else if (one.method === "POST")
          expect(JSON.parse(textOf(answer))).toHaveProperty("success", answer.status === 200);
      }),
      { numRuns: 2_000 },
    );
    expect([...seen].sort()).toEqual([200, 204, 400, 401, 404, 405]);
  });

  it("never gets an answer that contains one of its values", async () => {
    const canary = "CANARY";
    const planted = fc.constantFrom(canary, [canary], { a: canary }, { a: { b: [canary] } });
    const body = fc.dictionary(
      fc.constantFrom(...KEYS.filter((key) => key !== "__proto__"), "properties", "traits", "name"),
      planted,
    );
    const { ingest } = createWorld();
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...PATHS.slice(0, 5)), body, async (where, call) => {
        for (const sent of [call, { batch: [call, canary] }]) {
          const answer = await ingest(request("POST", where, { body: sent, headers: basic() }));
          expect(answer.body).not.toContain(canary);
        }
      }),
      { numRuns: 500 },
    );
  });
});
