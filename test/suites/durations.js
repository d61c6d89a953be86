// A reporter of Vitest that notes for each test file how long it took, for the dearest ones at the end of a suite. A function that
// answers with an object, since Vitest constructs what it finds here.

import { appendFileSync } from "node:fs";

// eslint-disable-next-line no-restricted-syntax -- what Vitest asks of a reporter
export default function createReporter() {
  const file = process.env["POSTRIDER_DURATIONS"];
  return {
    /** @param {import("vitest/node").TestModule} testModule */
    onTestModuleEnd(testModule) {
      const { collectDuration, duration } = testModule.diagnostic();
      const row = { file: testModule.relativeModuleId, project: testModule.project.name };
      appendFileSync(file, `${JSON.stringify({ ...row, loadMs: collectDuration, testMs: duration })}\n`);
    },
  };
}
