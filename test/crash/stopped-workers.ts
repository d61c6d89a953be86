// Two servers on one file, one of which sleeps past its leases (fault P4): SIGSTOP while deliveries of it are under way,
// until the other has taken them over; then SIGCONT. What the sleeper wants to settle then is settled already, or is in
// the hands of the other, and must be refused.

import type { Random } from "@postrider/core";
import { pause, until } from "../end-to-end/receiver.js";
import { type ServerProcess, serve } from "../end-to-end/server-process.js";
import { judge, type Finding, repeatedIn } from "./judge.js";
import { type Alteration, allSettled, alteredBy, countLogged, createSite, POLICY, type Site } from "./site.js";
import type { OnRequest } from "./sightings.js";
import { readFile } from "./store-content.js";

const CALLS = 8;
/** Stops that found nothing under way do not count, but end at some time. */
const TRIES_PER_STOP = 2;
/** A stop comes at most so long after the first request. */
const STOP_WITHIN_MS = 5;
/** How long the one that takes over waits for its answer, so that the sleeper wakes meanwhile. */
const HELD_MS = 150;
/** Asleep for so long, what the sleeper had claimed is free to be claimed again, or is about to be. */
const ASLEEP_MS = POLICY.leaseMs - 500;
/** And so long it sleeps at most. One that was stopped within a transaction holds the lock of the file until it wakes. */
const MAX_ASLEEP_MS = POLICY.leaseMs + 4_000;
const ASKED_WITHIN_MS = 60_000;
/** For a sleeper that is awake to settle what it holds. */
const WAKING_MS = 500;

export interface StopOptions {
  readonly stops: number;
  readonly random: Random;
  readonly alterations?: readonly Alteration[];
  /** Hears how many stops there have been. */
  readonly tell?: (stops: number) => void;
}

export interface StopReport {
  /** Those that outlasted a lease. */
  readonly stops: number;
  readonly calls: number;
  /** Settlements that came too late and were refused, by the logs of both. */
  readonly refused: number;
  /** Requests beyond those that are recorded: at most one for each delivery. */
  readonly repeated: number;
  readonly findings: readonly Finding[];
}

/**
 * When the sleeper wakes. `late`: all has been settled by the other. `between`: the other has just sent the request
 * again, so that a delivery is claimed, but not by the sleeper.
 */
type Waking = "late" | "between";

interface Stage {
  readonly site: Site;
  readonly workers: readonly [ServerProcess, ServerProcess];
  /** What happens at a request. */
  act: OnRequest;
}

/** One file, so many stops of one worker or the other, and the verdict. */
export async function stopWorkers(options: StopOptions): Promise<StopReport> {
  const stage = await setStage(options.alterations ?? []);
  let stops = 0;
  for (let tries = 0; stops < options.stops && tries < options.stops * TRIES_PER_STOP; tries += 1) {
    stops += (await stopOnce(stage, planOf(tries, stage, options.random))) ? 1 : 0;
    options.tell?.(stops);
  }
  const { site, workers } = stage;
  await Promise.all(workers.map((worker) => worker.end()));
  await site.receivers.close();
  const { sightings } = site.receivers;
  const content = await readFile(site.file);
  const interrupted = new Map([...sightings.keys()].map((unit) => [unit, 1]));
  return {
    stops,
    calls: site.callers.safe.size,
    refused: countLogged(workers)["stale"] ?? 0,
    repeated: repeatedIn(content, sightings),
    findings: judge({ ...site.callers, sightings, interrupted, content }),
  };
}

async function setStage(alterations: readonly Alteration[]): Promise<Stage> {
  const acting: Pick<Stage, "act"> = { act: answerAtOnce };
  const site = await createSite((unit, nth, answer) => acting.act(unit, nth, answer));
  const first = await serve(site.config, alteredBy(alterations));
  const second = await serve(site.config, alteredBy(alterations));
  return Object.assign(acting, { site, workers: [first, second] as const });
}

const answerAtOnce: OnRequest = (_unit, _nth, answer) => answer();

interface Plan {
  readonly sleeper: ServerProcess;
  readonly other: ServerProcess;
  readonly waking: Waking;
  /** From the first request to the stop; at nought it stops before it has its answer. */
  readonly stopAfterMs: number;
}

function planOf(stop: number, { workers: [first, second] }: Stage, random: Random): Plan {
  const [sleeper, other] = stop % 4 < 2 ? [first, second] : [second, first];
  const waking = stop % 2 === 0 ? "late" : "between";
  return { sleeper, other, waking, stopAfterMs: Math.max(0, random.unit() - 0.5) * 2 * STOP_WITHIN_MS };
}

/** Whether the stop outlasted a lease. */
async function stopOnce(stage: Stage, plan: Plan): Promise<boolean> {
  const { callers } = stage.site;
  const { sleeper, other } = plan;
  const sleep = sleepAtFirstRequest(stage, plan);
  const calling = callers.callUntilGone(sleeper.url, CALLS, callers.made.size + CALLS);
  await until(() => sleep.sinceMs() > 0, "a request", ASKED_WITHIN_MS);
  await allSettled(other.url, MAX_ASLEEP_MS);
  const isPastLease = sleep.sinceMs() >= ASLEEP_MS;
  sleep.end();
  await calling;
  await pause(WAKING_MS);
  await allSettled(other.url);
  return isPastLease;
}

interface Sleep {
  /** For how long it has been asleep, or had been when it woke; nought while it is not yet. */
  sinceMs(): number;
  end(): void;
}

function sleepAtFirstRequest(stage: Stage, { sleeper, waking, stopAfterMs }: Plan): Sleep {
  const asked = new Set<string>();
  let sleptAt: number | undefined;
  let wokeAt: number | undefined;
  const fallAsleep = (): void => {
    sleptAt = performance.now();
    sleeper.signal("SIGSTOP");
  };
  const end = (): void => {
    wokeAt ??= performance.now();
    sleeper.signal("SIGCONT");
    stage.act = answerAtOnce;
  };
  const sinceMs = (): number => (sleptAt === undefined ? 0 : (wokeAt ?? performance.now()) - sleptAt);
  stage.act = (unit, _nth, answer): void => {
    if (asked.size === 0 && stopAfterMs === 0) fallAsleep();
    else if (asked.size === 0) setTimeout(fallAsleep, stopAfterMs);
    const isTakenOver = asked.has(unit) && sinceMs() >= ASLEEP_MS;
    asked.add(unit);
    if (waking === "between" && isTakenOver) {
      end();
      setTimeout(answer, HELD_MS);
    } else answer();
  };
  return { sinceMs, end };
}
