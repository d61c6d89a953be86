// A full disk: callers get 503 with Retry-After, health reports the reason, and once there is space the server continues by
// itself. The disk is a real file system of a few megabytes in memory, which requires a superuser.

import { spawnSync } from "node:child_process";
import { dirname } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { createDiskScene, healthOf } from "./disk-scene.js";
import { destination } from "./scene.js";
import { serve } from "./server-process.js";

const MAX_CALLS = 400;
const CALL_BYTES = 20_000;

function mount(folder: string, options: string): boolean {
  return spawnSync("mount", ["-t", "tmpfs", "-o", options, "tmpfs", folder]).status === 0;
}

function unmount(folder: string): void {
  spawnSync("umount", ["-l", folder]);
}

const canMount = mount("/mnt", "size=64k");
if (canMount) unmount("/mnt");
else console.warn("SKIPPED: no file system can be mounted here, so no disk is filled");

it.skipIf(!canMount)(
  "a full disk is reported to callers and by health, and the server continues once there is space",
  async () => {
    const disk = await createDiskScene();
    const folder = dirname(disk.file);
    expect(mount(folder, "size=1200k")).toBe(true);
    onTestFinished(() => unmount(folder));
    disk.scene.rewrite([destination([disk.receiver.url])]);
    const server = await serve(disk.scene.config);

    let calls = 0;
    while ((await disk.call(server.url, CALL_BYTES)).status === 200 && calls < MAX_CALLS) calls += 1;
    expect(disk.heard.at(-1)).toMatchObject({ status: 503, retryAfter: expect.stringMatching(/^\d+$/) as string });
    expect(await healthOf(server.url)).toEqual({ healthy: false, reason: "full" });
    for (let call = 0; call < 5; call += 1) expect((await disk.call(server.url, CALL_BYTES)).status).toBe(503);

    expect(mount(folder, "remount,size=16m")).toBe(true);
    await expect.poll(async () => (await disk.call(server.url, CALL_BYTES)).status).toBe(200);
    expect(await healthOf(server.url)).toEqual({ healthy: true, reason: null });
    const repeated = await disk.expectNothingLost(server.url);
    console.log(`full after ${String(calls)} calls; then 503; then on; lost 0, sent twice ${String(repeated)}`);
    expect((await server.end()).code).toBe(0);
  },
);
