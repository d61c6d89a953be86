// What takes minutes of the calling library: 100,000 calls against a server that fails in every way.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/client/commands/*.ts"],
    fileParallelism: false,
    testTimeout: 1_800_000,
    disableConsoleIntercept: true,
  },
});
