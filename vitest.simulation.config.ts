// What plays thousands of seeds. Each is a command of its own in package.json; the tests beside them do the same in small.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/simulation/commands/*.ts"],
    fileParallelism: false,
    testTimeout: 1_800_000,
    disableConsoleIntercept: true,
  },
});
