// The operators of a simulation: each pauses a destination at its time and resumes it later, or starts a replay job and waits for its
// end. They, and hosts of audiences, repeat a request to the process that takes calls until it is answered, even if a process dies.

import {
  type DeliveryStore,
  type DestinationId,
  type ReplayFilter,
  type ReplayJob,
  replayJobId,
} from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { allowDelays, type Ledger } from "./ledger/ledger.js";
import { beginJob, checkReplayCounts, observeJobEnd } from "./ledger/replays.js";
import { checkTestReport } from "./ledger/test-events.js";
import { observePause, observeResume } from "./ledger/holds.js";
import type { Servers } from "./machine/create-machine.js";
import type { Process } from "./machine/process.js";
import type { SimulatedReplay, SimulationOptions } from "./simulation.js";

const NO_JOB = replayJobId("none");

export interface Operators {
  /** True if each pause was answered, and its end too, and each replay job has ended. */
  areDone(): boolean;
  /** Ends each pause again that has ended: one that was answered with an error may have been made after its end. */
  lookAgain(): void;
}

interface OperatorsOptions extends Asking {
  readonly ledger: Ledger;
  readonly machine: Pick<Servers, "running" | "runs" | "graceMs">;
  readonly options: Pick<SimulationOptions, "operatorPauses" | "replays" | "tests">;
  readonly openStore: () => Pick<DeliveryStore, "find">;
}

export function startOperators(operators: OperatorsOptions): Operators {
  const { clock, ledger, machine, options } = operators;
  const { operatorPauses = [] } = options;
  let openCount = operatorPauses.length;
  /** Ends once more each pause that has ended. */
  const resumed = new Map<DestinationId, () => void>();

  for (const { destination, fromMs, untilMs } of operatorPauses) {
    const lane = destination as DestinationId;
    const resume = (): void => {
      resumed.set(lane, resume);
      observeResume(ledger, lane);
      askUntilDone(
        operators,
        (process) => ask(process, "resume", lane),
        () => {
          allowDelays(ledger, machine.graceMs);
          openCount -= 1;
        },
      );
    };
    const pause = (): void => {
      ledger.everPaused.add(lane);
      askUntilDone(
        operators,
        (process) => ask(process, "pause", lane),
        (process) => {
          observePause(ledger, lane, process.number);
          clock.after(Math.max(0, untilMs - clock.monotonic()), resume);
        },
      );
    };
    clock.after(fromMs, pause);
  }
  for (const { atMs, destination } of options.tests ?? []) clock.after(atMs, () => sendTest(operators, destination));
  const replays = startReplays(operators);
  return {
    areDone: () => openCount === 0 && replays.areDone(),
    lookAgain: (): void => {
      openCount += resumed.size;
      for (const resume of resumed.values()) resume();
    },
  };
}

/** Sends a test event once: an operator whose process is gone looks no further. */
function sendTest({ ledger, machine }: OperatorsOptions, destination: string): void {
  void machine
    .running()
    ?.relay.test({ destination: destination as DestinationId })
    .match((report) => checkTestReport(ledger, report), nothing);
}

/** Starts each job and waits for its end, then compares the counts of all jobs with the replays that are stored. */
function startReplays(operators: OperatorsOptions): Pick<Operators, "areDone"> {
  const { clock, ledger, openStore, options } = operators;
  const { replays = [] } = options;
  let runningCount = replays.length;
  let areCounted = replays.length === 0;

  function end(): void {
    runningCount -= 1;
    if (runningCount > 0) return;
    let jobs: readonly ReplayJob[] = [];
    const ask = ({ relay }: Process): Promise<boolean> =>
      relay.replayJobs().match((found) => {
        jobs = found;
        return found.every(({ state }) => state !== "running");
      }, no);
    askUntilDone(operators, ask, () => {
      void checkReplayCounts(ledger, openStore(), jobs).then(() => (areCounted = true));
    });
  }

  for (const replay of replays) clock.after(replay.atMs, () => startReplay(operators, replay, end));
  return { areDone: () => areCounted };
}

/** Starts a job, and asks for it until it has ended. An operator whose request was not answered starts another job. */
function startReplay(operators: OperatorsOptions, replay: SimulatedReplay, onEnd: () => void): void {
  const { clock, ledger, openStore } = operators;
  const filter = filterOf(replay);
  const begun = beginJob(ledger, filter);
  let job: ReplayJob | undefined;

  const start = ({ relay }: Process): Promise<boolean> =>
    relay.startReplay(filter).match((started) => {
      job = started;
      return true;
    }, no);
  const hasEnded = ({ relay }: Process): Promise<boolean> =>
    relay.replayJob(job?.id ?? NO_JOB).match((found) => {
      job = found;
      return found.state !== "running";
    }, no);
  const cancel = ({ relay }: Process): Promise<boolean> => relay.cancelReplay(job?.id ?? NO_JOB).match(yes, no);

  askUntilDone(operators, start, () => {
    if (replay.cancelAfterMs !== undefined)
      clock.after(replay.cancelAfterMs, () => askUntilDone(operators, cancel, nothing));
    askUntilDone(operators, hasEnded, () => {
      if (job !== undefined) void observeJobEnd(ledger, openStore(), job, begun).then(onEnd);
    });
  });
}

function filterOf({ states, destination }: SimulatedReplay): ReplayFilter {
  return { states, ...(destination === undefined ? {} : { destination: destination as DestinationId }) };
}

function ask({ relay }: Process, request: "pause" | "resume", lane: DestinationId): Promise<boolean> {
  return relay[request](lane).match(yes, no);
}

/** The answer to a request that was carried out, and to one that was not. */
export function yes(): boolean {
  return true;
}

export function no(): boolean {
  return false;
}

function nothing(): void {
  // The record of a job shows whether it was cancelled, and a test event that was refused was not sent.
}

/** The pause of a host before it asks again, and the interval at which it checks that the process still runs. */
const ASK_AGAIN_MS = 2_000;

const CHECK_MS = 5_000;

export interface Asking {
  readonly clock: ManualClock;
  readonly machine: Pick<Servers, "running" | "runs">;
}

/**
 * Calls `ask` until it answers true, then `onDone` with the process that has. An answer does not count if its process has
 * stopped taking calls in the meantime.
 */
export function askUntilDone(
  { clock, machine }: Asking,
  ask: (process: Process) => Promise<boolean>,
  onDone: (process: Process) => void,
): void {
  function attempt(): void {
    const process = machine.running();
    if (process === undefined) askAgain();
    else askOnce(process);
  }

  function askAgain(): void {
    clock.after(ASK_AGAIN_MS, attempt);
  }

  function askOnce(process: Process): void {
    let isOver = false;
    const end = (isAnswered: boolean): void => {
      if (isOver) return;
      isOver = true;
      stopLooking();
      if (isAnswered && machine.runs(process)) onDone(process);
      else askAgain();
    };
    const look = (): (() => void) =>
      clock.after(CHECK_MS, () => {
        if (machine.runs(process)) stopLooking = look();
        else end(false);
      });
    let stopLooking = look();
    void ask(process).then(end);
  }

  attempt();
}
