// Runs a simulation: the real relay with scripted receivers, on a simulated clock and a disk that survives crashes.
// First all faults run; then all deliveries must finish within a bound. The seed determines every random choice.

import type { ManualClock } from "@postrider/memory";
import type { DeliveryPolicy } from "@postrider/core";
import { DEFAULT_LOAD } from "./callers.js";
import { demandOptions } from "./check-options.js";
import { auditAudiences, audit, checkStalls } from "./ledger/audit.js";
import { checkOpen } from "./ledger/check-explained.js";
import { addHistoryLine, type Ledger, reportBroken } from "./ledger/ledger.js";
import type { Servers } from "./machine/create-machine.js";
import { buildReport, type SimulationReport } from "./report.js";
import { faultsEndMs } from "./schedule-faults.js";
import { setStage, type Stage } from "./set-stage.js";
import type { SimulationOptions } from "./simulation.js";
import { type BrokenPromise, CHECKS, FLEET_CHECKS } from "./checks.js";

/** The number of progress reports. */
const SLICES = 20;

/**
 * Runs a simulation, and returns its report. Rejects with a `SimulationFailure` if a promise of Postrider was broken,
 * and with an `OptionsError` that names each problem if the options are bad.
 */
export async function simulate(options: SimulationOptions): Promise<SimulationReport> {
  demandOptions(options);
  const stage = setStage(options);
  const { parts, ledger } = stage;
  await playFaults(stage);
  await waitUntilFinished(stage);
  await audit(ledger, parts.openStore(), stage.workspace);
  if (parts.openAudiences !== undefined) await auditAudiences(ledger, parts.openAudiences());
  if (ledger.broken.length > 0) throw createSimulationFailure(options, ledger.broken, ledger.history.latestLines());
  return buildReport(ledger, options.seed ?? 1);
}

async function playFaults({ options, parts, ledger, machine }: Stage): Promise<void> {
  const ofMs = Math.max(faultsEndMs(options), (options.load ?? DEFAULT_LOAD).overMs);
  for (let slice = 1; slice <= SLICES; slice += 1) {
    await parts.clock.advance((slice * ofMs) / SLICES - parts.clock.monotonic());
    if (options.servers === undefined) await checkMachine({ parts, ledger, machine });
    const { delivered, dead } = ledger.counts;
    options.onProgress?.({
      elapsedMs: parts.clock.monotonic(),
      ofMs,
      calls: ledger.calls,
      finished: delivered + dead,
    });
  }
  addHistoryLine(ledger, "all faults are over");
}

async function checkMachine({ parts, ledger, machine }: Pick<Stage, "parts" | "ledger" | "machine">): Promise<void> {
  const process = machine.running();
  await checkOpen(ledger, process, parts.openStore());
  if (process !== undefined && parts.clock.monotonic() >= ledger.promptFrom) checkStalls(ledger);
}

async function waitUntilFinished(stage: Stage): Promise<void> {
  const { parts, ledger, machine, callers, hosts, operators } = stage;
  const { clock } = parts;
  const boundMs = clock.monotonic() + longestLife(stage.options, ledger.policy, parts.pollMs);
  machine.boot();
  operators.lookAgain();
  clock.after(Math.max(0, ledger.promptFrom - clock.monotonic()), () => checkStalls(ledger));
  while (
    clock.monotonic() < boundMs &&
    !(callers.areDone() && hosts.areDone() && operators.areDone() && isQuiet(ledger))
  ) {
    const nextAt = clock.nextTimerAt() ?? boundMs;
    await clock.advance(Math.min(boundMs, nextAt) - clock.monotonic());
  }
  if (!callers.areDone())
    reportBroken(ledger, "all-settle", "a call has no receipt that says accepted or duplicate, or waits in the outbox");
  if (!hosts.areDone())
    reportBroken(ledger, "all-settle", "a sync was not answered, or a request about users is not finished");
  if (!operators.areDone())
    reportBroken(ledger, "all-settle", "a pause, or its end, was not answered, or a replay job has not ended");
  await endProcess(parts.clock, machine);
}

/** Stops all processes in an orderly way. This takes simulated time, so the clock is advanced until they have ended. */
async function endProcess(clock: ManualClock, machine: Servers): Promise<void> {
  const end = { isOver: false };
  void machine.end().then(() => (end.isOver = true));
  await clock.settle();
  for (let nextAt = clock.nextTimerAt(); !end.isOver && nextAt !== undefined; nextAt = clock.nextTimerAt()) {
    await clock.advance(nextAt - clock.monotonic());
  }
}

function isQuiet({ counts }: Ledger): boolean {
  return counts.waiting + counts.claimed === 0;
}

/** The longest time between two probes of a held lane. */
const LONGEST_PROBE_MS = 75_000;

/** The number of probes for each new delivery: every second one may be a retry. */
const PROBES_EACH = 2;

/** An upper bound of the average number of rounds of a delivery. */
const MOST_ROUNDS = 20;

/** The longest time that a sync or a replay job takes, with repeats, once the faults are over. */
const MOST_SYNC_MS = 180_000;

/**
 * An upper bound of the time until all deliveries are finished. A delivery may start its window only now, and a clock
 * that was set back extends the window; a rate limit delays each round. If a receiver never recovers, or refuses whatever it gets,
 * the remaining deliveries are tried one by one, each by a probe.
 */
function longestLife(
  options: SimulationOptions,
  { retryWindowMs, leaseMs, timeoutMs }: DeliveryPolicy,
  pollMs: number,
): number {
  const steps = (options.faults ?? []).map((fault) => (fault.kind === "clock-step" ? Math.max(0, -fault.byMs) : 0));
  const setBackMs = steps.reduce((sum, ms) => sum + ms, 0) + longestSkew(options);
  const replays = options.replays?.length ?? 0;
  const calls = (options.load ?? DEFAULT_LOAD).calls * (1 + replays) + mostChanges(options);
  const probesMs = PROBES_EACH * calls * (LONGEST_PROBE_MS + timeoutMs);
  const slowest = Math.min(Infinity, ...Object.values(options.rateLimits ?? {}).map(({ perSecond }) => perSecond));
  const ratesMs = (calls * MOST_ROUNDS * 1_000) / slowest;
  return (
    longestSyncs(options) +
    replays * MOST_SYNC_MS +
    probesMs +
    ratesMs +
    retryWindowMs +
    setBackMs +
    3 * leaseMs +
    2 * timeoutMs +
    3 * pollMs +
    60_000
  );
}

/** An upper bound of the waits for clocks that differ: each round may wait for as long as they do. */
function longestSkew({ servers = [] }: SimulationOptions): number {
  const skews = servers.map(({ aheadMs = 0, faults = [] }) => {
    const steps = faults.map((fault) => (fault.kind === "clock-step" ? Math.abs(fault.byMs) : 0));
    return Math.abs(aheadMs) + steps.reduce((sum, ms) => sum + ms, 0);
  });
  return 2 * MOST_ROUNDS * Math.max(0, ...skews);
}

/** An upper bound of the changes and notices that are stored. */
function mostChanges({ audiences = {}, deletions = [], receivers }: SimulationOptions): number {
  const changes = Object.values(audiences).map(({ syncs, users, destinations }) => syncs * users * destinations.length);
  const notices = deletions.map(({ users }) => users.length * Object.keys(receivers).length);
  return [...changes, ...notices].reduce((sum, count) => sum + count, 0);
}

/** An upper bound of the time that the syncs take, each of which may be repeated. */
function longestSyncs({ audiences = {} }: SimulationOptions): number {
  const durations = Object.values(audiences).map(({ syncs, firstAtMs, everyMs, users, givesWithinMs = 0 }) => {
    const syncMs = everyMs + 2 * users * givesWithinMs + MOST_SYNC_MS;
    return firstAtMs + syncs * syncMs;
  });
  return Math.max(0, ...durations);
}

/** The error with which `simulate` rejects if a promise was broken. */
export interface SimulationFailure extends Error {
  readonly seed: number;
  /** In the order in which they were broken. */
  readonly broken: readonly BrokenPromise[];
}

const DESCRIPTIONS = { ...CHECKS, ...FLEET_CHECKS };

/** The number of broken promises that the message describes. */
const MAX_DESCRIBED = 5;

function createSimulationFailure(
  options: SimulationOptions,
  broken: readonly BrokenPromise[],
  story: readonly string[],
): SimulationFailure {
  const { seed = 1 } = options;
  const promiseLines = broken
    .slice(0, MAX_DESCRIBED)
    .map(({ check, what, atMs }) => `  ${check} at ${String(atMs)} ms: ${what}\n    (${DESCRIPTIONS[check]})`);
  const message = [
    `${String(broken.length)} promises broken, the first of them:`,
    ...promiseLines,
    `To repeat the run: simulate(${JSON.stringify({ seed, ...options })})`,
    "The last lines of the history:",
    ...story.map((line) => `  ${line}`),
  ].join("\n");
  return Object.assign(new Error(message), { seed, broken });
}
