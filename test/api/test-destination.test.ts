import { describe, expect, it } from "vitest";
import { request } from "../http/request.js";
import { BEARER, createRig, type Told } from "./rig.js";

const PATH = "/api/destinations/crm/test";

function problem({ status, body }: Told): unknown {
  const { error } = body as { readonly error: { readonly code: string; readonly path?: string } };
  return [status, error.code, error.path];
}

describe("POST /api/destinations/ID/test", () => {
  it("answers what the endpoints answer, with 200 whatever that is", async () => {
    const script = () => ({ kind: "answers", status: 422, excerpt: Buffer.from("no such user") }) as const;
    const rig = createRig({ script });
    const told = await rig.post(PATH, {});
    const attempt = { status: 422, fault: null, verdict: "refused", excerpt: "no such user" };
    expect(told).toMatchObject({
      status: 200,
      body: { destination: "crm", messageId: expect.any(String), attempts: [attempt] },
    });
    expect((await rig.get("/api/deliveries")).body).toMatchObject({ deliveries: [] });
  });

  it("takes no body, and a call", async () => {
    const rig = createRig();
    const bare = await rig.send({
      ...request("POST", PATH, { headers: BEARER }),
      body: { kind: "read", bytes: Buffer.of() },
    });
    expect(bare).toMatchObject({
      status: 200,
      body: { attempts: [{ status: 200, verdict: "success", excerpt: null }] },
    });
    await rig.post(PATH, { call: { type: "identify", userId: "u1" } });
    const [track, identify] = rig.requests().map(({ body }) => JSON.parse(Buffer.from(body).toString()));
    expect([track.event, identify.type, identify.context]).toEqual(["Test Event", "identify", { test: true }]);
  });

  it("refuses a body or a call that is wrong, with its path, and an unknown destination", async () => {
    const rig = createRig();
    expect(problem(await rig.post(PATH, { event: "x" }))).toEqual([400, "bad-test", "event"]);
    expect(problem(await rig.post(PATH, { call: "x" }))).toEqual([400, "bad-test", "call"]);
    expect(problem(await rig.post(PATH, { call: { type: "track", userId: "u" } }))).toEqual([
      400,
      "bad-test",
      "call.event",
    ]);
    const wrong = { type: "track", userId: "u", event: "e", properties: 1 };
    expect(problem(await rig.post(PATH, { call: wrong }))).toEqual([400, "bad-test", "call.properties"]);
    expect(problem(await rig.post("/api/destinations/nobody/test", {}))).toEqual([404, "not-found", undefined]);
    expect(rig.requests()).toEqual([]);
  });

  it("answers 503 while four are under way, and once the relay is stopped", async () => {
    const rig = createRig({ script: () => ({ kind: "hangs" }) });
    const asked = Array.from({ length: 4 }, () => rig.post(PATH, {}));
    await rig.clock.settle();
    expect(problem(await rig.post(PATH, {}))).toEqual([503, "overloaded", undefined]);
    await rig.clock.advance(60_000);
    expect((await Promise.all(asked)).map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    await rig.relay.stop();
    expect(problem(await rig.post(PATH, {}))).toEqual([503, "store-unavailable", undefined]);
  });
});
