// What the mutation run tests with: the test files that it names, in their order and in one process, on the sources of the
// copy, with fewer cases for each property.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { resolve, shared } from "../../vitest.config.js";
import { inOrder } from "./in-order.js";

const tests = (process.env["MUTATION_TESTS"] ?? "").split("\n");

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve,
  test: {
    ...shared,
    include: tests,
    setupFiles: ["test/property.ts", "test/mutation/first-failure.ts"],
    env: { POSTRIDER_RUNS: process.env["POSTRIDER_RUNS"] ?? "30" },
    runner: "test/mutation/runner.js",
    sequence: { sequencer: inOrder(tests) },
    maxWorkers: 1,
    isolate: false,
    watch: false,
  },
});
