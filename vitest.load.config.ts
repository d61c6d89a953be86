// What takes an hour: a server under mixed load. The tests beside the command do the same in small.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/load/commands/*.ts"],
    // Looking for secrets in all that passes would be part of the load; the tests beside these are looked at.
    setupFiles: ["test/property.ts"],
    testTimeout: 7_200_000,
    disableConsoleIntercept: true,
  },
});
