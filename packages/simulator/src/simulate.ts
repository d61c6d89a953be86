// Runs a simulation: the real relay with scripted receivers, on a simulated clock and a disk in memory that survives
// crashes. First all faults run; then all deliveries must finish. The seed determines every random choice.

import type { ManualClock } from "@postrider/memory";
import { DEFAULT_LOAD } from "./callers.js";
import { demandOptions } from "./check-options.js";
import { createSimulationFailure } from "./failure.js";
import { auditAudiences } from "./ledger/audit-audiences.js";
import { checkOpen } from "./ledger/check-explained.js";
import { audit, checkStalls } from "./ledger/audit.js";
import { addTraceLine, type Ledger, reportBroken } from "./ledger/ledger.js";
import { longestLife } from "./longest-life.js";
import type { Servers } from "./machine/create-machine.js";
import { buildReport, type SimulationReport } from "./report.js";
import { faultsEndMs } from "./schedule-faults.js";
import { setStage, type Stage } from "./set-stage.js";
import type { SimulationOptions } from "./simulation.js";

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
  if (ledger.broken.length > 0) throw createSimulationFailure(options, ledger.broken, ledger.trace.last());
  return buildReport(ledger, options.seed ?? 1);
}

async function playFaults({ options, parts, ledger, machine }: Stage): Promise<void> {
  const ofMs = Math.max(faultsEndMs(options), (options.load ?? DEFAULT_LOAD).overMs);
  for (let slice = 1; slice <= SLICES; slice += 1) {
    await parts.clock.advance((slice * ofMs) / SLICES - parts.clock.monotonic());
    if (options.servers === undefined) await checkOpen(ledger, machine.running(), parts.openStore());
    const { delivered, dead } = ledger.counts;
    options.onProgress?.({
      elapsedMs: parts.clock.monotonic(),
      ofMs,
      calls: ledger.calls,
      finished: delivered + dead,
    });
  }
  addTraceLine(ledger, "all faults are over");
}

async function waitUntilFinished(stage: Stage): Promise<void> {
  const { parts, ledger, machine, callers, hosts, operators } = stage;
  const { clock } = parts;
  const boundMs = clock.monotonic() + longestLife(stage.options, ledger.policy, parts.pollMs);
  machine.boot();
  clock.after(Math.max(0, ledger.promptFrom - clock.monotonic()), () => checkStalls(ledger));
  while (
    clock.monotonic() < boundMs &&
    !(callers.areDone() && hosts.areDone() && operators.areDone() && isQuiet(ledger))
  ) {
    const nextAt = clock.nextTimerAt() ?? boundMs;
    await clock.advance(Math.min(boundMs, nextAt) - clock.monotonic());
  }
  if (!callers.areDone()) reportBroken(ledger, "all-settle", "a call has no receipt that says accepted or duplicate");
  if (!hosts.areDone())
    reportBroken(ledger, "all-settle", "a sync was not answered, or a request about users is not finished");
  if (!operators.areDone()) reportBroken(ledger, "all-settle", "a pause, or its end, was not answered");
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
