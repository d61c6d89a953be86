// Deliveries that were stored as claimed and wait in memory for a slot of their lane: none begins with too little of its
// lease left, and when a lane becomes held, all of them are released.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import { LEASE_SLACK_MS } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { type Bench, type BenchOptions, createBench, type Receiver, track } from "./rig.js";

const calls = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => track({ messageId: `${name}${String(index)}` }));

/** A lane whose receiver has answered quickly for long enough that it has a backlog. */
async function openRampedUp(options: BenchOptions): Promise<Bench> {
  const bench = createBench(options);
  for (let burst = 0; burst < 8; burst += 1) {
    await bench.accept(...calls(200, `ramp-${String(burst)}-`));
    await bench.advance(2_000);
  }
  return bench;
}

describe("a queue that is slower than its leases", () => {
  it("begins no round with less of the lease left than an attempt may take", async () => {
    const leases = new Map<string, EpochMs>();
    const delivery = { timeoutMs: 5_000, leaseMs: 10_000 };
    const wrapStore = (store: DeliveryStore): DeliveryStore => ({
      ...store,
      commit: async ({ accept, ...others }, now) => {
        for (const { messageId } of accept) leases.set(messageId, (now + delivery.leaseMs) as EpochMs);
        return store.commit({ accept, ...others }, now);
      },
      claim: async (request, now) => {
        const claimed = await store.claim(request, now);
        for (const { messageId, leaseUntil } of claimed.deliveries) leases.set(messageId, leaseUntil);
        return claimed;
      },
    });
    let isSlow = false;
    const left: number[] = [];
    const receiver: Receiver = ({ at, request }) => {
      const { messageId } = JSON.parse(new TextDecoder().decode(request.body)) as { messageId: string };
      if (isSlow) left.push((leases.get(messageId) ?? 0) - at);
      return { status: 200, afterMs: isSlow ? 4_900 : 10 };
    };
    const bench = await openRampedUp({ delivery, wrapStore, receivers: { a: receiver } });
    isSlow = true;
    await bench.accept(...calls(1_000, "slow-"));
    const atOnce = left.length;
    await bench.advance(60_000);
    expect(left.length).toBeGreaterThan(atOnce);
    expect(Math.min(...left)).toBeGreaterThanOrEqual(delivery.timeoutMs + LEASE_SLACK_MS);
    // Some waited in the backlog for too long, and were released.
    expect(bench.events.some(({ kind }) => kind === "released")).toBe(true);
  });
});

describe("a lane that is held while deliveries wait in its queue", () => {
  it("releases all of them except a probe", async () => {
    let isDown = false;
    const receiver: Receiver = () => (isDown ? { status: 503, afterMs: 100 } : { status: 200 });
    const bench = await openRampedUp({ receivers: { a: receiver } });
    isDown = true;
    await bench.accept(...calls(2_000, "down-"));
    const before = bench.seen.length;
    const stored = await claimedOf(bench);
    await bench.advance(2_000);
    expect(bench.events).toContainEqual({ kind: "lane-held", destination: "crm" });
    const requests = bench.seen.length - before;
    expect(stored).toBeGreaterThan(requests);
    expect(await claimedOf(bench)).toBeLessThanOrEqual(1);
  });

  async function claimedOf(bench: Bench): Promise<number> {
    return (await bench.all()).filter(({ state }) => state === "claimed").length;
  }
});
