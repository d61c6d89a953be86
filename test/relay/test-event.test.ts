// A test event is a real request with a real signature, and nothing else: no delivery, no count, no change of a lane.

import { createSecret, type DestinationId, verifySignature } from "@postrider/core";
import type { TestReport, TestRequest } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { SECRET } from "../canary.js";
import { createRig, CRM, destination, type Rig, track, url } from "./rig.js";

async function test(rig: Rig, request: Partial<TestRequest> = {}): Promise<TestReport> {
  const pending = rig.relay().test({ destination: CRM, ...request });
  await rig.advance(60_000);
  return (await pending)._unsafeUnwrap();
}

async function faultOf(rig: Rig, request: Partial<TestRequest>): Promise<unknown> {
  return (await rig.relay().test({ destination: CRM, ...request }))._unsafeUnwrapErr();
}

function bodyOf(rig: Rig, index = 0): Record<string, unknown> {
  return JSON.parse(rig.seen[index]!.body) as Record<string, unknown>;
}

describe("a test event", () => {
  it("is a track call with a mark in its context, signed as a delivery is", async () => {
    const rig = createRig();
    const report = await test(rig);
    const [request] = rig.seen;
    expect(bodyOf(rig)).toMatchObject({
      version: 1,
      type: "track",
      event: "Test Event",
      messageId: report.messageId,
      context: { test: true },
    });
    const signature = request?.headers.get("X-Signature");
    expect(verifySignature(SECRET, request!.body, signature)).toBe(true);
  });

  it("is the host's call if there is one, under a new id, and keeps the call's context", async () => {
    const rig = createRig();
    const call = { ...track({ messageId: "seen before", context: { ip: "10.0.0.1", test: false } }) };
    const { messageId } = await test(rig, { call });
    expect(messageId).not.toBe("seen before");
    expect(bodyOf(rig)).toMatchObject({ userId: "u1", messageId, context: { ip: "10.0.0.1", test: true } });
    expect(call).toEqual(track({ messageId: "seen before", context: { ip: "10.0.0.1", test: false } }));
  });

  it("answers with status, time, verdict and excerpt of each endpoint, in the order of the settings", async () => {
    const receivers = {
      a: { status: 500, afterMs: 300, body: "no such table" },
      b: { status: 200, afterMs: 20 },
      c: { fault: "dns", afterMs: 5 },
      d: { fault: "local", afterMs: 1 },
    } as const;
    const rig = createRig({ receivers });
    const { destination: id, attempts } = await test(rig);
    expect(id).toBe(CRM);
    const attemptFields = attempts.map(({ startedAt: _, excerpt, ...rest }) => ({
      ...rest,
      text: Buffer.from(excerpt).toString(),
    }));
    expect(attemptFields).toEqual([
      {
        endpoint: url("a"),
        durationMs: 300,
        result: { kind: "answered", status: 500 },
        verdict: "retry",
        text: "no such table",
      },
      { endpoint: url("b"), durationMs: 20, result: { kind: "answered", status: 200 }, verdict: "success", text: "" },
      { endpoint: url("c"), durationMs: 5, result: { kind: "silent", fault: "dns" }, verdict: "retry", text: "" },
      { endpoint: url("d"), durationMs: 1, result: { kind: "silent", fault: "local" }, verdict: "local", text: "" },
    ]);
  });

  it("has the headers of Standard Webhooks where they are on, and the static ones", async () => {
    const endpoints = [{ url: url("a"), headers: [["X-Key", createSecret("k")]] as const }];
    const rig = createRig({ destinations: [destination("crm", [], { endpoints, standardWebhooks: true })] });
    await test(rig);
    const names = [...rig.seen[0]!.headers.keys()];
    expect(names).toEqual(expect.arrayContaining(["X-Key", "webhook-id", "webhook-signature", "webhook-timestamp"]));
  });

  it("stores nothing, counts nothing, tells no event, and holds no endpoint that asks for it", async () => {
    const rig = createRig({ receivers: { a: { status: 503, retryAfter: "600" } } });
    const before = rig.relay().lanes();
    await test(rig);
    expect(rig.relay().lanes()).toEqual(before);
    expect(rig.events).toEqual([]);
    expect(await rig.all()).toEqual([]);
    expect(await rig.answer(rig.relay().usage())).toEqual([]);
    await rig.accept(track());
    await rig.advance(1_000);
    expect(rig.seen).toHaveLength(2);
  });

  it("is sent to a destination that is off, paused or held", async () => {
    for (const changes of [{ enabled: false }, { paused: true }]) {
      const rig = createRig({ destinations: [destination("crm", ["a"], changes)] });
      expect((await test(rig)).attempts).toHaveLength(1);
    }
    const rig = createRig({ receivers: { a: { status: 500 } } });
    await rig.accept(...Array.from({ length: 60 }, (_, index) => track({ messageId: `m${String(index)}` })));
    await rig.advance(60_000);
    expect(rig.relay().lanes()[0]?.mode).toBe("held");
    const seenBefore = rig.seen.length;
    const pending = rig.relay().test({ destination: CRM });
    await rig.advance(100);
    expect((await pending)._unsafeUnwrap().attempts[0]?.verdict).toBe("retry");
    expect(rig.seen.slice(seenBefore).filter(({ body }) => body.includes('"test":true'))).toHaveLength(1);
  });

  it("is refused with the reason for a call that would be refused, and nothing is sent", async () => {
    const rig = createRig();
    const refusals = [
      [{ type: "track", userId: "u" }, { path: "event" }],
      ["text", { code: "not-an-object", path: "" }],
      [track({ context: "x" }), { path: "context" }],
      [track({ properties: { text: "x".repeat(40_000) } }), { code: "too-large" }],
      [
        {
          get type() {
            throw new Error("no");
          },
        },
        { code: "not-an-object" },
      ],
    ] as const;
    for (const [call, refusal] of refusals) {
      expect(await faultOf(rig, { call })).toMatchObject({ code: "refused", refusal });
    }
    expect(rig.seen).toEqual([]);
  });

  it("is refused for a destination that is not in the settings, and after a stop", async () => {
    const rig = createRig();
    expect(await faultOf(rig, { destination: "nobody" as DestinationId })).toEqual({ code: "unknown-destination" });
    await rig.relay().stop();
    expect(await faultOf(rig, {})).toEqual({ code: "stopped" });
  });

  it("is refused while four others are under way, and a stop waits for those", async () => {
    const rig = createRig({ receivers: { a: "silent" } });
    const pendingTests = Array.from({ length: 4 }, () => rig.relay().test({ destination: CRM }));
    await rig.advance(10);
    expect(await faultOf(rig, {})).toEqual({ code: "too-many-tests" });
    let isStopped = false;
    const stopped = rig
      .relay()
      .stop()
      .then(() => (isStopped = true));
    await rig.advance(1_000);
    expect(isStopped).toBe(false);
    await rig.advance(60_000);
    await stopped;
    for (const pendingTest of pendingTests) {
      expect((await pendingTest)._unsafeUnwrap().attempts[0]?.result).toEqual({ kind: "silent", fault: "timeout" });
    }
  });

  it("may be sent again once the others have ended", async () => {
    const rig = createRig();
    for (let nth = 0; nth < 6; nth += 1) await test(rig);
    expect(new Set(rig.seen.map((_, index) => bodyOf(rig, index)["messageId"])).size).toBe(6);
  });
});
