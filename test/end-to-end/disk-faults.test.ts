// Reads, writes and syncs that fail: what is broken in the middle fails that one call, stops the store for good, turns
// health red, and loses nothing that was answered. The command `npm run soak -- disk` does it at every single system call.

import { describe, expect, it } from "vitest";
import { canTrace, warnWithoutTrace } from "../crash/can-trace.js";
import { liveThrough, type LifeTold } from "./disk-scene.js";

warnWithoutTrace("makes a sync fail");

/** When calls come in together with the ends of rounds, how many system calls each makes depends on the machine. */
const MANY = 200;

/** After the first call that failed, none succeeds, though the disk is well again. */
function expectStopped({ kind, heard, health }: LifeTold): void {
  expect(kind).toBe("failed");
  expect(health).toEqual({ healthy: false, reason: "corrupt" });
  const statuses = heard.map(({ status }) => status);
  const firstFailed = statuses.indexOf(503);
  expect(firstFailed).toBeGreaterThan(-1);
  expect(statuses.slice(0, firstFailed)).toEqual(Array.from({ length: firstFailed }, () => 200));
  expect(statuses.slice(firstFailed)).toEqual(Array.from({ length: statuses.length - firstFailed }, () => 503));
  for (const { status, retryAfter } of heard) expect(retryAfter === null).toBe(status === 200);
}

describe.skipIf(!canTrace)("a server on a disk that fails once", () => {
  it("at a sync while calls come in stops for good, and has lost nothing once it is started again", async () => {
    expectStopped(await liveThrough({ inject: "fsync,fdatasync:error=EIO:when=20", calls: MANY }));
  });

  it("at a write while calls come in stops for good, and has lost nothing once it is started again", async () => {
    expectStopped(await liveThrough({ inject: "pwrite64:error=EIO:when=170", calls: MANY }));
  });

  it("at a sync while it opens its file does not start, says so, and starts the next time", async () => {
    const told = await liveThrough({ inject: "fsync,fdatasync:error=EIO:when=4", calls: 1 });
    expect(told.kind).toBe("refused");
    expect(told.words).toContain("disk I/O error; nothing that was answered is lost by that: check the disk");
  });
});
