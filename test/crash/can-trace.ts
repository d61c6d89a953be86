// Whether this machine has strace, and may use it.

import { spawnSync } from "node:child_process";

export const canTrace: boolean = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

/** For the parts that need it: says loudly what is not done. */
export function warnWithoutTrace(part: string): void {
  if (!canTrace) console.warn(`SKIPPED: strace is missing, so nobody ${part}`);
}
