// `npm run soak -- crash`: a thousand kills, every system call that writes, five thousand power cuts, two hundred workers
// that sleep past their leases. `--percent 10` does a tenth of it, `--seed n` draws other moments, and CRASH_SENDER_THREAD=1
// has the servers send from a separate thread.

import { env } from "node:process";
import { createSeededRandom } from "@postrider/memory";
import { afterAll, describe, expect, it } from "vitest";
import { canTrace, warnWithoutTrace } from "../can-trace.js";
import { liveThroughKills } from "../kill-cycles.js";
import type { Finding } from "../judge.js";
import { cutPower } from "../power-cuts.js";
import { recordLife } from "../record-life.js";
import { POLICY } from "../site.js";
import { stopWorkers } from "../stopped-workers.js";
import { type InjectionReport, killAtEach, WRITE_CALLS } from "../syscall-kills.js";

const SHARE = Number(env["CRASH_PERCENT"] ?? 100) / 100;
const SEED = Number(env["CRASH_SEED"] ?? 4);

/** Kills on one file; more of them would only make it larger. */
const CYCLES_PER_FILE = 50;
const FILES = share(20);
const FILES_AT_ONCE = 3;
/** Long, since the runs mostly wait for leases to end. */
const LIVES_AT_ONCE = 12;
const IMAGES = share(5_000);
const RECORDED_CALLS = 16;
const STOPS = share(200);
const PAIRS = Math.min(10, STOPS);
const MAX_SHOWN = 20;
/**
 * How much later the last call may be sent again from a separate thread. The flaky destination refuses each message once; sixty of them come
 * sooner than the first retry then, and its lane is held until a probe has succeeded.
 */
const HELD_MS = env["CRASH_SENDER_THREAD"] === "1" ? 30_000 : 0;

interface Row {
  readonly done: string;
  /** Calls that were answered 200 before it happened, and so could have been lost. */
  readonly answered: number;
  readonly lost: number;
  readonly settledTwice: number;
  readonly otherFindings: number;
  readonly repeated: string;
  readonly tookS: number;
}

const table: Record<string, Row> = {};

function share(whole: number): number {
  return Math.max(1, Math.round(whole * SHARE));
}

afterAll(() => console.table(table));
warnWithoutTrace("kills at system calls and no power cuts");

describe("what was answered 200 is never lost and settles once", () => {
  it("through kill -9 at random", async () => {
    const start = performance.now();
    const reports = await inTurn(FILES, FILES_AT_ONCE, async (file) => {
      const report = await liveThroughKills({ cycles: CYCLES_PER_FILE, random: createSeededRandom(SEED + file) });
      const findings = report.findings.slice(0, MAX_SHOWN);
      console.log(`file ${file + 1} of ${FILES}: ${JSON.stringify({ ...report, findings })}`);
      return report;
    });
    // Where attempts timed out, since the machine left the receivers without CPU, deliveries wait for their retries too.
    const isInTime = ({ logged }: (typeof reports)[number]): boolean => (logged["timeout"] ?? 0) === 0;
    const inTime = reports.filter(isInTime);
    const recoveries = inTime.map(({ recoveryMs }) => recoveryMs).sort((one, other) => one - other);
    console.log(`${reports.length - inTime.length} of ${FILES} files had attempts that timed out, and are not timed`);
    console.log(`from restart to the last call that was under way, ms: ${recoveries.map(Math.round).join(" ")}`);
    record("kill -9", {
      done: `${sum(reports, "kills")} kills`,
      answered: sum(reports, "safe"),
      findings: reports.flatMap(({ findings }) => findings),
      repeated: `${sum(reports, "repeated")} of at most ${sum(reports, "underWay")}`,
      start,
    });
    expect(Math.max(0, ...recoveries)).toBeLessThanOrEqual(POLICY.leaseMs + 1_000 + HELD_MS);
  });

  it.skipIf(!canTrace)("through a kill at every system call that writes", async () => {
    const start = performance.now();
    const reports: InjectionReport[] = [];
    for (const call of WRITE_CALLS) {
      const made = await killAtEach(call, LIVES_AT_ONCE, SHARE);
      console.log(`${call}: ${made.filter(({ isKilled }) => isKilled).length} kills`);
      reports.push(...made);
    }
    record("system calls", {
      done: `${reports.filter(({ isKilled }) => isKilled).length} kills`,
      answered: sum(reports, "safe"),
      findings: reports.flatMap(({ findings }) => findings),
      repeated: `${sum(reports, "repeated")} of at most ${sum(reports, "underWay")}`,
      start,
    });
  });

  it.skipIf(!canTrace)("through power cuts", async () => {
    const start = performance.now();
    const life = await recordLife({ calls: RECORDED_CALLS });
    console.log(`a life of ${life.steps.length} steps`);
    const report = await cutPower({ life, images: IMAGES, random: createSeededRandom(SEED), tell: console.log });
    const done = `${report.images} images, ${report.unsynced} unsynced`;
    record("power cuts", { done, answered: report.answered, findings: report.findings, repeated: "-", start });
  });

  it("through sleep past the lease", async () => {
    const start = performance.now();
    const reports = await inTurn(PAIRS, PAIRS, async (pair) => {
      const stops = Math.ceil(STOPS / PAIRS);
      return stopWorkers({ stops, random: createSeededRandom(SEED + pair), tell: (made) => console.log(pair, made) });
    });
    console.log(`${sum(reports, "refused")} settlements came late and were refused`);
    record("SIGSTOP", {
      done: `${sum(reports, "stops")} stops`,
      answered: sum(reports, "calls"),
      findings: reports.flatMap(({ findings }) => findings),
      repeated: `${sum(reports, "repeated")}, ${sum(reports, "refused")} refused`,
      start,
    });
    expect(sum(reports, "refused")).toBeGreaterThan(0);
  });
});

interface Outcome extends Pick<Row, "done" | "answered" | "repeated"> {
  readonly findings: readonly Finding[];
  readonly start: number;
}

function record(name: string, { findings, start, ...outcome }: Outcome): void {
  const count = (kind: Finding["kind"]): number => findings.filter((one) => one.kind === kind).length;
  const [lost, settledTwice] = [count("lost"), count("settled-twice")];
  const otherFindings = findings.length - lost - settledTwice;
  const tookS = Math.round((performance.now() - start) / 1_000);
  table[name] = { ...outcome, lost, settledTwice, otherFindings, tookS };
  expect(findings.slice(0, MAX_SHOWN)).toEqual([]);
}

/** Runs `count` tasks, a bounded number of them at once. */
async function inTurn<T>(count: number, atOnce: number, task: (index: number) => Promise<T>): Promise<readonly T[]> {
  const done: T[] = [];
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < count) {
      next += 1;
      done.push(await task(next - 1));
    }
  };
  await Promise.all(Array.from({ length: atOnce }, work));
  return done;
}

function sum<Name extends string>(rows: readonly Readonly<Record<Name, number>>[], name: Name): number {
  return rows.reduce((total, row) => total + row[name], 0);
}
