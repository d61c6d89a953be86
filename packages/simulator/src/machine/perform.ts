// Performs the operations of a store with the faults of a disk: slow, busy, full or unavailable. An operation takes effect at
// the start or at the end of its latency, by chance, and is answered at the end. So a commit that a crash interrupts may or
// may not have taken effect.

import { type Clock, createStoreError, type Random, type StoreError, type StoreErrorCode } from "@postrider/core";
import type { CrashStep } from "../simulation.js";
import { hasAilment, killIfDue, type ActiveTroubles } from "./troubles.js";

export interface PerformOptions {
  readonly clock: Clock;
  readonly random: Random;
  readonly troubles: ActiveTroubles;
  /** The number of the calling process. */
  readonly process: number;
  readonly isAlive: () => boolean;
}

/** The longest latency of a healthy store, and of a slow one. */
const LATENCY_MS = 3;
const SLOW_LATENCY_MS = 150;

/** Whether an operation needs space, changes what is stored, or only reads. */
export type Access = "grows" | "writes" | "reads";

export interface Operation<T> {
  readonly access: Access;
  readonly work: () => Promise<T>;
  /** The steps before and after the operation takes effect, at which a process may be killed. */
  readonly steps?: readonly [asked: CrashStep, done: CrashStep];
}

/** Performs an operation, or rejects. */
export type Perform = <T>(operation: Operation<T>) => Promise<T>;

/** Creates the means to perform operations for one process. */
export function createPerform(options: PerformOptions): Perform {
  const { clock, random } = options;

  function perform<T>(operation: Operation<T>): Promise<T> {
    const [asked, done] = operation.steps ?? [];
    if (asked !== undefined && killIfDue(options, asked)) return never();
    const fault = drawFault(options, operation.access);
    const takesMs = drawLatency(options);
    if (fault !== undefined) return reject(operation, fault, takesMs);
    return random.unit() < 0.5 ? actFirst(operation.work, done, takesMs) : actLast(operation.work, done, takesMs);
  }

  async function actFirst<T>(work: () => Promise<T>, done: CrashStep | undefined, takesMs: number): Promise<T> {
    const answer = await work();
    if (done !== undefined && killIfDue(options, done)) return never();
    await wait(clock, takesMs);
    return answer;
  }

  async function actLast<T>(work: () => Promise<T>, done: CrashStep | undefined, takesMs: number): Promise<T> {
    await wait(clock, takesMs);
    if (!options.isAlive()) return never();
    const answer = await work();
    return done !== undefined && killIfDue(options, done) ? never() : answer;
  }

  /** Fails at the end of the latency. If the code is `unavailable`, the operation may have taken effect. */
  async function reject<T>({ work }: Operation<T>, code: StoreErrorCode, takesMs: number): Promise<T> {
    await wait(clock, takesMs);
    if (code === "unavailable" && random.unit() < 0.5 && options.isAlive()) await work();
    throw simulatedError(code);
  }

  return perform;
}

/**
 * Draws whether an operation fails. An unavailable or busy store fails often, but not always. A full store fails every
 * commit with new messages or replays, and some of the other writes.
 */
function drawFault({ random, troubles }: PerformOptions, access: Access): StoreErrorCode | undefined {
  if (troubles.ailments.size === 0) return undefined;
  const fails = random.unit() < 0.7;
  if (hasAilment(troubles, "unavailable") && fails) return "unavailable";
  if (access === "reads") return undefined;
  if (hasAilment(troubles, "busy") && fails) return "busy";
  if (hasAilment(troubles, "full") && (access === "grows" || random.unit() < 0.3)) return "full";
  return undefined;
}

/** Draws whole milliseconds, so that operations can end at the same instant. */
function drawLatency({ random, troubles }: PerformOptions): number {
  const longestMs = hasAilment(troubles, "slow") ? SLOW_LATENCY_MS : LATENCY_MS;
  return Math.floor(random.unit() * (longestMs + 1));
}

function wait(clock: Clock, ms: number): Promise<void> {
  if (ms === 0) return Promise.resolve();
  return new Promise((resolve) => {
    clock.after(ms, resolve);
  });
}

function never<T>(): Promise<T> {
  return new Promise<T>(nothing);
}

function nothing(): void {
  // The process has died: there is no caller to answer.
}

function simulatedError(code: StoreErrorCode): StoreError {
  return createStoreError(code, `the simulated store is ${code}`);
}
