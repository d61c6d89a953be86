// Tests run on the sources: each package name resolves to its src, so nothing has to be built first.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const packages = fileURLToPath(new URL("packages/", import.meta.url));

export default defineConfig({
  resolve: {
    alias: [
      { find: /^@postrider\/(core|client|testkit)\/(\w+)$/, replacement: `${packages}$1/src/$2/index.ts` },
      { find: /^@postrider\/(\w+)$/, replacement: `${packages}$1/src/index.ts` },
    ],
  },
  test: {
    include: ["test/**/*.test.ts"],
    // Programs of strangers, who run their own tests in their own folders.
    exclude: ["test/strangers/*/**"],
    globalSetup: ["test/temp-folder.ts"],
    setupFiles: ["test/property.ts", "test/canary-watch.ts"],
    testTimeout: 20_000,
    coverage: {
      provider: "v8",
      include: ["packages/core/src/**/*.ts"],
      thresholds: { lines: 100, branches: 100, functions: 100, statements: 100 },
    },
  },
});
