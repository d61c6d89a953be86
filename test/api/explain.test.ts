import type { DeliveryId } from "@postrider/core";
import type { Relay } from "@postrider/relay";
import { okAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { destination, workspace } from "../ingest/world.js";
import { createRig } from "./rig.js";

type Json = Readonly<Record<string, unknown>>;

const refusing = () => createRig({ script: () => ({ kind: "answers", status: 503 }) });

describe("GET /api/deliveries/ID/why", () => {
  it("tells the attempt that failed, in data and in words, and when the next can be", async () => {
    const rig = refusing();
    const id = await rig.track();
    const { status, body } = await rig.get(`/api/deliveries/${id}/why`);
    expect(status).toBe(200);
    const { reasons, sentences, ...rest } = body as { reasons: readonly Json[]; sentences: readonly string[] };
    expect(reasons).toMatchObject([
      { kind: "backoff", attempt: { round: 1, status: 503, fault: null, verdict: "retry" }, dueAt: expect.any(String) },
    ]);
    expect(sentences).toEqual([expect.stringMatching(/^It waits: .* answered 503 at .*; the next round is due at /)]);
    expect(rest).toEqual({
      id,
      lapses: null,
      nextAttemptAt: reasons[0]?.["dueAt"],
      windowEndsAt: "2026-01-01T04:00:00.000Z",
    });
  });

  it.each([
    [
      { kind: "answers", status: 422 },
      { kind: "refused", attempts: [{ status: 422, verdict: "refused" }], isFinal: true },
    ],
    [
      { kind: "answers", status: 200 },
      { kind: "delivered", attempt: { status: 200, verdict: "success" } },
    ],
  ] as const)("tells why it has ended after a receiver that %o", async (behaviour, reason) => {
    const rig = createRig({ script: () => behaviour });
    const { body } = await rig.get(`/api/deliveries/${await rig.track()}/why`);
    expect(body).toMatchObject({ reasons: [reason], nextAttemptAt: null, windowEndsAt: null });
  });

  it("tells of a refusal that waits that it is not final, and names no endpoint as left out", async () => {
    const rig = createRig({ script: () => ({ kind: "answers", status: 404 }) });
    const { body } = await rig.get(`/api/deliveries/${await rig.track()}/why`);
    const { reasons, sentences } = body as { reasons: readonly Json[]; sentences: readonly string[] };
    expect(reasons).toMatchObject([{ kind: "backoff", attempt: { status: 404, verdict: "refused" }, leftOut: [] }]);
    expect(sentences[0]).toContain("A further refusal is final if the endpoint takes other messages meanwhile");
  });

  it("tells that the rate limit has no room, and when it has", async () => {
    const limited = destination({ rateLimit: { perSecond: 1, burst: 5 } });
    const rig = createRig({ workspace: workspace({ destinations: [limited] }) });
    const ids: DeliveryId[] = [];
    for (let call = 0; call < 20; call += 1) ids.push(await rig.track({ messageId: `m${String(call)}` }));
    const lanes = (await rig.get("/api/lanes")).body;
    expect(lanes).toMatchObject({ lanes: [{ rate: { perSecond: 1, burst: 5, left: 0, nextAt: expect.any(String) } }] });
    const { nextAt } = (lanes as { lanes: readonly { rate: { nextAt: string } }[] }).lanes[0]!.rate;
    const { body } = await rig.get(`/api/deliveries/${ids.at(-1)!}/why`);
    expect(body).toMatchObject({ reasons: [{ kind: "rate-limit", nextAt }] });
  });

  it.each(["due", "off", "purged", "never-allowed", "destination-removed"] as const)(
    "tells the reason %s, which has nothing beside it",
    async (kind) => {
      const { relay } = createRig();
      const explain: Relay["explain"] = () => okAsync({ reasons: [{ kind }], sentences: ["It waits."] });
      const { body } = await createRig({ api: { relay: { ...relay, explain } } }).get("/api/deliveries/1/why");
      expect(body).toMatchObject({ reasons: [{ kind }], sentences: ["It waits."] });
    },
  );

  it("shows no value of the query of an endpoint", async () => {
    const rig = refusing();
    const { body } = await rig.get(`/api/deliveries/${await rig.track()}/why`);
    expect(JSON.stringify(body)).not.toMatch(/\?[^"*]*=[^*]/);
  });

  it("is 404 for a delivery that does not exist", async () => {
    const rig = createRig();
    expect(await rig.get("/api/deliveries/9999/why")).toMatchObject({ status: 404, body: { code: "not-found" } });
  });
});

describe("GET /api/lanes", () => {
  it("shows every key of each lane, null where it does not apply", async () => {
    const rig = createRig();
    await rig.track();
    const { status, body } = await rig.get("/api/lanes");
    expect(status).toBe(200);
    expect((body as { lanes: readonly Json[] }).lanes[0]).toEqual({
      destination: "crm",
      mode: "open",
      pausedBy: [],
      backoff: null,
      lastFailure: null,
      deaths: 0,
      deliveries: 0,
      bytes: 0,
      nextDueAt: null,
      windowEndsAt: null,
      inFlight: 0,
      limit: expect.any(Number),
      rate: null,
      endpointHolds: [],
    });
  });

  it("shows what waits, and why only probes are sent", async () => {
    const rig = refusing();
    for (let call = 0; call < 60; call += 1) await rig.track({ messageId: `m${String(call)}` });
    await rig.clock.advance(60_000);
    const { body } = await rig.get("/api/lanes");
    const instant = expect.stringMatching(/^2026-01-01T00:0\d:\d\d\.\d{3}Z$/);
    expect((body as { lanes: readonly Json[] }).lanes[0]).toMatchObject({
      mode: "held",
      backoff: { kind: "held", since: instant, detail: "503", nextProbeAt: instant },
      lastFailure: { detail: "503", at: instant, isRefusal: false },
      deliveries: 60,
      nextDueAt: expect.any(String),
    });
  });
});
