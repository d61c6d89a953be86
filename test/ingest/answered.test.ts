// What an observer of the HTTP front learns: which endpoint, which status, how long. Never a key, nor what a caller wrote.

import type { RelayEvent } from "@postrider/relay";
import { createIngest, type Handler } from "@postrider/http/ingest";
import { describe, expect, it } from "vitest";
import { WRITE_KEY } from "../canary.js";
import { request } from "../http/request.js";
import { post } from "./requests.js";
import { createWorld } from "./world.js";

function observed(): { readonly ingest: Handler; readonly heard: RelayEvent[] } {
  const { relay, clock } = createWorld();
  const heard: RelayEvent[] = [];
  let now = 0;
  // Each reading of the clock is 5 milliseconds later.
  const monotonic = () => (now += 5) as ReturnType<typeof clock.monotonic>;
  return {
    ingest: createIngest({ relay, clock: { ...clock, monotonic }, observe: (event) => heard.push(event) }),
    heard,
  };
}

const CALL = { userId: "u1", event: "Signed Up" };

describe("an answer", () => {
  it.each([
    [post("/v1/track", CALL), "/v1/track", 200],
    [post("//v1/t/", CALL), "/v1/track", 200],
    [post("/v1/import", { batch: [] }), "/v1/batch", 400],
    [request("POST", "/beacon/v1/batch", { body: "{" }), "/beacon/v1/batch", 400],
    [request("GET", `/v1/projects/${WRITE_KEY}/settings`), "/v1/projects/*/settings", 200],
    [request("GET", `/v1/projects/guessed/settings`), "/v1/projects/*/settings", 404],
    [request("POST", "/v1/track", { body: CALL }), "/v1/track", 401],
    [request("GET", "/v1/track"), "/v1/track", 405],
    [request("OPTIONS", "/v1/page"), "/v1/page", 204],
    [request("POST", "/v1/jane@example.org"), "*", 404],
  ])("is reported with its endpoint, its status and its time %#", async (asked, route, status) => {
    const { ingest, heard } = observed();
    expect((await ingest(asked)).status).toBe(status);
    expect(heard).toEqual([{ kind: "answered", route, status, ms: expect.any(Number), at: expect.any(Number) }]);
    expect(heard[0]?.kind === "answered" && heard[0].ms).toBeGreaterThanOrEqual(5);
    expect(JSON.stringify(heard)).not.toMatch(/wk_|guessed|jane/);
  });

  it("does not depend on what the observer throws", async () => {
    const { relay, clock } = createWorld();
    const observe = () => {
      throw new Error("no");
    };
    const ingest = createIngest({ relay, clock, observe });
    expect((await ingest(post("/v1/track", CALL))).status).toBe(200);
  });
});
