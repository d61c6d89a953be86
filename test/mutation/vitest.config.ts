// What the mutation run tests with: core's own tests and the vectors, with fewer cases for each property.

import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { resolve, shared } from "../../vitest.config.js";

export default defineConfig({
  root: fileURLToPath(new URL("../..", import.meta.url)),
  resolve,
  test: {
    ...shared,
    include: ["test/core/**/*.test.ts", "test/vectors/*.test.ts"],
    setupFiles: ["test/property.ts"],
    env: { POSTRIDER_RUNS: "30" },
  },
});
