// Tests run on the sources: each package name resolves to its src, so nothing has to be built first.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

/** Watchdogs: they end what hangs, and say nothing about speed. A busy machine must never reach them. */
const TEST_WATCHDOG_MS = 300_000;
const CONDITION_WATCHDOG_MS = 120_000;

const packages = fileURLToPath(new URL("packages/", import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@postrider\/(core|client|simulator|testkit)\/(\w+)$/, replacement: `${packages}$1/src/$2/index.ts` },
      { find: /^@postrider\/(\w+)$/, replacement: `${packages}$1/src/index.ts` },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    // Programs of strangers, who run their own tests in their own folders.
    exclude: ["test/strangers/*/**"],
    globalSetup: ["test/temp-folder.ts"],
    setupFiles: ["test/property.ts", "test/canary-watch.ts"],
    testTimeout: TEST_WATCHDOG_MS,
    hookTimeout: TEST_WATCHDOG_MS,
    teardownTimeout: TEST_WATCHDOG_MS,
    expect: { poll: { timeout: CONDITION_WATCHDOG_MS, interval: 20 } },
    coverage: {
      provider: "v8",
      include: ["packages/core/src/**/*.ts"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
