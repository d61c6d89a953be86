// A server that may not write, or cannot open a further file.

import { spawnSync } from "node:child_process";
import { chmodSync, chownSync, readdirSync, rmSync } from "node:fs";
import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { basename, dirname } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { createDiskScene } from "./disk-scene.js";
import { until } from "./receiver.js";
import { runProcess, serve } from "./server-process.js";

const OURS = /^(postrider|file)-/;
const NOBODY = 65_534;
const AS_NOBODY = ["setpriv", `--reuid=${String(NOBODY)}`, "--clear-groups"];
const canBeNobody =
  spawnSync("setpriv", [...AS_NOBODY.slice(1), process.execPath, "packages/postrider/bin/postrider.js", "--help"])
    .status === 0;
if (!canBeNobody) console.warn("SKIPPED: a server cannot be run as another user, who may not write");

describe.skipIf(!canBeNobody)("a server that may not write", () => {
  it.each([
    ["its file", (file: string) => chmodSync(dirname(file), 0o777), "no permission to read or write it"],
    ["its folder", (file: string) => chownSync(file, NOBODY, NOBODY), "its folder must be writable by this process"],
  ])("%s does not start, and reports what to do", async (_, allow, words) => {
    const { scene, file } = await createDiskScene();
    const first = await serve(scene.config);
    await first.end();
    for (const beside of ["-wal", "-shm"]) rmSync(`${file}${beside}`, { force: true });
    // The folders of this run, up to the one that all users share.
    for (let folder = dirname(file); OURS.test(basename(folder)); folder = dirname(folder)) chmodSync(folder, 0o755);
    chmodSync(scene.config, 0o644);
    allow(file);
    const program = runProcess(["serve", "--config", scene.config], { command: AS_NOBODY });
    expect((await program.exit).code).not.toBe(0);
    expect(program.err.join("\n")).toContain(words);
  });
});

const FREE_FILES = 10;
const canLimit = spawnSync("prlimit", ["--nofile=64", "true"]).status === 0;
if (!canLimit) console.warn("SKIPPED: prlimit is missing, so no server runs out of files");

describe.skipIf(!canLimit)("a server that cannot open a further file", () => {
  it("answers again once connections are closed, and has lost nothing", async () => {
    const disk = await createDiskScene();
    const server = await serve(disk.scene.config);
    for (let call = 0; call < 5; call += 1) await disk.call(server.url);
    // Set after the start, since loading the modules needs more files.
    const files = readdirSync(`/proc/${String(server.pid)}/fd`).length + FREE_FILES;
    spawnSync("prlimit", ["--pid", String(server.pid), `--nofile=${String(files)}`]);
    const idle = await connectMany(server.url, FREE_FILES * 2);
    const during = await Promise.all(Array.from({ length: 5 }, () => disk.call(server.url)));
    for (const socket of idle) socket.destroy();
    await expect.poll(async () => (await disk.call(server.url)).status).toBe(200);
    await disk.expectNothingLost(server.url);
    console.log(`out of files: callers heard ${during.map(({ status }) => status ?? "nothing").join(" ")}; lost 0`);
    await server.end();
  });
});

describe.skipIf(!canLimit)("a server whose file handles are used up", () => {
  it("reports it in its log and its health, and recovers", async () => {
    const { scene } = await createDiskScene();
    const server = await serve(scene.config);
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const codes = (): readonly string[] => server.log().map(({ code }) => code);
    expect(await healthOver(agent, server.url)).toBe("200 null");
    const files = readdirSync(`/proc/${String(server.pid)}/fd`).length + FREE_FILES;
    spawnSync("prlimit", ["--pid", String(server.pid), `--nofile=${String(files)}`]);
    const idle: Socket[] = [];
    // The server closes idle connections, so that others can be accepted, and keeps a connection that is still used.
    await expect
      .poll(
        async () => {
          const health = await healthOver(agent, server.url);
          const open = idle.filter(({ closed }) => !closed);
          if (open.length < FREE_FILES * 4) idle.push(...(await connectMany(server.url, FREE_FILES)));
          return health;
        },
        { interval: 200 },
      )
      .toBe("503 no-file-handles");
    await expect.poll(codes).toContain("no-file-handles");
    for (const socket of idle) socket.destroy();
    await expect.poll(() => healthOver(agent, server.url)).toBe("200 null");
    await expect.poll(codes).toContain("file-handles-free");
    await server.end();
  });
});

/** Status and reason, or the fault of the connection. */
function healthOver(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve) => {
    const asked = get(`${url}/healthz`, { agent }, (response) => {
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("end", () => {
        const { reason } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly reason: string | null };
        resolve(`${String(response.statusCode)} ${String(reason)}`);
      });
      response.on("error", () => resolve("broken off"));
    });
    asked.on("error", ({ message }) => resolve(message));
  });
}

/** Resolves once the system has opened all of them, whether or not the server could accept them. */
async function connectMany(url: string, count: number): Promise<readonly Socket[]> {
  const { hostname, port } = new URL(url);
  const sockets = Array.from({ length: count }, () => connect(Number(port), hostname).on("error", () => undefined));
  await until(() => sockets.every(({ connecting }) => !connecting), "connections");
  return sockets;
}
