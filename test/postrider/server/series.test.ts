// The series of a running server and of an embedded Postrider, whose clock is set forward, and what is left of them at the end.

import type { Clock } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { createPostrider } from "../../../packages/postrider/src/index.js";
import { TOKEN, WRITE_KEY } from "../../canary.js";
import { configJson } from "../config-file.js";
import { api, receiverOf, serverOf, track } from "../server.js";
import { createSkippingClock, type SkippingClock } from "../skipping-clock.js";

const INTERVAL_MS = 10_000;

interface Answered {
  readonly calls: { readonly accepted: readonly (number | null)[] };
  readonly destination: Readonly<Record<string, readonly (number | null)[]>>;
}

function sumOf(column: readonly (number | null)[] = []): number {
  return column.reduce<number>((sum, count) => sum + (count ?? 0), 0);
}

/** Sets the clock forward to shortly after the next full 10 seconds. What is due already comes first. */
function endInterval(clock: SkippingClock): void {
  clock.skip(0);
  clock.skip(INTERVAL_MS + 50 - (clock.wall() % INTERVAL_MS));
}

/** The real clock, and the timers of it that are still set. */
function createWatchedClock() {
  const clock = createSystemClock();
  const timers = new Set<object>();
  const after: Clock["after"] = (delayMs, wake) => {
    const timer = {};
    timers.add(timer);
    const cancel = clock.after(delayMs, () => {
      timers.delete(timer);
      wake();
    });
    return () => {
      timers.delete(timer);
      cancel();
    };
  };
  return { clock: { ...clock, after }, timers };
}

describe("GET /api/series of a server", () => {
  it("shows the calls and deliveries of the interval that has ended", async () => {
    const receiver = await receiverOf();
    const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
    const clock = createSkippingClock();
    const { server } = await serverOf(configJson({ apiToken: TOKEN, destinations }), {}, clock);
    await track(server.url, { messageId: "m1" });
    const ask = async (path: string): Promise<unknown> => (await api(server.url, path, TOKEN)).json();
    await expect.poll(() => ask("stats")).toMatchObject({ delivered: 1 });
    endInterval(clock);
    const { calls, destination } = (await ask("series?destination=crm")) as Answered;
    expect([sumOf(calls.accepted), sumOf(destination["delivered"]), sumOf(destination["retries"])]).toEqual([1, 1, 0]);
    expect(sumOf(destination["deliveryP50"])).toBeGreaterThan(0);
    expect(sumOf(destination["requestP99"])).toBeGreaterThan(0);
  });

  it("leaves no timer when the server stops", async () => {
    const { clock, timers } = createWatchedClock();
    const { server } = await serverOf(configJson({ apiToken: TOKEN }), {}, clock);
    expect(timers.size).toBeGreaterThan(0);
    await server.stop();
    expect(timers.size).toBe(0);
  });

  it("leaves no timer when an embedded Postrider is closed", async () => {
    const { clock, timers } = createWatchedClock();
    const sources = [{ id: "website", writeKey: WRITE_KEY }] as const;
    const logger = { log: () => undefined };
    const postrider = await createPostrider({
      store: "memory:",
      sources: [...sources],
      destinations: [],
      clock,
      logger,
    });
    expect(timers.size).toBeGreaterThan(0);
    await postrider.close();
    expect(timers.size).toBe(0);
  });
});
