import { createSecret, type DeliveryStore } from "@postrider/core";
import type { Health } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { failingCommits } from "../ingest/world.js";
import { TOKEN } from "../canary.js";
import { request, textOf } from "../http/request.js";
import { createCheckedApi } from "./contract/checked-api.js";
import { BEARER, createRig } from "./rig.js";

function failingReads(code: string): (store: DeliveryStore) => DeliveryStore {
  const fail = (): Promise<never> => Promise.reject(Object.assign(new Error("no"), { code }));
  return (store) => ({ ...store, find: fail, list: fail, counts: fail });
}

describe("GET /healthz", () => {
  it("is 200 while the relay can work, and needs no token", async () => {
    const rig = createRig();
    expect(await rig.get("/healthz")).toMatchObject({ status: 200, body: { healthy: true, reason: null } });
  });

  it("is 503 with a reason when it cannot", async () => {
    const rig = createRig({ wrap: failingCommits("corrupt") });
    await expect(rig.track()).rejects.toThrow();
    expect(await rig.get("/healthz")).toMatchObject({ status: 503, body: { healthy: false, reason: "corrupt" } });
  });

  it("is 503 with the fault of the process while there is one, after those of the relay", async () => {
    const { relay } = createRig();
    let fault: string | undefined = "no-file-handles";
    const ask = async (health = (): Health => relay.health()): Promise<unknown> => {
      const api = createCheckedApi({ relay: { ...relay, health }, fault: () => fault });
      const { status, body } = await api(request("GET", "/healthz"));
      return { status, ...(JSON.parse(textOf({ body })) as object) };
    };
    expect(await ask()).toEqual({ status: 503, healthy: false, reason: "no-file-handles" });
    expect(await ask(() => ({ kind: "unhealthy", reason: "full" }))).toMatchObject({ status: 503, reason: "full" });
    fault = undefined;
    expect(await ask()).toEqual({ status: 200, healthy: true, reason: null });
  });
});

describe("GET /api/stats", () => {
  it("names every counter, and the law holds", async () => {
    const rig = createRig({ script: ({ index }) => ({ kind: "answers", status: index === 0 ? 200 : 422 }) });
    expect((await rig.get("/api/stats")).body).toEqual({
      accepted: 0,
      filtered: 0,
      waiting: 0,
      claimed: 0,
      delivered: 0,
      dead: 0,
      received: 0,
      refused: 0,
      duplicates: 0,
      suppressed: 0,
      shed: 0,
      sources: [],
      callers: null,
    });
    await rig.track();
    await rig.track();
    await rig.track({ integrations: { All: false } });
    expect(await rig.get("/api/stats")).toMatchObject({
      status: 200,
      body: { accepted: 3, filtered: 1, waiting: 0, claimed: 0, delivered: 1, dead: 1 },
    });
  });

  it("has the same counters for each source, which add up to the total", async () => {
    const rig = createRig();
    await rig.track();
    const { body } = await rig.get("/api/stats");
    const { sources, callers, ...whole } = body as { readonly sources: readonly object[]; readonly callers: unknown };
    expect(callers).toBeNull();
    expect(sources).toEqual([{ source: "website", ...whole }]);
    expect(whole).toMatchObject({ accepted: 1, delivered: 1 });
  });
});

describe("the resources that callers hold, in GET /api/stats", () => {
  it("are those of the listener at the moment of the request", async () => {
    const { relay } = createRig();
    let requests = 1;
    const held = () => ({ connections: 12, requests, reading: 1, bytes: 4_096, keylessBytes: 96 });
    const api = createCheckedApi({ relay, apiToken: createSecret(TOKEN), held });
    const ask = async (): Promise<unknown> =>
      JSON.parse(textOf(await api(request("GET", "/api/stats", { headers: BEARER }))));
    expect(await ask()).toMatchObject({
      callers: { connections: 12, requests: 1, reading: 1, bytes: 4_096, keylessBytes: 96 },
    });
    requests = 3;
    expect(await ask()).toMatchObject({ callers: { requests: 3 } });
  });
});

describe("a store that does not answer", () => {
  it.each(["unavailable", "corrupt", "busy"])("and is %s causes every request to be refused", async (code) => {
    const rig = createRig({ wrap: failingReads(code) });
    const asked = [
      await rig.get("/api/stats"),
      await rig.get("/api/deliveries"),
      await rig.get("/api/deliveries/1"),
      await rig.post("/api/deliveries/1/replay"),
      await rig.post("/api/replay", { destination: "crm" }),
    ];
    for (const told of asked) {
      expect(told).toMatchObject({ status: 503, body: { success: false, error: { code: "store-unavailable" } } });
      expect(told.headers.get("retry-after")).toBe("5");
    }
  });
});
