// The gate between a store and its storage, as the author of a harness sees it, and the suite's side of it: it holds
// back accesses and their answers, fails them, and ends their process. Knows neither storage nor access.

import type { StoreErrorCode } from "@postrider/core";

/**
 * The argument of `openGated`, one for each opened store. Each access to the storage passes through it, so that the
 * suite can try the orders in which two calls happen, and a fault at each access:
 *
 *     openGated: (gate) => openStore({ query: (sql, values) => gate.pass(() => pool.query(sql, values)) })
 */
export interface StorageGate {
  /**
   * Runs one access to the storage: a query, a read or a write of a file. The suite may let it start later, and may hold back
   * its answer. An access that fails rejects as it would without the gate.
   *
   * `isBlocked` says of the access, while it runs, whether it waits for a lock that another one has. With it the suite knows
   * that; without it, the suite takes an access that runs for long to wait.
   */
  pass<T>(access: () => Promise<T>, isBlocked?: () => Promise<boolean>): Promise<T>;
  /**
   * For `supports.faults`: asked right before each access, and right after each that may take effect while its answer is lost.
   * Answers with the code of the failure that the access must have now, or undefined. The harness then throws what its driver throws in that case.
   * After an access the answer is never `busy`, `full` or `corrupt`.
   */
  fault(at: "before" | "after"): StoreErrorCode | undefined;
  /** Resolves once the process of this store is to be dead: end its connections then, so that the storage drops its locks. */
  readonly died: Promise<void>;
}

/** Resolves in a later turn of the event loop. */
export function passLoopTurn(): Promise<void> {
  const { port1, port2 } = new MessageChannel();
  return new Promise((resolve) => {
    const end = (): void => {
      port1.close();
      resolve();
    };
    port1.addEventListener("message", end, { once: true });
    port1.start();
    port2.postMessage(undefined);
  });
}

/** An access, its answer, or the start of a call, that waits until it is released. */
export interface HeldStep {
  /** The call, of the two, to which the access belongs. */
  readonly call: number;
  readonly release: () => void;
}

export interface FaultPlan {
  readonly code: StoreErrorCode;
  readonly at: "before" | "after";
  /** The number of accesses that succeed before the one that fails. */
  readonly spared: number;
}

/** The suite's side of all gates of one scene. */
export interface GateControl {
  /** A gate for one more store. */
  readonly create: () => StorageGate;
  /** From now on all accesses and their answers wait; those that follow are taken for accesses of `call`. */
  readonly hold: (call: number) => void;
  /** Adds something that waits like an access. */
  readonly wait: (call: number) => Promise<void>;
  /** All that waits, the longest wait first. */
  readonly heldSteps: () => readonly HeldStep[];
  /** The number of accesses that have started and not ended. */
  readonly runningCount: () => number;
  /** True if each of these waits for a lock; undefined if one of them cannot say so. */
  readonly areBlocked: () => Promise<boolean | undefined>;
  /** The number of accesses that have started so far. */
  readonly startedCount: () => number;
  /** Releases all, and no longer holds anything back. */
  readonly letThrough: () => void;
  /** Ends the processes of all stores that are open: nothing that waits is released, and no later access starts. */
  readonly kill: () => void;
  /** Fails one access by the plan. The returned function ends the plan, and is true if that access has failed. */
  readonly plan: (plan: FaultPlan) => () => boolean;
}

export function createGateControl(): GateControl {
  const heldSteps = new Set<HeldStep>();
  const processes = new Set<GatedProcess>();
  const running = new Set<RunningAccess>();
  let heldCall: number | undefined;
  let startedCount = 0;
  let activePlan: FaultPlan | undefined;

  function wait(call: number): Promise<void> {
    return new Promise((resolve) => {
      const step: HeldStep = {
        call,
        release: () => {
          heldSteps.delete(step);
          resolve();
        },
      };
      heldSteps.add(step);
    });
  }

  async function pass<T>(access: () => Promise<T>, process: GatedProcess, isBlocked?: IsBlocked): Promise<T> {
    if (heldCall !== undefined) await wait(heldCall);
    if (process.isDead()) return never();
    const run: RunningAccess = { isBlocked };
    running.add(run);
    startedCount += 1;
    try {
      return await access();
    } finally {
      running.delete(run);
      if (heldCall !== undefined) await wait(heldCall);
      if (process.isDead()) await never();
    }
  }

  function fault(at: "before" | "after"): StoreErrorCode | undefined {
    if (activePlan?.at !== at) return undefined;
    const { code, spared } = activePlan;
    activePlan = spared === 0 ? undefined : { ...activePlan, spared: spared - 1 };
    return spared === 0 ? code : undefined;
  }

  return {
    create: () => {
      const process = createGatedProcess();
      processes.add(process);
      return { pass: (access, isBlocked) => pass(access, process, isBlocked), fault, died: process.died };
    },
    hold: (call) => {
      heldCall = call;
    },
    wait,
    heldSteps: () => [...heldSteps],
    runningCount: () => running.size,
    areBlocked: () => areAllBlocked([...running]),
    startedCount: () => startedCount,
    letThrough: () => {
      heldCall = undefined;
      for (const { release } of heldSteps) release();
    },
    kill: () => {
      heldCall = undefined;
      heldSteps.clear();
      for (const process of processes) process.die();
      processes.clear();
    },
    plan: (plan) => {
      activePlan = plan;
      return () => {
        const hasHappened = activePlan === undefined;
        activePlan = undefined;
        return hasHappened;
      };
    },
  };
}

type IsBlocked = () => Promise<boolean>;

interface RunningAccess {
  readonly isBlocked: IsBlocked | undefined;
}

async function areAllBlocked(accesses: readonly RunningAccess[]): Promise<boolean | undefined> {
  const asks = accesses.flatMap(({ isBlocked }) => isBlocked ?? []);
  if (asks.length < accesses.length) return undefined;
  const answers = await Promise.all(asks.map((ask) => ask()));
  return answers.length > 0 && answers.every((isBlocked) => isBlocked);
}

interface GatedProcess {
  readonly isDead: () => boolean;
  readonly die: () => void;
  readonly died: Promise<void>;
}

function createGatedProcess(): GatedProcess {
  let isDead = false;
  let resolveDied = (): void => undefined;
  const died = new Promise<void>((resolve) => {
    resolveDied = resolve;
  });
  return {
    isDead: () => isDead,
    die: () => {
      isDead = true;
      resolveDied();
    },
    died,
  };
}

/** A promise that never settles: a dead process gets no answer. */
function never(): Promise<never> {
  return new Promise(() => undefined);
}

/** More accesses than two calls of the cases have. */
export const MAX_STEPS = 500;

/** The number of turns of the event loop that one access needs at most to reach the next. */
const TURNS_OF_A_STEP = 4;

/** Releases a number of accesses and answers, of those that wait a different one each time. */
export async function releaseSteps(gates: GateControl, steps: number): Promise<void> {
  for (let step = 0; step < steps; step += 1) {
    for (let turn = 0; turn < TURNS_OF_A_STEP; turn += 1) await passLoopTurn();
    const heldSteps = gates.heldSteps();
    heldSteps[step % Math.max(1, heldSteps.length)]?.release();
  }
  for (let turn = 0; turn < TURNS_OF_A_STEP; turn += 1) await passLoopTurn();
}
