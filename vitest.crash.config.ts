// What takes a quarter of an hour: the crash harness in full, as `npm run test:crash`. The tests beside it do the same in
// small.

import { defineConfig } from "vitest/config";
import base from "./vitest.config.js";

export default defineConfig({
  ...base,
  test: {
    ...base.test,
    include: ["test/crash/commands/*.ts"],
    // Looking for secrets in all that is written would take longer than writing it; the tests beside these are looked at.
    setupFiles: ["test/property.ts"],
    testTimeout: 3_600_000,
    hookTimeout: 600_000,
    disableConsoleIntercept: true,
  },
});
