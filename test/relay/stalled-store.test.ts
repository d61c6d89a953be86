// A stalled store: its requests get no answer, as on a disk that hangs. Callers are told within seconds, health turns red,
// the log says it once, and everything continues when the store answers again.

import type { DeliveryId } from "@postrider/core";
import { createMemoryAudienceStore, createMemoryDisk } from "@postrider/memory";
import type { ResultAsync } from "neverthrow";
import { describe, expect, it } from "vitest";
import { type Bench, type BenchOptions, createBench, CRM, storeError, track, WEBSITE } from "./rig.js";

interface Switch {
  /** From now on no request is answered. */
  stop(): void;
  /** All requests are answered, in their order. */
  goOn(): void;
}

/** A store whose requests wait in a queue while it is stopped. */
function createGate(): Switch & { readonly wrap: <Store extends object>(store: Store) => Store } {
  let opened: Promise<void> = Promise.resolve();
  let open = (): void => undefined;
  const wrap = <Store extends object>(store: Store): Store =>
    new Proxy(store, {
      get: (target, name): unknown => {
        const part: unknown = Reflect.get(target, name);
        if (typeof part === "object" && part !== null) return wrap(part);
        if (typeof part !== "function") return part;
        return async (...given: readonly unknown[]): Promise<unknown> => {
          await opened;
          return (part as (...all: readonly unknown[]) => unknown)(...given);
        };
      },
    });
  return {
    wrap,
    stop: (): void => {
      opened = new Promise((resolve) => (open = resolve));
    },
    goOn: () => open(),
  };
}

function benchWith(gate: ReturnType<typeof createGate>, options: BenchOptions = {}): Bench {
  return createBench({ wrapStore: gate.wrap, ...options });
}

function call(bench: Bench, id: string): Promise<string> {
  return Promise.resolve(
    bench
      .relay()
      .accept({ source: WEBSITE, calls: [track({ messageId: id })] })
      .match(
        ([receipt]) => receipt?.kind ?? "none",
        (fault) => fault.code,
      ),
  );
}

function logged(bench: Bench): readonly string[] {
  return bench.logged.map(([level, { code }]) => `${level} ${code}`).filter((line) => line.includes("store-"));
}

describe("a stalled store", () => {
  it("turns health red once a request is three seconds old, and its waiting callers are answered", async () => {
    const gate = createGate();
    const bench = benchWith(gate);
    await bench.advance(100);
    gate.stop();
    const waiting = call(bench, "m1");
    await bench.advance(2_999);
    expect(bench.relay().health()).toEqual({ kind: "healthy" });
    await bench.advance(1);
    expect(bench.relay().health()).toEqual({ kind: "unhealthy", reason: "stalled" });
    expect(await waiting).toBe("unavailable");
    expect(await call(bench, "m2")).toBe("unavailable");
  });

  it("is noticed without any caller, and reported once; so is its end", async () => {
    const gate = createGate();
    const bench = benchWith(gate);
    gate.stop();
    await bench.advance(60_000);
    expect(bench.relay().health()).toEqual({ kind: "unhealthy", reason: "stalled" });
    expect(logged(bench)).toEqual(["error store-stalled"]);
    gate.goOn();
    await bench.advance(10);
    expect(bench.relay().health()).toEqual({ kind: "healthy" });
    expect(logged(bench)).toEqual(["error store-stalled", "info store-answers"]);
    expect(bench.events).toContainEqual({ kind: "store-stalled", forMs: 3_000 });
  });

  it("takes calls again as soon as it answers, and has lost none of the earlier ones", async () => {
    const gate = createGate();
    const bench = benchWith(gate);
    await bench.advance(100);
    gate.stop();
    const waiting = call(bench, "m1");
    await bench.advance(5_000);
    expect(await waiting).toBe("unavailable");
    gate.goOn();
    await bench.advance(1_000);
    expect(await call(bench, "m2")).toBe("accepted");
    const again = call(bench, "m1");
    await bench.advance(1_000);
    expect(await again).toBe("duplicate");
    expect(bench.seen).toHaveLength(2);
  });

  it.each<[string, (bench: Bench) => ResultAsync<unknown, unknown>]>([
    ["a delivery", (bench) => bench.relay().delivery("d1" as DeliveryId)],
    ["a list", (bench) => bench.relay().deliveries({ limit: 10 })],
    ["the counters", (bench) => bench.relay().stats()],
    ["those of each source", (bench) => bench.relay().usage()],
    ["a replay", (bench) => bench.relay().replay("d1" as DeliveryId)],
    ["many replays", (bench) => bench.relay().replayMany({ destination: CRM })],
    ["a deletion", (bench) => bench.relay().requestDeletion({ regulation: "delete-only", userIds: ["u1"] })],
    ["the deletions", (bench) => bench.relay().deletionRequests({ limit: 10 })],
    ["the suppressed users", (bench) => bench.relay().suppressed({ limit: 10 })],
    ["the audiences", (bench) => bench.relay().audiences()],
    ["an audience", (bench) => bench.relay().audience("vip")],
  ])("does not delay the caller that asks for %s, before or after it is noticed", async (_, ask) => {
    const gate = createGate();
    const audiences = gate.wrap(createMemoryAudienceStore({ disk: createMemoryDisk() }));
    const bench = benchWith(gate, { relay: { audiences } });
    await bench.advance(100);
    gate.stop();
    const early = ask(bench);
    await bench.advance(3_001);
    expect((await early).isErr()).toBe(true);
    await bench.advance(1_000);
    expect((await ask(bench)).isErr()).toBe(true);
  });

  it("leaves no timer behind when the relay is stopped normally", async () => {
    const bench = createBench();
    await bench.accept(track());
    await bench.advance(1_000);
    await bench.relay().stop();
    expect(bench.clock.nextTimerAt()).toBeUndefined();
  });
});

describe("a store that is busy, and makes progress", () => {
  it("stays green whatever the number of waiting requests, if none of them waits for long", async () => {
    const bench: Bench = createBench({
      wrapStore: (store, clock) => ({
        ...store,
        find: async (id) => {
          await new Promise<void>((resolve) => clock.after(2_900, resolve));
          return store.find(id);
        },
      }),
    });
    for (let turn = 0; turn < 100; turn += 1) {
      for (let nth = 0; nth < 50; nth += 1) void bench.relay().delivery("d1" as DeliveryId);
      await bench.advance(100);
      expect(bench.relay().health()).toEqual({ kind: "healthy" });
    }
  });

  it("does not count as stalled after the process itself has slept", async () => {
    const gate = createGate();
    let sleptMs = 0;
    const asleep = (bench: Bench) => ({
      ...bench.clock,
      monotonic: () => (bench.clock.monotonic() + sleptMs) as ReturnType<Bench["clock"]["monotonic"]>,
    });
    const first = createBench();
    const bench = benchWith(gate, { relay: { clock: asleep(first) } });
    await first.advance(100);
    gate.stop();
    void call(bench, "m1");
    sleptMs = 60_000;
    await first.advance(3_000);
    expect(bench.relay().health()).toEqual({ kind: "healthy" });
    gate.goOn();
    await first.advance(1_000);
    expect(logged(bench)).toEqual([]);
  });
});

describe("a store that ends without being closed", () => {
  it("turns health red for good, is reported with the reason, and answers nothing any more", async () => {
    let end: (why: string) => void = () => undefined;
    let isOver = false;
    const bench = createBench({
      wrapStore: (store) => ({
        ...store,
        onEnd: (listener) => (end = listener),
        lanes: (page, now) => (isOver ? Promise.reject(storeError("unavailable")) : store.lanes(page, now)),
      }),
    });
    await bench.accept(track());
    await bench.advance(100);
    isOver = true;
    end("its thread has failed: out of memory");
    expect(bench.relay().health()).toEqual({ kind: "unhealthy", reason: "unavailable" });
    expect(bench.events).toContainEqual({ kind: "store-ended", why: "its thread has failed: out of memory" });
    expect(await call(bench, "m2")).toBe("unavailable");
    await bench.advance(60_000);
    expect(bench.relay().health()).toEqual({ kind: "unhealthy", reason: "unavailable" });
    expect(logged(bench)).toEqual(["error store-ended"]);
  });

  it("does not keep the relay from stopping, though a round under way cannot be settled", async () => {
    let end: (why: string) => void = () => undefined;
    const bench = createBench({
      receivers: { a: { status: 200, afterMs: 1_000 } },
      wrapStore: (store) => ({ ...store, onEnd: (listener) => (end = listener) }),
    });
    await bench.accept(track());
    end("its thread has ended");
    let isStopped = false;
    void bench
      .relay()
      .stop()
      .then(() => (isStopped = true));
    await bench.advance(1_000);
    expect(isStopped).toBe(true);
  });
});
