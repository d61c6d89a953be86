// What Vitest runs the files with: notes what each test reaches (MUTATION_NOTES), or plays mutants (MUTATION_PLAN). A function
// that answers with an object, since Vitest constructs what it finds here.

import { noteReach } from "./note-reach.js";
import { playFile } from "./play-file.js";
import { TestRunner, vi } from "vitest";

// eslint-disable-next-line no-restricted-syntax -- what Vitest asks of a runner
export default function createRunner(config) {
  const runner = new TestRunner(config);
  // Each file loads its modules anew, in a process that stays.
  runner.onBeforeCollect = () => void vi.resetModules();
  return process.env["MUTATION_PLAN"] === undefined ? noteReach(runner) : playFile(runner);
}
