// What takes minutes: receivers with the real deadline, a million addresses, ten thousand handshakes. Each is a command
// of its own in package.json; the tests beside them do the same in small.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/hostile/commands/*.ts"],
    fileParallelism: false,
    testTimeout: 1_800_000,
    disableConsoleIntercept: true,
  },
});
