// A relay says why a delivery is in its state, and how its lanes are: what a host shows to an operator.

import type { DeliveryId, DeliveryReason, LaneStatus } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createRig, CRM, destination, HOUR, type Rig, track, url } from "./rig.js";

const MINUTE = 60_000;

async function explained(rig: Rig, index = 0): Promise<readonly DeliveryReason[]> {
  const { id } = (await rig.all())[index]!;
  return (await rig.answer(rig.relay().explain(id)))!.reasons;
}

function laneOf(rig: Rig, id = CRM): LaneStatus {
  return rig
    .relay()
    .lanes()
    .find(({ lane }) => lane === id)!;
}

const calls = (count: number) => Array.from({ length: count }, (_, index) => track({ messageId: `m${String(index)}` }));

function configure(rig: Rig, changes: Parameters<typeof destination>[2] | "none"): void {
  const destinations = changes === "none" ? [] : [destination("crm", ["a"], changes)];
  rig.relay().configure(rig.workspace(destinations))._unsafeUnwrap();
}

describe("the explanation of a relay", () => {
  it("is none for a delivery that does not exist", async () => {
    const rig = createRig();
    expect(await rig.answer(rig.relay().explain("nothing" as DeliveryId))).toBeUndefined();
  });

  it("names the failed attempt and when the next round is due", async () => {
    const rig = createRig({ receivers: { a: { status: 503 } } });
    await rig.accept(track());
    await rig.advance(1_000);
    const { dueAt, attempts } = await rig.only();
    expect(await explained(rig)).toEqual([
      { kind: "backoff", attempt: attempts[0], others: [], leftOut: [], holds: [], dueAt },
    ]);
  });

  it("names the Retry-After of its endpoint", async () => {
    const rig = createRig({ receivers: { a: { status: 503, retryAfter: "120" } } });
    await rig.accept(track());
    await rig.advance(1_000);
    const reasons = await explained(rig);
    expect(reasons.map(({ kind }) => kind)).toEqual(["endpoint-holds", "backoff"]);
    const [{ endpoint, until }] = laneOf(rig).endpointHolds as [LaneStatus["endpointHolds"][number]];
    expect(endpoint).toBe(url("a"));
    expect(until - rig.clock.wall()).toBeGreaterThanOrEqual(119_000);
  });

  it("names the pause in the settings, and the settings that do not have the destination any more", async () => {
    const rig = createRig({ destinations: [destination("crm", ["a"], { paused: true })] });
    await rig.accept(track());
    expect(await explained(rig)).toEqual([{ kind: "paused", by: ["settings"] }]);
    expect(laneOf(rig)).toMatchObject({ mode: "paused", pausedBy: ["settings"], deliveries: 1 });
    configure(rig, { enabled: false });
    expect(await explained(rig)).toEqual([{ kind: "off" }]);
    expect(laneOf(rig).mode).toBe("off");
    configure(rig, "none");
    expect((await explained(rig))[0]).toMatchObject({ kind: "not-in-settings" });
    expect(laneOf(rig)).toMatchObject({ mode: "gone", deliveries: 1 });
  });

  it("names since when and why its destination is held", async () => {
    const rig = createRig({ receivers: { a: { status: 500 } } });
    await rig.accept(...calls(60));
    await rig.advance(MINUTE);
    const lane = laneOf(rig);
    expect(lane).toMatchObject({ mode: "held", backoff: { kind: "held", detail: "500" } });
    expect(lane.backoff?.since).toBeLessThan(rig.clock.wall());
    expect(lane.backoff?.nextProbeAt).toBeGreaterThan(rig.clock.wall() - MINUTE);
    const kinds = (await explained(rig)).map(({ kind }) => kind);
    expect(kinds[0]).toBe("held");

    rig.crash();
    rig.restart();
    expect(laneOf(rig).backoff).toBeUndefined();
  });

  it("forgets since when it was held once a probe has succeeded", async () => {
    let status = 500;
    const rig = createRig({ receivers: { a: () => ({ status }) } });
    await rig.accept(...calls(60));
    await rig.advance(MINUTE);
    status = 200;
    await rig.advance(HOUR);
    expect(laneOf(rig)).toMatchObject({ mode: "open", deliveries: 0 });
    expect(laneOf(rig)).not.toHaveProperty("backoff");
    expect((await explained(rig))[0]?.kind).toBe("delivered");
  });

  it("names the address policy that refuses every endpoint", async () => {
    const rig = createRig({ receivers: { a: { fault: "forbidden-address", afterMs: 0 } } });
    await rig.accept(track());
    await rig.advance(1_000);
    expect((await explained(rig))[0]).toMatchObject({ kind: "blocked" });
    expect(laneOf(rig)).toMatchObject({ mode: "blocked", backoff: { kind: "blocked" } });
    await rig.advance(5 * HOUR);
    expect(await explained(rig)).toEqual([{ kind: "never-allowed" }]);
  });

  it("names the rate limit, and what is left of it", async () => {
    const rateLimit = { perSecond: 1, burst: 5 };
    const rig = createRig({ destinations: [destination("crm", ["a"], { rateLimit })] });
    expect(laneOf(rig).rate).toEqual({ perSecond: 1, burst: 5, left: 5, nextAt: rig.clock.wall() });
    await rig.accept(...calls(20));
    await rig.advance(100);
    expect(laneOf(rig).rate).toMatchObject({ left: 0 });
    const index = (await rig.all()).findIndex(({ state }) => state === "waiting");
    expect(await explained(rig, index)).toEqual([{ kind: "rate-limit", nextAt: laneOf(rig).rate?.nextAt }]);
  });

  it("names the turn that it waits for, and its round under way", async () => {
    const rig = createRig({ receivers: { a: { status: 200, afterMs: 4_000 } } });
    await rig.accept(...calls(80));
    await rig.advance(100);
    const deliveries = await rig.all();
    const index = deliveries.findIndex(({ state }) => state === "waiting");
    expect(await explained(rig, index)).toMatchObject([{ kind: "lane-busy", deliveries: 80 }]);
    const claimed = deliveries.findIndex(({ state }) => state === "claimed");
    expect(await explained(rig, claimed)).toMatchObject([{ kind: "in-flight" }]);
  });

  it("names what a process that died had claimed", async () => {
    const rig = createRig({ receivers: { a: "silent" } });
    await rig.accept(track());
    await rig.advance(100);
    rig.crash();
    rig.restart();
    expect((await explained(rig))[0]?.kind).toBe("in-flight");
  });
});

describe("the lanes of a relay", () => {
  it("say when the first retry window ends of what was tried, by the last poll", async () => {
    let status = 503;
    const rig = createRig({ receivers: { a: () => ({ status }) } });
    await rig.accept(track({ messageId: "first" }));
    expect(laneOf(rig)).not.toHaveProperty("windowEndsAt");
    await rig.advance(5_000);
    await rig.accept(track({ messageId: "second" }));
    await rig.advance(1_500);
    const first = (await rig.all()).map(({ attempts }) => attempts[0]!.startedAt).sort((one, other) => one - other)[0]!;
    expect(laneOf(rig).windowEndsAt).toBe(first + 4 * HOUR);

    rig.crash();
    rig.restart();
    await rig.advance(0);
    expect(laneOf(rig).windowEndsAt).toBe(first + 4 * HOUR);
    status = 200;
    await rig.advance(HOUR);
    expect(laneOf(rig)).toMatchObject({ deliveries: 0 });
    expect(laneOf(rig)).not.toHaveProperty("windowEndsAt");
    await rig.accept(track({ messageId: "third" }));
    expect(laneOf(rig)).toMatchObject({ deliveries: 1 });
    expect(laneOf(rig)).not.toHaveProperty("windowEndsAt");
  });

  it("show no window of what has just been delivered, before the next poll", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => ({ status: nth === 1 ? 503 : 200 }) } });
    await rig.accept(track());
    await rig.advance(1_500);
    expect(laneOf(rig)).toHaveProperty("windowEndsAt");
    for (let step = 0; step < 10_000 && laneOf(rig).deliveries > 0; step += 1) await rig.advance(7);
    expect(laneOf(rig)).toMatchObject({ deliveries: 0 });
    expect(laneOf(rig)).not.toHaveProperty("windowEndsAt");
  });

  it("say how the last message failed, until one is taken", async () => {
    let status = 404;
    const rig = createRig({ receivers: { a: () => ({ status }) } });
    expect(laneOf(rig)).not.toHaveProperty("lastFailure");
    await rig.accept(track());
    await rig.advance(1_000);
    const [first] = (await rig.all())[0]!.attempts;
    const at = first!.startedAt + first!.durationMs;
    expect(laneOf(rig)).toMatchObject({ mode: "open", lastFailure: { detail: "404", at, isRefusal: true } });
    status = 503;
    await rig.advance(MINUTE);
    expect(laneOf(rig)).toMatchObject({ lastFailure: { detail: "503", isRefusal: false } });
    status = 200;
    await rig.advance(HOUR);
    expect(laneOf(rig)).not.toHaveProperty("lastFailure");
  });

  it("count what has died", async () => {
    const rig = createRig({ receivers: { a: { status: 413 } } });
    await rig.accept(...calls(2));
    await rig.advance(1_000);
    expect(laneOf(rig)).toMatchObject({ deliveries: 0, deaths: 2, lastFailure: { detail: "413" } });
  });

  it("are those of all destinations, in the order of the settings, though nothing was ever sent", () => {
    const rig = createRig({ destinations: [destination("b", ["b"]), destination("a", ["a"])] });
    const unused = { mode: "open", pausedBy: [], deliveries: 0, bytes: 0, inFlight: 0, endpointHolds: [] };
    expect(rig.relay().lanes()).toMatchObject([
      { lane: "b", ...unused },
      { lane: "a", ...unused },
    ]);
  });
});
