import { createManualClock } from "@postrider/memory";
import { epochMs } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createExpiryWatch } from "../../../../packages/postrider/src/server/tls/certificate-in-use.js";
import type { Logged } from "../../server.js";

const DAY_MS = 86_400_000;

/** A watch of a certificate that is valid for this time from the start on. */
function watched(leftMs: number) {
  const log: Logged[] = [];
  const clock = createManualClock();
  const watch = createExpiryWatch(clock, { log: (level, entry) => void log.push({ level, ...entry }) });
  const start = (ms: number): void => watch.start("tls.crt", epochMs(clock.wall() + ms));
  start(leftMs);
  return { clock, watch, start, log, codes: () => log.map(({ code }) => code) };
}

describe("the expiry of a certificate", () => {
  it("is not told while the certificate is valid for more than 14 days", async () => {
    const { clock, codes } = watched(15 * DAY_MS);
    await clock.advance(DAY_MS - 1);
    expect(codes()).toEqual([]);
  });

  it("is told 14 days before, and once more when it has expired", async () => {
    const { clock, log } = watched(15 * DAY_MS);
    const detail = "tls.crt is valid until 2026-01-16T00:00:00.000Z";
    await clock.advance(DAY_MS);
    expect(log).toEqual([{ level: "warning", code: "certificate-expires-soon", detail }]);
    await clock.advance(14 * DAY_MS);
    expect(log).toHaveLength(1);
    await clock.advance(1_000);
    expect(log.slice(1)).toEqual([{ level: "error", code: "certificate-expired", detail }]);
    await clock.advance(30 * DAY_MS);
    expect(log).toHaveLength(2);
  });

  it("is told at once when it is near", () => {
    expect(watched(DAY_MS).codes()).toEqual(["certificate-expires-soon"]);
  });

  it("is told by the wall clock, within an hour after that was set", async () => {
    const { clock, codes } = watched(100 * DAY_MS);
    clock.stepWall(101 * DAY_MS);
    await clock.advance(3_600_000);
    expect(codes()).toEqual(["certificate-expired"]);
  });

  it("is told of the certificate in use, not of the one before", async () => {
    const { clock, start, codes } = watched(DAY_MS);
    start(100 * DAY_MS);
    await clock.advance(2 * DAY_MS);
    expect(codes()).toEqual(["certificate-expires-soon"]);
  });

  it("is not told after the watch was stopped, and no timer is left", async () => {
    const { clock, watch, codes } = watched(15 * DAY_MS);
    watch.stop();
    expect(clock.nextTimerAt()).toBeUndefined();
    await clock.advance(16 * DAY_MS);
    expect(codes()).toEqual([]);
  });
});
