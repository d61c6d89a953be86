// A server under load in alternating phases: good callers and a good receiver alone; then beside slow, failing, hanging and
// poisoned receivers; then beside callers without a key as well. Reports the delays of the good ones in each phase, and the
// losses of the whole run. The server is the real program in a separate process. Needs `tsc -b` first.

import { readFileSync } from "node:fs";
import { WRITE_KEY } from "../canary.js";
import { ask } from "../end-to-end/scene.js";
import { until } from "../end-to-end/receiver.js";
import { serve } from "../end-to-end/server-process.js";
import { startAttackers } from "./attackers.js";
import { writeLoadConfig, HARD_LANES } from "./load-config.js";
import { createHardReceivers, POISON } from "./hard-receivers.js";
import { callEvenly, type Made } from "./keyed-caller.js";
import { quantile } from "./quantile.js";

const GOOD_CALLS_PER_SECOND = 100;
const HARD_CALLS_PER_SECOND = 40;
/** One of this many calls to the poisoned receiver is one that it cannot accept. */
const POISON_EVERY = 50;

export const PHASES = ["good alone", "hard receivers", "keyless attackers"] as const;

export interface PhaseTold {
  readonly phase: (typeof PHASES)[number];
  /** Milliseconds from when a good call was due to the first byte at its receiver. */
  readonly p50: number;
  readonly p99: number;
  /** The same from when it was written, without the delay of the calling process. */
  readonly p99Written: number;
  /** Milliseconds of CPU that each process used in a second; callers and receivers are one. */
  readonly cpu: Readonly<Record<"server" | "attackers" | "callers", number>>;
  /** The counts of the good calls. */
  readonly answered: number;
  readonly refused: number;
  readonly residentMb: number;
}

export interface MixedTold {
  readonly phases: readonly PhaseTold[];
  /** Good calls that were accepted and never arrived. */
  readonly lost: number;
  /** Accepted calls of all sources, minus those in the server's counters. */
  readonly uncounted: number;
}

export interface MixedLoad {
  readonly phases: number;
  readonly phaseMs: number;
  /** How long the remaining deliveries to the good receiver may take at the end. */
  readonly patienceMs: number;
  readonly tell?: (told: PhaseTold) => void;
}

/** Plays the phases in turn. */
export async function playMixedLoad({ phases, phaseMs, patienceMs, tell }: MixedLoad): Promise<MixedTold> {
  const receivers = await createHardReceivers();
  const server = await serve(writeLoadConfig(receivers.url));
  const attackers = startAttackers(server.url);
  const answered: string[] = [];
  let hardAnswered = 0;
  const told: PhaseTold[] = [];
  for (let index = 0; index < phases; index += 1) {
    const phase = PHASES[index % PHASES.length]!;
    await attackers.set(phase === "keyless attackers");
    const cpu = watchCpu({ server: server.pid, attackers: attackers.pid, callers: process.pid });
    const [good, hard] = await Promise.all([
      callEvenly(server.url, WRITE_KEY, { callsPerSecond: GOOD_CALLS_PER_SECOND, forMs: phaseMs }),
      phase === "good alone" ? [] : callHardLanes(server.url, phaseMs),
    ]);
    const used = cpu();
    const taken = good.filter(isTaken);
    answered.push(...taken.map(({ messageId }) => messageId));
    hardAnswered += hard.filter(isTaken).length;
    await until(
      () => taken.every(({ messageId }) => receivers.goodAt.has(messageId)),
      "arrival of the good calls",
      patienceMs,
    );
    const waits = taken.map(({ messageId, dueAt }) => receivers.goodAt.get(messageId)! - dueAt);
    const written = taken.map(({ messageId, writtenAt }) => receivers.goodAt.get(messageId)! - writtenAt);
    const line = {
      phase,
      p50: quantile(waits, 0.5),
      p99: quantile(waits, 0.99),
      p99Written: quantile(written, 0.99),
      cpu: used,
      answered: taken.length,
      refused: good.length - taken.length,
      residentMb: residentMb(server.pid),
    };
    told.push(line);
    tell?.(line);
  }
  await attackers.set(false);
  const { accepted } = await ask<{ accepted: number }>(server.url, "stats");
  return {
    phases: told,
    lost: answered.filter((id) => !receivers.goodAt.has(id)).length,
    uncounted: answered.length + hardAnswered - accepted,
  };
}

async function callHardLanes(url: string, forMs: number): Promise<readonly Made[]> {
  const made = await Promise.all(
    HARD_LANES.map(({ writeKey, path }) =>
      callEvenly(url, writeKey, {
        callsPerSecond: HARD_CALLS_PER_SECOND,
        forMs,
        eventOf: (index) => (path === "/poisoned" && index % POISON_EVERY === 0 ? POISON : "Signed Up"),
      }),
    ),
  );
  return made.flat();
}

function isTaken({ status }: Made): boolean {
  return status === 200;
}

/** Measures the CPU time of processes from now on; returns a function that reads it. */
function watchCpu<Name extends string>(pids: Readonly<Record<Name, number>>): () => Readonly<Record<Name, number>> {
  const startAt = performance.now();
  const names = Object.keys(pids) as Name[];
  const before = names.map((name) => cpuMs(pids[name]));
  return () => {
    const seconds = (performance.now() - startAt) / 1_000;
    const used = names.map((name, index) => [name, (cpuMs(pids[name]) - before[index]!) / seconds]);
    return Object.fromEntries(used) as Record<Name, number>;
  };
}

/** User and system time of all threads; Linux counts in hundredths of a second. */
function cpuMs(pid: number): number {
  const fields =
    readFileSync(`/proc/${String(pid)}/stat`, "utf8")
      .split(") ")[1]
      ?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

function residentMb(pid: number): number {
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${String(pid)}/status`, "utf8"))?.[1]) / 1_000);
}
