// Before a run: builds, and makes one temporary folder for the whole run, so that nothing stays of it, not even of test
// files whose tests are all left out and that never come to clean up.

import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { build } from "./build.js";

/** Vitest calls it before the run, and what it answers after it. */
export function setup(): () => void {
  build();
  const outside = tmpdir();
  const folder = mkdtempSync(join(outside, "postrider-run-"));
  process.env["TMPDIR"] = folder;
  return () => {
    process.env["TMPDIR"] = outside;
    rmSync(folder, { recursive: true, force: true, maxRetries: 5 });
  };
}
