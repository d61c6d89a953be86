import { describe, expect, it } from "vitest";
import { createReceiver, pause } from "./receiver.js";
import { createScene, deliveries, destination, FAST, settled, SHORT_LEASE, track } from "./scene.js";
import { serve } from "./server-process.js";

/** The first answers 503, the second never answers, the third answers 204. */
async function threeReceivers(policy: typeof FAST) {
  const receivers = [await createReceiver(503), await createReceiver("silent"), await createReceiver(204)];
  const scene = createScene([destination(receivers.map(({ url }) => url))], policy);
  const counts = () => receivers.map(({ requests }) => requests.length);
  return { config: scene.config, silent: receivers[1]!, counts };
}

describe("a destination with three receivers: one fails, one never answers, one accepts the message", () => {
  it("is delivered at once, with three attempts in the end and no further request", async () => {
    const { config, silent, counts } = await threeReceivers({ ...FAST, timeoutMs: 3_600_000, leaseMs: 7_200_000 });
    const server = await serve(config);
    expect(await track(server.url)).toBe(200);
    await silent.count(1);
    await settled(server.url, "delivered");
    // Only now does the attempt without an answer time out.
    await silent.down();
    const attemptCount = async () => (await settled(server.url, "delivered")).attemptCount;
    await expect.poll(attemptCount).toBe(3);
    const { attempts } = await settled(server.url, "delivered");
    expect(attempts.map(({ status, fault, verdict }) => `${status ?? fault} ${verdict}`).sort()).toEqual([
      "204 success",
      "503 retry",
      "connection-closed retry",
    ]);
    await silent.up();
    await pause(1500);
    expect(counts()).toEqual([1, 1, 1]);
    expect((await server.end()).code).toBe(0);
  });

  it("stays delivered, with no further request, when it is killed while the silent one is still open", async () => {
    const { config, counts } = await threeReceivers(SHORT_LEASE);
    const server = await serve(config);
    await track(server.url);
    await settled(server.url, "delivered");
    await server.kill();
    const again = await serve(config);
    expect((await settled(again.url, "delivered")).state).toBe("delivered");
    // After the end of every lease of the killed process.
    await pause(SHORT_LEASE.leaseMs);
    expect((await deliveries(again.url)).map(({ state }) => state)).toEqual(["delivered"]);
    expect(counts()).toEqual([1, 1, 1]);
  });
});
