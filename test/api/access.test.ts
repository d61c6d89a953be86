import { createApi } from "@postrider/http/api";
import { createSecret, type Secret } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { TOKEN } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { createWorld } from "../ingest/world.js";
import { createCheckedApi } from "./contract/checked-api.js";
import { BEARER, createRig } from "./rig.js";

const PATHS = [
  ["GET", "/api/stats"],
  ["GET", "/api/deliveries"],
  ["GET", "/api/deliveries/1"],
  ["POST", "/api/deliveries/1/replay"],
  ["POST", "/api/replay"],
  ["GET", "/api/nothing"],
  ["DELETE", "/api/stats"],
] as const;

describe("access to the API", () => {
  it.each(PATHS)("is off for %s %s without a token in the settings", async (method, path) => {
    const { relay } = createWorld();
    const answer = await createCheckedApi({ relay })(request(method, path, { headers: BEARER }));
    expect(answer.status).toBe(403);
    expect(JSON.parse(textOf(answer))).toMatchObject({
      success: false,
      error: { code: "api-off", message: expect.stringContaining("apiToken") },
    });
  });

  it("is granted by a header with the token, and by no other", () => {
    const { relay } = createWorld();
    const { knows } = createApi({ relay, apiToken: createSecret(TOKEN) });
    const wrong = { authorization: "Bearer wrong" };
    const heads = [BEARER, wrong, {}].map((headers) => request("POST", "/api/replay", { headers }));
    expect(heads.map((head) => knows?.(head))).toEqual([true, false, false]);
    expect(createApi({ relay }).knows?.(request("POST", "/api/replay", { headers: BEARER }))).toBe(false);
  });

  it.each(PATHS)("needs the token for %s %s", async (method, path) => {
    const rig = createRig();
    for (const authorization of [
      "",
      "Bearer",
      "Bearer ",
      "Bearer wrong",
      `Basic ${TOKEN}`,
      TOKEN,
      `Bearer ${TOKEN}x`,
    ]) {
      const told = await rig.send(request(method, path, { headers: { authorization } }));
      expect(told).toMatchObject({ status: 401, body: { success: false, error: { code: "unauthorized" } } });
      expect(told.headers.get("www-authenticate")).toBe("Bearer");
    }
    expect((await rig.send(request(method, path))).status).toBe(401);
    expect((await rig.send(request(method, path, { headers: BEARER }))).status).not.toBe(401);
  });

  it("takes the scheme in any case, and a token beyond ASCII", async () => {
    const { relay } = createWorld();
    const api = createCheckedApi({ relay, apiToken: createSecret("schlüssel mit Leerzeichen") });
    const headers = { authorization: Buffer.from("bearer  schlüssel mit Leerzeichen ").toString("latin1") };
    expect((await api(request("GET", "/api/stats", { headers }))).status).toBe(200);
  });

  it("is refused with an empty token", async () => {
    const { relay } = createWorld();
    const api = createCheckedApi({ relay, apiToken: createSecret("") });
    for (const authorization of ["Bearer ", "Bearer", "Bearer  ", ""]) {
      expect((await api(request("GET", "/api/stats", { headers: { authorization } }))).status).toBe(401);
    }
  });

  it("slows down an address that shows wrong tokens, but never the right one, and reports each that is wrong", async () => {
    const { relay, clock } = createWorld();
    let wrong = 0;
    const api = createCheckedApi({ relay, apiToken: createSecret(TOKEN), clock, onWrongToken: () => (wrong += 1) });
    const ask = async (authorization: string, remoteAddress: string) =>
      (await api({ ...request("GET", "/api/stats", { headers: { authorization } }), remoteAddress })).status;
    expect(await ask(`Bearer ${TOKEN}`, "203.0.113.9")).toBe(200);
    for (let guess = 0; guess < 100; guess += 1) expect(await ask(`Bearer ${String(guess)}`, "203.0.113.7")).toBe(401);
    expect(await ask("Bearer wrong", "203.0.113.7")).toBe(429);
    expect(await ask(`Bearer ${TOKEN}`, "203.0.113.7")).toBe(200);
    expect(await ask("Bearer wrong", "203.0.113.8")).toBe(401);
    for (let guess = 0; guess < 200; guess += 1) await ask("Bearer wrong", "203.0.113.9");
    expect(await ask("Bearer wrong", "203.0.113.9")).toBe(429);
    expect(await ask(`Bearer ${TOKEN}`, "203.0.113.9")).toBe(200);
    expect(wrong).toBe(303);
    await clock.advance(1_000);
    expect(await ask("Bearer wrong", "203.0.113.7")).toBe(401);
  });

  it("uses the new token after a change", async () => {
    const { relay } = createWorld();
    let token: Secret | undefined;
    const api = createCheckedApi({ relay, apiToken: () => token });
    const ask = async (): Promise<number> => (await api(request("GET", "/api/stats", { headers: BEARER }))).status;
    expect(await ask()).toBe(403);
    token = createSecret("old");
    expect(await ask()).toBe(401);
    token = createSecret(TOKEN);
    expect(await ask()).toBe(200);
  });

  it("is not shared with other origins, and its answers are not cached", async () => {
    const rig = createRig();
    for (const told of [await rig.get("/api/stats"), await rig.get("/api/x"), await rig.get("/healthz")]) {
      expect([...told.headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
      expect(told.headers.get("cache-control")).toBe("no-store");
    }
    expect((await rig.send(request("OPTIONS", "/api/stats", { headers: BEARER }))).status).toBe(405);
  });
});

describe("paths and methods of the API", () => {
  it.each([
    "/api",
    "/api/",
    "/api/nothing",
    "/api/deliveries/",
    "/api/deliveries/1/",
    "/api/deliveries/1/attempts",
    "/api/deliveries/%E0%A4%A",
    "/api/statsx",
    "/elsewhere",
  ])("know nothing at %s", async (path) => {
    expect(await createRig().get(path)).toMatchObject({ status: 404, body: { error: { code: "not-found" } } });
  });

  it.each([
    ["POST", "/api/stats", "GET"],
    ["HEAD", "/api/stats", "GET"],
    ["DELETE", "/api/deliveries/1", "GET"],
    ["POST", "/api/deliveries", "GET"],
    ["GET", "/api/deliveries/1/replay", "POST"],
    ["GET", "/api/replay", "POST"],
    ["POST", "/healthz", "GET"],
  ])("refuse %s %s, and answer the allowed methods", async (method, path, allow) => {
    const told = await createRig().send(request(method, path, { headers: BEARER }));
    expect(told).toMatchObject({ status: 405, body: { error: { code: "method-not-allowed" } } });
    expect(told.headers.get("allow")).toBe(allow);
  });
});
