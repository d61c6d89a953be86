// The facts that events alone report, after a restart too: the delivery, the time, and the time that the store took.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { createEmit } from "../../packages/relay/src/create-emit.js";
import type { EventFacts } from "../../packages/relay/src/relay-event.js";
import { createRig, CRM, HOUR, type Rig, track, WEBSITE } from "./rig.js";

type Kind<K extends RelayEvent["kind"]> = Extract<RelayEvent, { readonly kind: K }>;

function eventsOf<K extends RelayEvent["kind"]>({ events }: Rig, kind: K): readonly Kind<K>[] {
  return events.filter((event): event is Kind<K> => event.kind === kind);
}

describe("an event of a delivery", () => {
  it("tells its source, type, message id, acceptance and earlier rounds, even to another process", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => ({ status: nth < 3 ? 503 : 200 }) } });
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(100);
    rig.crash();
    rig.restart();
    await rig.advance(HOUR);
    const { id: delivery, acceptedAt } = await rig.only();
    const deliveryFields = { delivery, destination: CRM, source: WEBSITE, type: "track", messageId: "m1", acceptedAt };
    const deliveryEvents = rig.events.filter((event) => "delivery" in event);
    for (const event of deliveryEvents) expect(event).toMatchObject(deliveryFields);
    const steps = deliveryEvents.map((event) => ("rounds" in event ? [event.kind, event.rounds] : []));
    expect(steps).toEqual([
      ["attempted", 0],
      ["rescheduled", 0],
      ["attempted", 1],
      ["rescheduled", 1],
      ["attempted", 2],
      ["delivered", 2],
    ]);
  });

  it("tells when it happened, by the clock of the relay", async () => {
    const heard: (readonly [EpochMs, EpochMs])[] = [];
    const rig: Rig = createRig({ relay: { observe: ({ at }) => heard.push([at, rig.clock.wall()]) } });
    await rig.accept(track());
    await rig.advance(5_000);
    expect(heard.length).toBeGreaterThan(3);
    for (const [at, now] of heard) expect(at).toBe(now);
  });
});

describe("a commit", () => {
  it("is reported with its calls, its settlements and its milliseconds", async () => {
    const wrapStore = (store: DeliveryStore, clock: { after(ms: number, wake: () => void): unknown }) => ({
      ...store,
      commit: async (...args: Parameters<DeliveryStore["commit"]>) => {
        await new Promise<void>((resolve) => void clock.after(7, resolve));
        return store.commit(...args);
      },
    });
    const rig = createRig({ wrapStore });
    const accepting = rig.relay().accept({ source: WEBSITE, calls: [track(), track(), track()] });
    await rig.advance(1_000);
    (await accepting)._unsafeUnwrap();
    const [first, ...settling] = eventsOf(rig, "committed");
    expect(first).toMatchObject({ calls: 3, settlements: 0, ms: 7 });
    expect(settling.reduce((sum, { settlements }) => sum + settlements, 0)).toBe(3);
    expect(settling.every(({ calls }) => calls === 0)).toBe(true);
  });

  it("that fails is no commit", async () => {
    const fail = () => Promise.reject(Object.assign(new Error("no"), { code: "unavailable" }));
    const rig = createRig({ wrapStore: (store) => ({ ...store, commit: fail }) });
    expect((await rig.relay().accept({ source: WEBSITE, calls: [track()] })).isErr()).toBe(true);
    expect(eventsOf(rig, "store-fault")).not.toEqual([]);
    expect(eventsOf(rig, "committed")).toEqual([]);
  });
});

describe("a claim", () => {
  it("is reported for each lane, with how long the first delivery could have been claimed", async () => {
    const rig = createRig({ receivers: { a: ({ nth }) => ({ status: nth <= 2 ? 503 : 200 }) } });
    await rig.accept(track(), track());
    await rig.advance(100);
    const dueTimes = eventsOf(rig, "rescheduled").map(({ dueAt }) => dueAt);
    rig.crash();
    await rig.advance(HOUR);
    rig.restart();
    await rig.advance(HOUR);
    const claims = eventsOf(rig, "claimed");
    expect(claims.length).toBeGreaterThan(0);
    expect(claims.reduce((sum, { deliveries }) => sum + deliveries, 0)).toBeGreaterThanOrEqual(2);
    expect(claims[0]?.overdueMs).toBe((claims[0]?.at ?? 0) - Math.min(...dueTimes));
    for (const claim of claims) expect(claim).toMatchObject({ destination: CRM });
  });
});

describe("without an observer", () => {
  it("nothing is measured, and the log gets its events", async () => {
    const rig = createRig();
    const lines: string[] = [];
    const logger = { log: (_: string, { code }: { readonly code: string }) => lines.push(code) };
    const options = { workspace: rig.relay().workspace(), clock: rig.clock, logger };
    const noted: string[] = [];
    const note = ({ kind }: EventFacts): void => void noted.push(kind);
    const { emit, measure } = createEmit(options as unknown as Parameters<typeof createEmit>[0], note);
    expect(measure).toBeUndefined();
    emit({ kind: "store-stalled", forMs: 3_000 });
    expect([lines, noted]).toEqual([["store-stalled"], ["store-stalled"]]);
  });

  it("measurements are in no log", async () => {
    const rig = createRig();
    await rig.accept(track());
    await rig.advance(1_000);
    expect(eventsOf(rig, "committed")).not.toEqual([]);
    expect(rig.logged).toEqual([]);
  });
});
