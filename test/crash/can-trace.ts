// Decides whether strace can be used on this machine.

import { spawnSync } from "node:child_process";

export const canTrace: boolean = spawnSync("strace", ["-qq", "-o", "/dev/null", "true"]).status === 0;

/** Warns that a part of a run is skipped, since it needs strace. */
export function warnWithoutTrace(part: string): void {
  if (!canTrace) console.warn(`SKIPPED: strace is missing, so there are no ${part}`);
}
