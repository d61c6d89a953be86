// Bad disks in large: a thousand damaged files, a fault at every system call. The tests beside the commands
// do the same in small.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/{sqlite,end-to-end}/commands/*.ts"],
    fileParallelism: false,
    testTimeout: 1_800_000,
    disableConsoleIntercept: true,
  },
});
