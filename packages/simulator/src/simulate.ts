// Runs a simulation: the real relay with scripted receivers, on a simulated clock and a disk in memory that survives
// crashes. First all faults run; then all deliveries must finish. The seed determines every random choice.

import { type DeliveryStore, epochMs, type Workspace } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import {
  createManualClock,
  createMemoryAudienceStore,
  createMemoryDisk,
  createMemoryStore,
  createSeededRandom,
  type ManualClock,
  type MemoryDisk,
} from "@postrider/memory";
import { type AudienceHosts, startAudienceHosts } from "./audience-hosts.js";
import { buildSimulatedWorkspace, receiversByEndpoint } from "./build-workspace.js";
import { type Callers, DEFAULT_LOAD, startCallers } from "./callers.js";
import { demandOptions } from "./check-options.js";
import { countGiveUps } from "./count-give-ups.js";
import { createSimulationFailure } from "./failure.js";
import { auditAudiences } from "./ledger/audit-audiences.js";
import { checkOpen } from "./ledger/check-explained.js";
import { audit, checkStalls } from "./ledger/audit.js";
import { reportBroken, createLedger, type Ledger, addTraceLine } from "./ledger/ledger.js";
import { createMachine, type Machine } from "./machine/create-machine.js";
import type { ProcessParts } from "./machine/process.js";
import { type Operators, startOperators } from "./operators.js";
import { createTroubles } from "./machine/troubles.js";
import { createReceiversHttp } from "./receivers-http.js";
import { type SimulationReport, buildReport } from "./report.js";
import { faultsEndMs, scheduleFaults } from "./schedule-faults.js";
import { longestLife } from "./longest-life.js";
import type { SimulationOptions } from "./simulation.js";

/** The number of progress reports. */
const SLICES = 20;

interface Stage {
  readonly options: SimulationOptions;
  readonly parts: ProcessParts & { readonly clock: ManualClock };
  readonly ledger: Ledger;
  readonly machine: Machine;
  readonly callers: Callers;
  readonly hosts: AudienceHosts;
  readonly operators: Operators;
  readonly workspace: Workspace;
}

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

function setStage(options: SimulationOptions): Stage {
  const { seed = 1, wallAtStart, faults = [] } = options;
  const workspace = buildSimulatedWorkspace(options);
  const clock = createManualClock(wallAtStart === undefined ? {} : { wall: epochMs(wallAtStart) });
  const ledger = createLedger(clock, workspace.delivery);
  const troubles = createTroubles();
  const disk = createMemoryDisk();
  const chance = createSeededRandom(seed);
  const draw = (): ReturnType<typeof createSeededRandom> => createSeededRandom(Math.floor(chance.unit() * 2 ** 32));
  const parts = {
    clock,
    random: draw(),
    ledger,
    troubles,
    http: createReceiversHttp({ clock, random: draw(), byEndpoint: receiversByEndpoint(options) }),
    pollMs: pollMsFor(workspace.delivery.retryWindowMs),
    openStore: () => openStore(disk, options),
    ...(options.audiences && { openAudiences: () => createMemoryAudienceStore({ disk }) }),
  };
  const machine = createMachine(parts, { ...workspace, delivery: countGiveUps(workspace.delivery, ledger) });
  machine.boot();
  const callers = startCallers({ clock, random: draw(), ledger, machine, options });
  const operators = startOperators({ clock, ledger, machine, options });
  const hosts = startAudienceHosts({ clock, random: draw(), ledger, machine, options });
  scheduleFaults({ clock, ledger, machine, troubles }, faults);
  return { options, parts, ledger, machine, callers, hosts, operators, workspace };
}

/** Requests about users are played only with audiences, and the store keeps pauses only where there are some. */
function openStore(disk: MemoryDisk, { audiences, operatorPauses }: SimulationOptions): DeliveryStore {
  const store = createMemoryStore({ disk });
  const { deletions, pauses } = store;
  return {
    ...withoutParts(store),
    ...(audiences && defined({ deletions })),
    ...(operatorPauses && defined({ pauses })),
  };
}

function withoutParts({
  deletions: _deletions,
  pauses: _pauses,
  replayJobs: _jobs,
  ...store
}: DeliveryStore): DeliveryStore {
  return store;
}

/** The time between polls: idle time costs little, and a delivery that only a poll finds is late. */
function pollMsFor(retryWindowMs: number): number {
  return Math.min(60_000, Math.max(10_000, retryWindowMs / 40));
}

async function playFaults({ options, parts, ledger, machine }: Stage): Promise<void> {
  const ofMs = Math.max(faultsEndMs(options), (options.load ?? DEFAULT_LOAD).overMs);
  for (let slice = 1; slice <= SLICES; slice += 1) {
    await parts.clock.advance((slice * ofMs) / SLICES - parts.clock.monotonic());
    await checkOpen(ledger, machine.running(), parts.openStore());
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
async function endProcess(clock: ManualClock, machine: Machine): Promise<void> {
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
