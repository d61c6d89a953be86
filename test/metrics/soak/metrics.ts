// `npm run soak -- metrics`: ten thousand simulated lives, each counted by a registry and a second time without it; not one number
// may differ. `--runs` plays fewer or more, and `--seed` begins with another one than the first.

import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { countLife, PLAYED } from "../counted-life.js";

const STEPS = 20;

it("a registry counts what there was, in every life", async () => {
  const lives = Number(process.env["POSTRIDER_RUNS"] ?? 10_000);
  const first = Number(process.env["POSTRIDER_SEED"] ?? 1);
  const seen = new Set<string>();
  const sum = { lives: 0, crashes: 0, calls: 0, requests: 0, events: 0, points: 0 };
  const startedAt = performance.now();
  const { user: userBefore, system: systemBefore } = process.cpuUsage();
  const progress = (): void => {
    const { user, system } = process.cpuUsage();
    const cpuMs = (user + system - userBefore - systemBefore) / 1_000;
    const tookS = Math.round((performance.now() - startedAt) / 1_000);
    console.log(JSON.stringify({ ...sum, tookS, cpuMsPerLife: Number((cpuMs / sum.lives).toFixed(1)) }));
  };
  for (let seed = first; seed < first + lives; seed += 1) {
    const { events, replies, receipts, crashes, points } = await countLife(seed);
    for (const { kind } of events) seen.add(kind);
    sum.lives += 1;
    sum.crashes += crashes;
    sum.calls += receipts.length;
    sum.requests += replies.length;
    sum.events += events.length;
    sum.points += points;
    if (sum.lives % Math.ceil(lives / STEPS) === 0 || sum.lives === lives) progress();
  }
  expect([...seen]).toEqual(expect.arrayContaining([...PLAYED]));
});
