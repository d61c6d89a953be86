// The environment of a life: receivers, callers, a config and the file beside it, and the processes that are started with
// them, always the real `postrider serve`. Needs `tsc -b` first.

import { dirname, join } from "node:path";
import { env } from "node:process";
import { fileURLToPath } from "node:url";
import { createScene, stats } from "../end-to-end/scene.js";
import { pause } from "../end-to-end/receiver.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";
import type { RunOptions, ServerProcess } from "../end-to-end/server-process.js";
import { type Callers, createCallers } from "./callers.js";
import { createReceivers, type OnRequest, type Receivers } from "./sightings.js";

/** The shortest lease that settings allow is five seconds longer than the receiver's time. */
export const POLICY = { timeoutMs: 1_000, leaseMs: 6_000, firstRetryMs: 100, maxRetryMs: 300, retryWindowMs: 600_000 };

/** With CRASH_SENDER_THREAD=1, the servers send from a separate thread. */
const SERVER = { senderThread: env["CRASH_SENDER_THREAD"] === "1" };

export const DATABASE = "postrider.db";
const DRIVER = fileURLToPath(new URL("programs/altered-driver.js", import.meta.url));

/** The faults of `programs/altered-driver.js`. `checkpoint-pages` is not a fault but a number. */
export type Alteration =
  "no-sync" | "checkpoint-pages" | "early-answers" | "forget-ids" | "drop-settlements" | "ignore-tokens";

export interface Site {
  readonly receivers: Receivers;
  readonly callers: Callers;
  readonly config: string;
  /** The path of the file. */
  readonly file: string;
}

let sites = 0;

export async function createSite(onRequest?: OnRequest): Promise<Site> {
  const receivers = await createReceivers(onRequest);
  const { config } = createScene(receivers.destinations, POLICY, SERVER);
  sites += 1;
  return { receivers, callers: createCallers(`s${sites}`), config, file: join(dirname(config), DATABASE) };
}

/** Runs the server with an altered driver. */
export function alteredBy(alterations: readonly Alteration[]): RunOptions {
  if (alterations.length === 0) return {};
  return { env: { ALTERED_DRIVER: alterations.join(","), NODE_OPTIONS: `--import=${DRIVER}` } };
}

/** How often each code was logged. Only some entries of a code get a line; the next line counts the rest. */
export function countLogged(servers: readonly ServerProcess[]): Readonly<Record<string, number>> {
  const counts: Record<string, number> = {};
  for (const line of servers.flatMap(({ err }) => err)) {
    const { code, suppressed = 0 } = JSON.parse(line) as { readonly code: string; readonly suppressed?: number };
    counts[code] = (counts[code] ?? 0) + 1 + suppressed;
  }
  return counts;
}

/** Resolves once no delivery waits or is claimed, or the time is up: then the oracle reports the rest. */
export async function allSettled(url: string, withinMs: number = CONDITION_WATCHDOG_MS): Promise<void> {
  const endAt = performance.now() + withinMs;
  for (let counts = await stats(url); counts.waiting + counts.claimed > 0; counts = await stats(url)) {
    if (performance.now() > endAt) return;
    await pause(50);
  }
}
