import { composeHandlers, type Handler, type IncomingHead, jsonAnswer } from "@postrider/http";
import { describe, expect, it } from "vitest";
import { request, textOf } from "./request.js";

function named(name: string): Handler {
  return () => Promise.resolve(jsonAnswer(200, { name }));
}

const handler = composeHandlers([
  { at: "/v1", handler: named("ingest") },
  { at: "/api", handler: named("api") },
  { at: "/healthz", handler: named("health") },
]);

describe("composeHandlers", () => {
  it.each([
    ["/v1", "ingest"],
    ["/v1/track", "ingest"],
    ["/api/deliveries/1/replay", "api"],
    ["/healthz", "health"],
  ])("hands %s to %s", async (path, name) => {
    expect(JSON.parse(textOf(await handler(request("GET", path))))).toEqual({ name });
  });

  it("finds a mount for careless callers whatever the slashes, and no other mount", async () => {
    const careless = composeHandlers([
      { at: "/v1", handler: named("ingest"), mergesSlashes: true },
      { at: "/api", handler: named("api") },
    ]);
    const statuses = ["//v1/track", "/v1//", "//api/stats", "/api//stats"].map(
      async (path) => (await careless(request("GET", path))).status,
    );
    expect(await Promise.all(statuses)).toEqual([200, 200, 404, 200]);
  });

  it("knows the heads that the handler of the path knows, or all if it does not say", () => {
    const knowing = Object.assign(named("ingest"), { knows: ({ query }: IncomingHead) => query === "key" });
    const { knows } = composeHandlers([
      { at: "/v1", handler: knowing },
      { at: "/own", handler: named("own") },
    ]);
    const asked = [request("POST", "/v1/t", { query: "key" }), request("POST", "/v1/t"), request("POST", "/own")];
    expect(asked.map((head) => knows?.(head))).toEqual([true, false, true]);
    expect(knows?.(request("POST", "/nothing", { query: "key" }))).toBe(false);
  });

  it.each(["/", "", "/v10", "/v1x/track", "/healthz2", "/API", "v1/track"])("answers 404 for %j", async (path) => {
    const answer = await handler(request("GET", path));
    expect(answer.status).toBe(404);
    expect(JSON.parse(textOf(answer))).toMatchObject({ success: false, error: { code: "not-found" } });
  });
});
