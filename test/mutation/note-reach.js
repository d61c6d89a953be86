// Notes for each test file how long its tests take without a mutant, and how often each of them reaches each mutant: a line
// in the file MUTATION_NOTES.

import { appendFileSync } from "node:fs";
import { relative } from "node:path";
import { switchOff, takeCounts } from "./switch.js";

/** @param {import("vitest/runners").VitestTestRunner} runner */
export function noteReach(runner) {
  const { onCollectStart, onBeforeRunTask, onAfterRunTask, onAfterRunFiles } = runner;
  let tests = [];
  let loading = {};
  let hooks = {};
  let startedAt = 0;
  return Object.assign(runner, {
    onCollectStart(file) {
      onCollectStart.call(runner, file);
      switchOff();
      takeCounts();
      [tests, hooks] = [[], {}];
    },
    onBeforeRunFiles() {
      loading = takeCounts();
    },
    async onBeforeRunTask(test) {
      await onBeforeRunTask.call(runner, test);
      // What was reached since the last test, the hooks of the file or of a suite have reached.
      hooks = sumOf(hooks, takeCounts());
      startedAt = performance.now();
    },
    onAfterRunTask(test) {
      onAfterRunTask.call(runner, test);
      tests.push({ id: test.id, name: test.name, ms: performance.now() - startedAt, hits: takeCounts() });
    },
    onAfterRunFiles(files) {
      onAfterRunFiles.call(runner);
      hooks = sumOf(hooks, takeCounts());
      const path = relative(runner.config.root, files[0].filepath);
      const failed = files.some(({ result }) => result?.state === "fail");
      appendFileSync(process.env["MUTATION_NOTES"], `${JSON.stringify({ path, failed, loading, hooks, tests })}\n`);
    },
  });
}

function sumOf(one, other) {
  const ids = Object.keys({ ...one, ...other });
  return Object.fromEntries(ids.map((id) => [id, (one[id] ?? 0) + (other[id] ?? 0)]));
}
