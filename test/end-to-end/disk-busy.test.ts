// Another process holds the write lock: callers get 503 before their timeout, the server continues to answer meanwhile, and
// delivers the accepted calls as soon as the lock is released.

import { DatabaseSync } from "@photostructure/sqlite";
import { expect, it } from "vitest";
import { createDiskScene, healthOf } from "./disk-scene.js";
import { pause } from "./receiver.js";
import { serve } from "./server-process.js";

const HELD_MS = Number(process.env["POSTRIDER_BUSY_MS"] ?? 3_000);
const CALLERS = 4;
/** Answers of the server while all callers wait; a server that waits for the lock itself gives none. */
const ANSWERS = 10;

it("a writer that holds the lock for seconds causes calls to be answered 503, and has no other effect", async () => {
  const disk = await createDiskScene();
  const server = await serve(disk.scene.config);
  expect((await disk.call(server.url)).status).toBe(200);

  const holder = new DatabaseSync(disk.file);
  holder.exec("begin immediate");
  const endAt = performance.now() + HELD_MS;
  const refusals = () => disk.heard.filter(({ status }) => status === 503);
  let isHeld = true;
  const callers = Array.from({ length: CALLERS }, async () => {
    while (isHeld) await disk.call(server.url);
  });
  const lags: number[] = [];
  let meanwhile = 0;
  while (performance.now() < endAt || refusals().length < CALLERS || meanwhile < ANSWERS) {
    const [heard, before] = [disk.heard.length, performance.now()];
    await healthOf(server.url);
    lags.push(performance.now() - before);
    if (disk.heard.length === heard) meanwhile += 1;
    await pause(20);
  }
  isHeld = false;
  holder.exec("rollback");
  holder.close();
  await Promise.all(callers);

  const refused = refusals();
  for (const { retryAfter } of refused) expect(retryAfter).toMatch(/^\d+$/);
  expect(disk.heard.filter(({ status }) => status !== 200 && status !== 503)).toEqual([]);
  await expect.poll(async () => (await disk.call(server.url)).status).toBe(200);
  await disk.expectNothingLost(server.url);
  const [p50, p99, max] = [0.5, 0.99, 1].map(
    (share) => lags.toSorted((a, b) => a - b)[Math.ceil(share * lags.length) - 1]!,
  );
  console.log(
    `held ${String(HELD_MS)} ms: ${String(refused.length)} calls heard 503; ${String(lags.length)} other answers took ` +
      `${p50!.toFixed(0)} ms, p99 ${p99!.toFixed(0)}, at most ${max!.toFixed(0)}; lost 0`,
  );
  await server.end();
});
