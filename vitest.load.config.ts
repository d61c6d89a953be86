// What takes up to an hour: a server under mixed load, and one that is sent 20,000 expensive requests. Each is a command of
// its own in package.json; the tests beside them do the same in small.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/load/commands/*.ts"],
    // Looking for secrets in all that passes would be part of the load; the tests beside these are looked at.
    setupFiles: ["test/property.ts"],
    fileParallelism: false,
    testTimeout: 7_200_000,
    disableConsoleIntercept: true,
  },
});
