// `npm run soak -- seeds`: ten thousand seeds, two processes side by side, not one promise broken. `--runs` plays fewer or more.

import { performance } from "node:perf_hooks";
import { expect, it } from "vitest";
import { PROGRAM, playSeeds } from "../play-seeds.js";

const WORKERS = 2;

it("every seed keeps every promise", async () => {
  const runs = Number(process.env["POSTRIDER_RUNS"] ?? 10_000);
  const startedAt = performance.now();
  const parts = await Promise.all(
    Array.from({ length: WORKERS }, (_, worker) =>
      playSeeds(PROGRAM, { from: 1 + worker, until: 1 + runs, step: WORKERS }),
    ),
  );
  const tookS = (performance.now() - startedAt) / 1_000;
  const sum = (of: (part: (typeof parts)[number]) => number): number => parts.reduce((all, part) => all + of(part), 0);
  const failed = parts.flatMap((part) => part.failed);
  console.log({
    seeds: sum((part) => part.seeds),
    tookS: Number(tookS.toFixed(1)),
    cpuMsPerSeed: Number((sum((part) => part.cpuMs) / runs).toFixed(1)),
    calls: sum((part) => part.calls),
    deliveries: sum((part) => part.deliveries),
    requests: sum((part) => part.requests),
    processes: sum((part) => part.processes),
    virtualDays: Math.round(sum((part) => part.virtualMs) / 86_400_000),
    failed: failed.length,
  });
  for (const { message } of failed.slice(0, 3)) console.log(message);
  expect(failed.map(({ seed, checks }) => ({ seed, checks }))).toEqual([]);
});
