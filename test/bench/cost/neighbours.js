// Programs beside a measurement that take all the CPU that they get, as other tenants of a machine do. Each ends by itself, whatever
// becomes of the bench.

import { spawn } from "node:child_process";
import { endProcess, outlived } from "../processes.js";
import { RUN_MS, WARM_UP_MS } from "../settings.js";

/** A run takes no longer, with its start and its end. */
const MAX_MS = RUN_MS + WARM_UP_MS + 60_000;

/** Starts this many; `stop()` ends them. */
export function startNeighbours(count) {
  const program = `const endAt = Date.now() + ${MAX_MS}; while (Date.now() < endAt);`;
  const children = Array.from({ length: count }, () => outlived(spawn(process.execPath, ["-e", program])));
  return { stop: () => Promise.all(children.map((child) => endProcess(child, "SIGKILL"))) };
}
