// What the mutation run tests with: the test files that it names, in their order and in one process, on the sources of the
// copy, with fewer cases for each property. A mutant of SQL is an edit of a source as it is loaded.

import { fileURLToPath } from "node:url";
import { defineConfig, type ViteUserConfig } from "vitest/config";
import { resolve, shared } from "../../vitest.config.js";
import { inOrder } from "./in-order.js";

const ROOT = fileURLToPath(new URL("../..", import.meta.url));
const tests = (process.env["MUTATION_TESTS"] ?? "").split("\n");
/** Absent for a run that switches mutants on by itself; null for one without a mutant. */
const edit = process.env["MUTATION_EDIT"];

const bySwitch: ViteUserConfig["test"] = {
  setupFiles: ["test/property.ts", "test/mutation/first-failure.ts"],
  env: { POSTRIDER_RUNS: process.env["POSTRIDER_RUNS"] ?? "30" },
  runner: "test/mutation/runner.js",
  sequence: { sequencer: inOrder(tests) },
};

/** Longer than any of these tests takes on a machine that is busy. */
const EDITED_WATCHDOG_MS = 240_000;
/** Ends a wait for what a mutant has prevented. */
const EDITED_CONDITION_MS = 30_000;

const byEdit: ViteUserConfig["test"] = {
  setupFiles: ["test/property.ts"],
  testTimeout: EDITED_WATCHDOG_MS,
  hookTimeout: EDITED_WATCHDOG_MS,
  expect: { poll: { timeout: EDITED_CONDITION_MS, interval: 20 } },
};

export default defineConfig({
  root: ROOT,
  resolve,
  plugins: edit === undefined ? [] : [editOf(JSON.parse(edit) as Edit | null)],
  test: {
    ...shared,
    include: tests,
    ...(edit === undefined ? bySwitch : byEdit),
    maxWorkers: 1,
    isolate: false,
    watch: false,
  },
});

interface Edit {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

function editOf(wanted: Edit | null): NonNullable<ViteUserConfig["plugins"]>[number] {
  return {
    name: "edit",
    enforce: "pre",
    transform: (code, id) =>
      wanted !== null && id === ROOT + wanted.file ? code.replace(wanted.from, () => wanted.to) : null,
  };
}
