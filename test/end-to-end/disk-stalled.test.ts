// A disk whose syncs do not return, and a thread of the store that has died or runs in an endless loop. Callers get 503
// instead of waiting, health and the log report the reason, the process ends when asked to, or by itself if the store has
// ended, and no answered call is lost. An endless wait would make the test time out.

import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../canary.js";
import { canTrace, warnWithoutTrace } from "../crash/can-trace.js";
import { callsOfAStart, createDiskScene, type DiskScene, healthOf, tracer } from "./disk-scene.js";
import { until } from "./receiver.js";
import { type RunOptions, serve, type ServerProcess } from "./server-process.js";

warnWithoutTrace("makes a disk stand still");

/** Longer than any test, so that a sync does not return. Microseconds. */
const FOR_EVER_US = 600_000_000;
/** Syncs of calls that return, before the first that does not. */
const SYNCS_THAT_RETURN = 4;
const SYNCS = "fsync,fdatasync";
const MAX_CALLS = 60;
const TROUBLED = fileURLToPath(new URL("programs/troubled-thread.js", import.meta.url));

async function withStuckSyncs(file: string): Promise<RunOptions> {
  const first = (await callsOfAStart(SYNCS)) + SYNCS_THAT_RETURN + 1;
  const inject = `inject=${SYNCS}:delay_enter=${String(FOR_EVER_US)}:when=${String(first)}+`;
  return { command: tracer(join(dirname(file), "trace"), `trace=${SYNCS}`, inject) };
}

function withTrouble(file: string, trouble: string): RunOptions {
  const at = join(dirname(file), "trouble");
  return { env: { TROUBLE: trouble, TROUBLE_AT: at, NODE_OPTIONS: `--import=${TROUBLED}` } };
}

/** The tracer ends later than its process, because of its delays, and keeps its output open. */
function tracerOf({ pid }: ServerProcess): number {
  const status = readFileSync(`/proc/${String(pid)}/status`, "utf8");
  return Number(/^TracerPid:\s*(\d+)$/m.exec(status)?.[1]);
}

/** Whether the process has ended, even if its tracer keeps it as a zombie in the list of processes. */
function hasLeft({ pid }: ServerProcess): boolean {
  try {
    return /^State:\s*Z/m.test(readFileSync(`/proc/${String(pid)}/status`, "utf8"));
  } catch {
    return true;
  }
}

function endTracer(tracer: number): void {
  if (existsSync(`/proc/${String(tracer)}`)) process.kill(tracer, "SIGKILL");
}

async function callUntilRefused(disk: DiskScene, url: string): Promise<void> {
  for (let call = 0; call < MAX_CALLS; call += 1) {
    if ((await disk.call(url)).status !== 200) return;
  }
  throw new Error("every call was taken");
}

/** Expects that callers, an operator and a watchdog are told, and that the log reports it once. */
async function expectStalled(disk: DiskScene, server: ServerProcess): Promise<void> {
  expect(disk.heard.at(-1)).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) as string });
  expect(await healthOf(server.url)).toEqual({ healthy: false, reason: "stalled" });
  expect((await disk.call(server.url)).status).toBe(503);
  for (const path of ["stats", "deliveries", "audiences", "deletions"]) {
    const answer = await fetch(`${server.url}/api/${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
    expect([path, answer.status, answer.headers.get("retry-after")]).toEqual([path, 503, "5"]);
  }
  const told = server.log().filter(({ code }) => code.startsWith("store-"));
  expect(told.map(({ level, code }) => `${level} ${code}`)).toEqual(["error store-stalled"]);
}

async function expectNothingLost(disk: DiskScene): Promise<void> {
  const again = await serve(disk.scene.config);
  await disk.expectNothingLost(again.url);
  expect((await again.end()).code).toBe(0);
}

describe.skipIf(!canTrace)("a server on a disk that hangs", () => {
  it.each(["a signal", "a second signal"])("reports it, answers 503, and ends at %s", async (which) => {
    const disk = await createDiskScene();
    const server = await serve(disk.scene.config, await withStuckSyncs(disk.file));
    const tracer = tracerOf(server);
    onTestFinished(() => endTracer(tracer));
    await callUntilRefused(disk, server.url);
    await expectStalled(disk, server);
    server.signal("SIGTERM");
    if (which === "a second signal") server.signal("SIGTERM");
    await until(() => hasLeft(server), "the end of the process");
    endTracer(tracer);
    expect(await server.exit).toEqual({ code: null, signal: "SIGTERM" });
    await expectNothingLost(disk);
  });
});

describe("a server whose store's thread runs in an endless loop", () => {
  it("reports it, answers 503, and ends at a signal", async () => {
    const disk = await createDiskScene();
    const server = await serve(disk.scene.config, withTrouble(disk.file, "loop"));
    expect((await disk.call(server.url)).status).toBe(200);
    writeFileSync(join(dirname(disk.file), "trouble"), "");
    await callUntilRefused(disk, server.url);
    await expectStalled(disk, server);
    expect((await server.end()).code).toBe(0);
    await expectNothingLost(disk);
  });
});

describe("a server whose store's thread dies", () => {
  it.each([
    ["throw", "a fault of the test's own"],
    ["exit", "has ended"],
  ])("by %s logs the reason and ends with status 1, and the next server continues", async (trouble, words) => {
    const disk = await createDiskScene();
    const server = await serve(disk.scene.config, withTrouble(disk.file, trouble));
    expect((await disk.call(server.url)).status).toBe(200);
    writeFileSync(join(dirname(disk.file), "trouble"), "");
    expect(await server.exit).toEqual({ code: 1, signal: null });
    const ends = server.log().filter(({ code }) => code === "store-ended");
    expect(ends).toMatchObject([{ level: "error", detail: expect.stringContaining(words) as string }]);
    await expectNothingLost(disk);
  });
});
