// Reads, writes and syncs that fail: a fault while the server runs fails one call, stops the store for good and is reported
// by health, and loses no answered call. The command `npm run soak -- disk` tests a fault at every system call.

import { describe, expect, it } from "vitest";
import { canTrace, warnWithoutTrace } from "../crash/can-trace.js";
import { callsOfAStart, liveThrough, type LifeTold } from "./disk-scene.js";

warnWithoutTrace("makes a sync fail");

/** If calls arrive while rounds end, the number of system calls depends on the machine. */
const MANY = 200;
const SYNCS = "fsync,fdatasync";
const WRITES = "pwrite64";

/** A fault in a system call that some calls have made before, after those of the start. */
async function afterTheStart(names: string, later: number): Promise<string> {
  return `${names}:error=EIO:when=${String((await callsOfAStart(names)) + later)}`;
}

/** After the first call that failed, none succeeds, although the disk works again. */
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
  it("at a sync while calls arrive stops for good, and has lost nothing after a restart", async () => {
    expectStopped(await liveThrough({ inject: await afterTheStart(SYNCS, 5), calls: MANY }));
  });

  it("at a write while calls arrive stops for good, and has lost nothing after a restart", async () => {
    expectStopped(await liveThrough({ inject: await afterTheStart(WRITES, 20), calls: MANY }));
  });

  it("at a sync while it opens its file does not start, reports that, and starts the next time", async () => {
    const told = await liveThrough({ inject: `${SYNCS}:error=EIO:when=4`, calls: 1 });
    expect(told.kind).toBe("refused");
    expect(told.words).toContain("disk I/O error; nothing that was answered is lost by that: check the disk");
  });
});
