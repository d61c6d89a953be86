// Servers on one database whose clocks differ, by Debian's libfaketime: what they send, and how long they try, is by the database's time.

import { existsSync, readdirSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { allSettled } from "../crash/site.js";
import { pause } from "../end-to-end/receiver.js";
import { SHORT_LEASE, destination, stats, track } from "../end-to-end/scene.js";
import { serve } from "../end-to-end/server-process.js";
import { tempFolder } from "../postrider/config-file.js";
import type { TestPool } from "../programs/postgres/driver.js";
import { createArrivals } from "./arrivals.js";
import { writeFleetConfig } from "./fleet.js";

/** Where Debian installs it, for whichever processor. */
const LIBRARIES = "/usr/lib";
const FAKETIME = "faketime/libfaketimeMT.so.1";
/** From the first attempt of a delivery on. */
const WINDOW_MS = 12_000;
const MAX_RETRY_MS = 1_000;
const ANSWERS_AFTER_MS = 5;
const CALLS = 60;
const CALL_EVERY_MS = 100;

/** How a clock is wrong, in seconds: at the start, and after each further `STEP_EVERY_MS`. */
export type Wrongness = readonly number[];
const STEP_EVERY_MS = 3_000;

export interface SkewReport {
  /** Requests for calls that the receiver takes, beyond the first one of each. */
  readonly repeats: number;
  /** For each call that it never takes, how long it was tried, until the delivery was dead, in milliseconds. */
  readonly triedMs: readonly number[];
  /** Requests for calls that it never takes. */
  readonly tries: number;
}

/** The path of libfaketime. Says so where it is missing. */
export function findFaketime(): string | undefined {
  const found = readdirSync(LIBRARIES)
    .map((folder) => join(LIBRARIES, folder, FAKETIME))
    .find((path) => existsSync(path));
  if (found === undefined) console.warn("SKIPPED: servers with wrong clocks: libfaketime is not installed");
  return found;
}

export interface SkewedSite {
  readonly store: string;
  readonly pool: TestPool;
  readonly faketime: string;
}

/** A run with a server for each clock. */
export async function playSkewed(
  { store, pool, faketime }: SkewedSite,
  clocks: readonly Wrongness[],
): Promise<SkewReport> {
  const arrivals = await createArrivals(ANSWERS_AFTER_MS, (id) => (isTaken(id) ? 200 : 503));
  const config = writeFleetConfig(store, [destination([arrivals.url])], {
    delivery: { ...SHORT_LEASE, retryWindowMs: WINDOW_MS, maxRetryMs: MAX_RETRY_MS },
  });
  const faked = clocks.map((clock) => createFakedClock(faketime, clock));
  const servers = await Promise.all(faked.map((clock) => serve(config, { env: clock.env })));
  const stepping = Promise.all(faked.map((clock) => clock.play()));
  for (let call = 0; call < CALLS; call += 1) {
    const { url } = servers[call % servers.length]!;
    const status = await track(url, { messageId: `m${String(call)}` });
    if (status !== 200) throw new Error(`a call was answered ${String(status)}`);
    await pause(CALL_EVERY_MS);
  }
  await stepping;
  await allSettled(servers[0]!.url);
  const { waiting, claimed } = await stats(servers[0]!.url);
  if (waiting + claimed > 0) throw new Error(`${String(waiting + claimed)} deliveries are not settled`);
  await Promise.all(servers.map((server) => server.end()));
  const died = await diedAt(pool);
  const all = [...arrivals.times];
  const [taken, others] = [all.filter(([id]) => isTaken(id)), all.filter(([id]) => !isTaken(id))];
  return {
    repeats: requestsOf(taken) - taken.length,
    tries: requestsOf(others),
    triedMs: others.map(([id, [first = 0]]) =>
      Math.round((died.get(id) ?? Number.NaN) - performance.timeOrigin - first),
    ),
  };
}

/** One call in six is never taken. */
function isTaken(id: string): boolean {
  return Number(id.slice(1)) % 6 !== 0;
}

interface FakedClock {
  readonly env: Readonly<Record<string, string>>;
  /** Makes the steps. */
  play(): Promise<void>;
}

function createFakedClock(faketime: string, [first = 0, ...later]: Wrongness): FakedClock {
  const file = join(tempFolder(), "faketime");
  const set = (seconds: number): void => {
    writeFileSync(`${file}.next`, `${seconds < 0 ? "" : "+"}${String(seconds)}s\n`);
    renameSync(`${file}.next`, file);
  };
  set(first);
  return {
    env: {
      LD_PRELOAD: faketime,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_CACHE_DURATION: "1",
      FAKETIME_DONT_FAKE_MONOTONIC: "1",
    },
    play: async (): Promise<void> => {
      for (const seconds of later) {
        await pause(STEP_EVERY_MS);
        set(seconds);
      }
    },
  };
}

/** When each dead delivery ended, by the database's clock, which is that of this machine. */
async function diedAt(pool: TestPool): Promise<ReadonlyMap<string, number>> {
  const { rows } = await pool.query(
    `select convert_from(m.message_id, 'UTF8') as id, e.finished_at::float8 as at
     from postrider.ended e join postrider.message m on m.id = e.id where e.state = 3`,
  );
  return new Map(rows.map(({ id, at }) => [String(id), Number(at)]));
}

function requestsOf(times: readonly (readonly [string, readonly number[]])[]): number {
  return times.reduce((sum, [, { length }]) => sum + length, 0);
}
