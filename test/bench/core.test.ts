// Core and the code that it is compared with give the same result, byte for byte.

import { expect, it } from "vitest";
import { BENCH_TIMEOUT_MS, resultsOf, runBench } from "./run-bench.js";

it("core and the bare code make the same bytes and signature", { timeout: BENCH_TIMEOUT_MS }, async () => {
  const { found } = await runBench("core");
  const results = resultsOf(found);
  expect(results.map(([name]) => name).sort()).toEqual(
    ["bare", "bare again", "core", "core again"].flatMap((name) => [name, name]),
  );
  expect(new Set(results.map(([, { bytes, signature }]) => `${bytes} ${signature}`)).size).toBe(1);
});
