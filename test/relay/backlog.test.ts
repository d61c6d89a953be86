// Deliveries that were stored as claimed and wait in memory for a slot of their lane: none begins with too little of its
// lease left, and when a lane becomes held, all of them are released.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import { LEASE_SLACK_MS } from "@postrider/core/engine";
import { describe, expect, it } from "vitest";
import { type Rig, type RigOptions, createRig, type Receiver, track } from "./rig.js";

const calls = (count: number, name: string) =>
  Array.from({ length: count }, (_, index) => track({ messageId: `${name}${String(index)}` }));

/** A lane whose receiver has answered quickly for long enough that it has a backlog. */
async function openRampedUp(options: RigOptions): Promise<Rig> {
  const rig = createRig(options);
  for (let burst = 0; burst < 8; burst += 1) {
    await rig.accept(...calls(200, `ramp-${String(burst)}-`));
    await rig.advance(2_000);
  }
  return rig;
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
    const leasesLeft: number[] = [];
    const receiver: Receiver = ({ at, request }) => {
      const { messageId } = JSON.parse(new TextDecoder().decode(request.body)) as { messageId: string };
      if (isSlow) leasesLeft.push((leases.get(messageId) ?? 0) - at);
      return { status: 200, afterMs: isSlow ? 4_900 : 10 };
    };
    const rig = await openRampedUp({ delivery, wrapStore, receivers: { a: receiver } });
    isSlow = true;
    await rig.accept(...calls(1_000, "slow-"));
    const atOnce = leasesLeft.length;
    await rig.advance(60_000);
    expect(leasesLeft.length).toBeGreaterThan(atOnce);
    expect(Math.min(...leasesLeft)).toBeGreaterThanOrEqual(delivery.timeoutMs + LEASE_SLACK_MS);
    // Some waited in the backlog for too long, and were released.
    expect(rig.events.some(({ kind }) => kind === "released")).toBe(true);
  });
});

describe("a lane that is held while deliveries wait in its queue", () => {
  it("releases all of them except a probe", async () => {
    let isDown = false;
    const receiver: Receiver = () => (isDown ? { status: 503, afterMs: 100 } : { status: 200 });
    const rig = await openRampedUp({ receivers: { a: receiver } });
    isDown = true;
    await rig.accept(...calls(2_000, "down-"));
    const before = rig.seen.length;
    const claimedCount = await claimedOf(rig);
    await rig.advance(2_000);
    expect(rig.events).toContainEqual(expect.objectContaining({ kind: "lane-held", destination: "crm" }));
    const requests = rig.seen.length - before;
    expect(claimedCount).toBeGreaterThan(requests);
    expect(await claimedOf(rig)).toBeLessThanOrEqual(1);
  });

  async function claimedOf(rig: Rig): Promise<number> {
    return (await rig.all()).filter(({ state }) => state === "claimed").length;
  }
});
