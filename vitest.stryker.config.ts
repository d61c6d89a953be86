// What the mutation run tests with: core's own tests and the vectors, with fewer cases for each property.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/core/**/*.test.ts", "test/vectors/*.test.ts"],
    setupFiles: ["test/property.ts"],
    env: { POSTRIDER_RUNS: "30" },
  },
});
