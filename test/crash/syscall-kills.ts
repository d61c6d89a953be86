// Kills a short life at one system call (fault P2): strace's fault injection ends the process at its n-th system call
// of a name, counted from its start, the creation of the file included. A second process then continues on the same file.

import { readFileSync } from "node:fs";
import { setTimeout as sleep } from "node:timers/promises";
import type { ProgramProcess } from "../end-to-end/server-process.js";
import { runProcess, serve } from "../end-to-end/server-process.js";
import { pause } from "../end-to-end/receiver.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";
import { type Finding, judge, repeatedIn } from "./judge.js";
import { type Alteration, allSettled, alteredBy, createSite, type Site } from "./site.js";
import { readFile, unitsClaimedIn } from "./store-content.js";

/** Every system call by which a process changes a file or sends something. */
export const WRITE_CALLS = [
  "pwrite64",
  "write",
  "writev",
  "sendto",
  "sendmsg",
  "fsync",
  "fdatasync",
  "ftruncate",
  "unlink",
  "rename",
  "fallocate",
] as const;
export type WriteCall = (typeof WRITE_CALLS)[number];

/** Ten calls, most of them in one request: fewer commits need fewer lives. */
const CALLS = 10;
const BATCHED = 8;

export interface Injection {
  readonly call: WriteCall;
  /** From 1. */
  readonly when: number;
  readonly alterations?: readonly Alteration[];
}

export interface InjectionReport extends Injection {
  /** Whether there was such a system call; otherwise the life ended normally. */
  readonly isKilled: boolean;
  /** Calls that had been answered 200 by the kill. */
  readonly safe: number;
  /** Requests whose round is not recorded in the file, and deliveries that were claimed at the kill. */
  readonly repeated: number;
  readonly underWay: number;
  readonly findings: readonly Finding[];
}

/** Runs one life that ends at that system call and a second one on the same file, and returns the verdict. */
export async function liveUntilCall(injection: Injection): Promise<InjectionReport> {
  const site = await createSite();
  const isKilled = await liveOnce(site, injection);
  const safe = site.callers.safe.size;
  const underWay = isKilled ? await unitsClaimedIn(site.file) : [];
  const server = await serve(site.config, alteredBy(injection.alterations ?? []));
  await callAll(site, server.url);
  await allSettled(server.url);
  await server.end();
  await site.receivers.close();
  const content = await readFile(site.file);
  const { sightings } = site.receivers;
  return {
    ...injection,
    isKilled,
    safe,
    repeated: repeatedIn(content, sightings),
    underWay: underWay.length,
    findings: judge({ ...site.callers, sightings, interrupted: new Map(underWay.map((unit) => [unit, 1])), content }),
  };
}

/**
 * Kills at the first, the second, … system call of this name, several lives in parallel, until one ends normally. A share
 * below 1 skips some of the system calls.
 */
export async function killAtEach(call: WriteCall, atOnce: number, share: number): Promise<readonly InjectionReport[]> {
  const reports: InjectionReport[] = [];
  let lives = 0;
  const live = async (): Promise<void> => {
    while (reports.every(({ isKilled }) => isKilled)) {
      lives += 1;
      reports.push(await liveUntilCall({ call, when: Math.ceil(lives / share) }));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, live));
  return reports;
}

/** Start, ten calls, deliver, stop. Whether it was killed on the way. */
async function liveOnce(site: Site, { call, when, alterations = [] }: Injection): Promise<boolean> {
  const { config, callers, receivers } = site;
  const inject = `inject=${call}:signal=KILL:when=${when}`;
  const command = ["strace", "-D", "-f", "-qq", "-o", "/dev/null", "-e", `trace=${call}`, "-e", inject];
  const process = runProcess(["serve", "--config", config], { ...alteredBy(alterations), command });
  const gone = new AbortController();
  void process.exit.then(() => gone.abort());
  const url = await inTime(process, "listen", urlOf(process));
  if (url !== undefined) await inTime(process, "answer", callAll(site, url, gone.signal));
  if (url !== undefined) await until(process, () => receivers.haveAll(callers.made));
  process.signal("SIGTERM");
  return (await inTime(process, "end", process.exit)).signal === "SIGKILL";
}

/** Waits for a step of a life. If it hangs, the error says in which state the process and its tracer are. */
async function inTime<T>({ pid }: ProgramProcess, step: string, done: Promise<T>): Promise<T> {
  const watchdog = new AbortController();
  const hangs = sleep(CONDITION_WATCHDOG_MS, undefined, { signal: watchdog.signal }).then(() => {
    const status = stateOf(pid);
    const tracer = /^TracerPid:\s*([1-9]\d*)/m.exec(status)?.[1];
    throw new Error(`the process does not ${step}: ${status}; its tracer: ${tracer ? stateOf(tracer) : "none"}`);
  });
  return Promise.race([done, hangs]).finally(() => watchdog.abort());
}

/** Reads the state, the tracer and the threads of a process, as the kernel shows them. */
function stateOf(pid: number | string): string {
  try {
    const [status, waitsIn] = ["status", "wchan"].map((file) => readFileSync(`/proc/${String(pid)}/${file}`, "utf8"));
    const told = status?.split("\n").filter((line) => /^(Name|State|TracerPid|SigQ|Threads):/.test(line)) ?? [];
    return [...told, `waits in ${String(waitsIn)}`].join("\n");
  } catch (error) {
    return String(error);
  }
}

/** Makes all calls that were not made yet or have no answer. */
async function callAll({ callers }: Site, url: string, gone?: AbortSignal): Promise<void> {
  const isFirst = callers.made.size === 0;
  await Promise.all([
    ...(isFirst ? [callers.callInBatch(url, BATCHED, gone)] : []),
    callers.callUntilGone(url, CALLS - BATCHED, CALLS, gone),
  ]);
}

/** The URL of the server; undefined if it ended before. */
async function urlOf(process: ProgramProcess): Promise<string | undefined> {
  const line = await process.line(/^listening on /).catch(() => undefined);
  return line?.slice("listening on ".length);
}

/** Resolves once `isTrue`, the process has ended, or the time is up, which the verdict then shows. */
async function until(process: ProgramProcess, isTrue: () => boolean): Promise<void> {
  const isOver = process.exit.then(() => true);
  for (let waitedMs = 0; waitedMs < CONDITION_WATCHDOG_MS; waitedMs += 10) {
    if (isTrue() || (await Promise.race([isOver, pause(10).then(() => false)]))) return;
  }
}
