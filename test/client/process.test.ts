// The effects of a client on its process. Real processes, on the build.

import { execFile } from "node:child_process";
import { createServer } from "node:http";
import { fileURLToPath } from "node:url";
import { describe, expect, it, onTestFinished } from "vitest";
import { close, listen } from "../loopback.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";

const FOLDER = fileURLToPath(new URL("programs", import.meta.url));

interface Ran {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

function run(args: readonly string[], env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return new Promise((resolve) => {
    const options = { cwd: FOLDER, env: { ...process.env, ...env }, timeout: CONDITION_WATCHDOG_MS };
    const child = execFile(process.execPath, args, options, (_, stdout, stderr) => {
      resolve({ code: child.exitCode, stdout, stderr });
    });
  });
}

function play(program: string, env: NodeJS.ProcessEnv = {}): Promise<Ran> {
  return run(["--input-type=module", "--eval", `import { createClient } from "@postrider/client";\n${program}`], env);
}

async function slowServer(delayMs: number): Promise<{ readonly url: string; readonly batches: () => number }> {
  let batches = 0;
  const server = createServer((request, response) => {
    request.resume().on("end", () => {
      batches += 1;
      setTimeout(() => response.end("{}"), delayMs);
    });
  });
  const port = await listen(server);
  onTestFinished(() => close(server));
  return { url: `http://127.0.0.1:${port}`, batches: () => batches };
}

// No process listens there: port 9 is "discard".
const UNUSED_URL = "http://127.0.0.1:9";

describe("a process with a client", () => {
  it("is not kept up by calls that wait", async () => {
    const ran = await play(
      `createClient("key", { endpoint: "${UNUSED_URL}", flushAfterMs: 3_600_000 }).track({ userId: "u1", event: "e" });`,
    );
    expect(ran).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("is kept up while a flush is awaited, through retries", async () => {
    const ran = await play(`
      const client = createClient("key", { endpoint: "${UNUSED_URL}", maxRetries: 2, firstRetryMs: 50 });
      client.track({ userId: "u1", event: "e" });
      console.log(JSON.stringify(await client.flush()));`);
    expect(ran).toEqual({ code: 0, stdout: '{"delivered":0,"failed":1,"pending":0}\n', stderr: "" });
  });

  it("loses nothing when it closes before it ends", async () => {
    const { url, batches } = await slowServer(300);
    const ran = await play(`
      const client = createClient("key", { endpoint: "${url}" });
      for (let n = 0; n < 100; n += 1) client.track({ userId: "u1", event: "e" });
      console.log(JSON.stringify(await client.close()));`);
    expect(ran).toEqual({ code: 0, stdout: '{"undelivered":[]}\n', stderr: "" });
    expect(batches()).toBe(5);
  });

  it("logs what it does if DEBUG names analytics, and never its key", async () => {
    const { url } = await slowServer(0);
    const program = `
      const client = createClient("HIDDEN-key", { endpoint: "${url}" });
      client.track({ userId: "u1", event: "e" });
      await client.close();`;
    for (const DEBUG of ["other,analytics", "*", "analytics*", "other analytics:*"]) {
      const told = await play(program, { DEBUG });
      expect(told.stderr).toContain('analytics debug {"code":"batch-sent","calls":1');
      expect(told.stderr).not.toMatch(/HIDDEN|SElEREVO/);
    }
    expect(await play(program, { DEBUG: "other" })).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("uses little memory while its server is down: calls without room are refused, queued ones end once", async () => {
    const ran = await run(["--max-old-space-size=96", "server-down.js", UNUSED_URL, "100000"]);
    expect(ran).toMatchObject({ code: 0, stderr: "" });
    const { queued, full, told, delivered, failed, undelivered, mostBytes } = JSON.parse(ran.stdout) as Record<
      string,
      number
    >;
    expect(queued! + full!).toBe(100_000);
    expect(delivered).toBe(0);
    expect(failed).toBe(queued);
    expect(told).toBe(full);
    expect(undelivered).toBeLessThanOrEqual(10_000);
    expect(mostBytes! / 1_048_576).toBeLessThan(256);
  });
});
