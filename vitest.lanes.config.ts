// What shows lanes beside each other on the real server, as `npm run test:lanes`. test/simulation/fair-share.test.ts shows
// the same on a clock that moves when told.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/end-to-end/lanes/beside.ts"],
    // Looking for secrets in all that is written would take longer than writing it.
    setupFiles: ["test/property.ts"],
    testTimeout: 300_000,
    disableConsoleIntercept: true,
  },
});
