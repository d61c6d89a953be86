// Starts programs so that the probe is in each of their threads. A child that was started with this environment and an IPC channel
// answers the questions of a meter.

import { fileURLToPath } from "node:url";
import { askOf } from "../processes.js";

const PROBE = fileURLToPath(new URL("probe.cjs", import.meta.url));

/** By NODE_OPTIONS, since the arguments of a program do not reach threads that it starts with other ones. */
export function probedEnv(more = {}) {
  const options = [process.env.NODE_OPTIONS, `--require=${JSON.stringify(PROBE)}`].filter(Boolean).join(" ");
  return { ...process.env, NODE_OPTIONS: options, ...more };
}

/** `{ threads: { main, workers, v8 }, cpuMs, loopDelayMs }`. "begin" begins a measurement of the loop, "end" ends it. */
export function askProbe(child, question) {
  return askOf(child, { probe: question }, question);
}
