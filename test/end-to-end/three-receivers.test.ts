import { describe, expect, it } from "vitest";
import { createReceiver, pause } from "./receiver.js";
import { createScene, deliveries, destination, FAST, settled, track } from "./scene.js";
import { serve } from "./server-process.js";

const TIMEOUT_MS = 2500;
const LEASE_MS = TIMEOUT_MS + 5000;
const POLICY = { ...FAST, timeoutMs: TIMEOUT_MS, leaseMs: LEASE_MS };

/** One answers 503, one never answers, one 204. */
async function threeReceivers() {
  const receivers = [await createReceiver(503), await createReceiver("silent"), await createReceiver(204)];
  const scene = createScene([destination(receivers.map(({ url }) => url))], POLICY);
  const counts = () => receivers.map(({ requests }) => requests.length);
  return { config: scene.config, good: receivers[2]!, counts };
}

describe("a destination with three receivers: one fails, one never answers, one takes the message", () => {
  it("is delivered at once, with three attempts in the end and no further request", async () => {
    const { config, good, counts } = await threeReceivers();
    const server = await serve(config);
    const calledAt = Date.now();
    expect(await track(server.url)).toBe(200);
    await settled(server.url, "delivered");
    expect(good.requests[0]!.at - calledAt).toBeLessThan(1000);
    expect(Date.now() - calledAt).toBeLessThan(TIMEOUT_MS);
    const attemptCount = async () => (await settled(server.url, "delivered")).attemptCount;
    await expect.poll(attemptCount).toBe(3);
    const { attempts } = await settled(server.url, "delivered");
    expect(attempts.map(({ status, fault, verdict }) => `${status ?? fault} ${verdict}`).sort()).toEqual([
      "204 success",
      "503 retry",
      "timeout retry",
    ]);
    await pause(1500);
    expect(counts()).toEqual([1, 1, 1]);
    expect((await server.end()).code).toBe(0);
  });

  it("stays delivered, with no further request, when it is killed while the silent one is still open", async () => {
    const { config, good, counts } = await threeReceivers();
    const server = await serve(config);
    await track(server.url);
    await good.count(1);
    await pause(1000);
    await server.kill();
    const again = await serve(config);
    expect((await settled(again.url, "delivered")).state).toBe("delivered");
    // Past the end of any lease that the killed process held.
    await pause(LEASE_MS);
    expect((await deliveries(again.url)).map(({ state }) => state)).toEqual(["delivered"]);
    expect(counts()).toEqual([1, 1, 1]);
  });
});
