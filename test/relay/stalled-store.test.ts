// A stalled store: its requests get no answer, as on a disk that hangs. Callers get an answer within seconds, health turns red,
// the log says it once, and everything continues when the store answers again.

import type { DeliveryId } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk } from "@postrider/memory";
import type { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { type Rig, type RigOptions, createRig, CRM, storeError, track, WEBSITE } from "./rig.js";

interface Switch {
  /** From now on no request is answered. */
  stop(): void;
  /** All requests are answered, in their order. */
  goOn(): void;
}

/** A store whose requests wait in a queue while it is stopped. */
function createGate(): Switch & { readonly wrap: <Store extends object>(store: Store) => Store } {
  let whenOpen: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name): unknown => {
        const part: unknown = Reflect.get(target, name);
        if (typeof part === "object" && part !== null) return wrap(part);
        if (typeof part !== "function") return part;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          await whenOpen;
          return (part as (...all: readonly unknown[]) => unknown)(...given);
        };
      },
    });
  return {
    wrap,
    stop: (): void => {
      whenOpen = new Promise((resolve) => (open = resolve));
    },
    goOn: () => open(),
  };
}

function rigWith(gate: ReturnType<typeof createGate>, options: RigOptions = {}): Rig {
  return createRig({ wrapStore: gate.wrap, ...options });
}

function call(rig: Rig, id: string): Promise<string> {
  return Promise.resolve(
    rig
      .relay()
      .accept({ source: WEBSITE, calls: [track({ messageId: id })] })
      .match(
        ([receipt]) => receipt?.kind ?? "none",
        (fault) => fault.code,
      ),
  );
}

function logged(rig: Rig): readonly string[] {
  return rig.logged.map(([level, { code }]) => `${level} ${code}`).filter((line) => line.includes("store-"));
}

describe("a stalled store", () => {
  it("turns health red once a request is three seconds old, and its waiting callers are answered", async () => {
    const gate = createGate();
    const rig = rigWith(gate);
    await rig.advance(100);
    gate.stop();
    const pending = call(rig, "m1");
    await rig.advance(2_999);
    expect(rig.relay().health()).toEqual({ kind: "healthy" });
    await rig.advance(1);
    expect(rig.relay().health()).toEqual({ kind: "unhealthy", reason: "stalled" });
    expect(await pending).toBe("unavailable");
    expect(await call(rig, "m2")).toBe("unavailable");
  });

  it("is noticed without any caller, and reported once; so is its end", async () => {
    const gate = createGate();
    const rig = rigWith(gate);
    gate.stop();
    await rig.advance(60_000);
    expect(rig.relay().health()).toEqual({ kind: "unhealthy", reason: "stalled" });
    expect(logged(rig)).toEqual(["error store-stalled"]);
    gate.goOn();
    await rig.advance(10);
    expect(rig.relay().health()).toEqual({ kind: "healthy" });
    expect(logged(rig)).toEqual(["error store-stalled", "info store-answers"]);
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "store-stalled", forMs: 3_000 }));
  });

  it("takes calls again as soon as it answers, and has lost none of the earlier ones", async () => {
    const gate = createGate();
    const rig = rigWith(gate);
    await rig.advance(100);
    gate.stop();
    const pending = call(rig, "m1");
    await rig.advance(5_000);
    expect(await pending).toBe("unavailable");
    gate.goOn();
    await rig.advance(1_000);
    expect(await call(rig, "m2")).toBe("accepted");
    const again = call(rig, "m1");
    await rig.advance(1_000);
    expect(await again).toBe("duplicate");
    expect(rig.seen).toHaveLength(2);
  });

  it.each<[string, (rig: Rig) => ResultAsync<unknown, unknown>]>([
    ["a delivery", (rig) => rig.relay().delivery("d1" as DeliveryId)],
    ["a list", (rig) => rig.relay().deliveries({ limit: 10 })],
    ["the counters", (rig) => rig.relay().stats()],
    ["those of each source", (rig) => rig.relay().usage()],
    ["a replay", (rig) => rig.relay().replay("d1" as DeliveryId)],
    ["many replays", (rig) => rig.relay().replayMany({ destination: CRM })],
    ["a deletion", (rig) => rig.relay().requestDeletion({ regulation: "delete-only", userIds: ["u1"] })],
    ["the deletions", (rig) => rig.relay().deletionRequests({ limit: 10 })],
    ["the suppressed users", (rig) => rig.relay().suppressed({ limit: 10 })],
    ["the audiences", (rig) => rig.relay().audiences()],
    ["an audience", (rig) => rig.relay().audience("vip")],
  ])("does not delay the caller that asks for %s, before or after it is noticed", async (_, ask) => {
    const gate = createGate();
    const audiences = gate.wrap(createMemoryAudienceStore({ disk: createMemoryDisk() }));
    const rig = rigWith(gate, { relay: { audiences } });
    await rig.advance(100);
    gate.stop();
    const early = ask(rig);
    await rig.advance(3_001);
    expect((await early).isErr()).toBe(true);
    await rig.advance(1_000);
    expect((await ask(rig)).isErr()).toBe(true);
  });

  it("leaves no timer behind when the relay is stopped normally", async () => {
    const rig = createRig();
    await rig.accept(track());
    await rig.advance(1_000);
    await rig.relay().stop();
    expect(rig.clock.nextTimerAt()).toBeUndefined();
  });
});

describe("a store that is busy, and makes progress", () => {
  it("stays green whatever the number of waiting requests, if none of them waits for long", async () => {
    const rig: Rig = createRig({
      wrapStore: (store, clock) => ({
        ...store,
        find: async (id) => {
          await new Promise<void>((resolve) => clock.after(2_900, resolve));
          return store.find(id);
        },
      }),
    });
    for (let turn = 0; turn < 100; turn += 1) {
      for (let nth = 0; nth < 50; nth += 1) void rig.relay().delivery("d1" as DeliveryId);
      await rig.advance(100);
      expect(rig.relay().health()).toEqual({ kind: "healthy" });
    }
  });

  it("does not count as stalled after the process itself has slept", async () => {
    const gate = createGate();
    let sleptMs = 0;
    const asleep = (rig: Rig) => ({
      ...rig.clock,
      monotonic: () => (rig.clock.monotonic() + sleptMs) as ReturnType<Rig["clock"]["monotonic"]>,
    });
    const first = createRig();
    const rig = rigWith(gate, { relay: { clock: asleep(first) } });
    await first.advance(100);
    gate.stop();
    void call(rig, "m1");
    sleptMs = 60_000;
    await first.advance(3_000);
    expect(rig.relay().health()).toEqual({ kind: "healthy" });
    gate.goOn();
    await first.advance(1_000);
    expect(logged(rig)).toEqual([]);
  });
});

describe("a store that ends without being closed", () => {
  it("turns health red for good, is reported with the reason, and answers nothing any more", async () => {
    let end: (why: string) => void = () => undefined;
    let isOver = false;
    const rig = createRig({
      wrapStore: (store) => ({
        ...store,
        onEnd: (listener) => (end = listener),
        lanes: (page, now) => (isOver ? Promise.reject(storeError("unavailable")) : store.lanes(page, now)),
      }),
    });
    await rig.accept(track());
    await rig.advance(100);
    isOver = true;
    end("its thread has failed: out of memory");
    expect(rig.relay().health()).toEqual({ kind: "unhealthy", reason: "unavailable" });
    expect(rig.events).toContainEqual(
      expect.objectContaining({ kind: "store-ended", why: "its thread has failed: out of memory" }),
    );
    expect(await call(rig, "m2")).toBe("unavailable");
    await rig.advance(60_000);
    expect(rig.relay().health()).toEqual({ kind: "unhealthy", reason: "unavailable" });
    expect(logged(rig)).toEqual(["error store-ended"]);
  });

  it("does not keep the relay from stopping, though a round under way cannot be settled", async () => {
    let end: (why: string) => void = () => undefined;
    const rig = createRig({
      receivers: { a: { status: 200, afterMs: 1_000 } },
      wrapStore: (store) => ({ ...store, onEnd: (listener) => (end = listener) }),
    });
    await rig.accept(track());
    end("its thread has ended");
    let isStopped = false;
    void rig
      .relay()
      .stop()
      .then(() => (isStopped = true));
    await rig.advance(1_000);
    expect(isStopped).toBe(true);
  });
});
