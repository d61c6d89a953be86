// Two servers on one file, one of which is stopped past its leases (fault P4): SIGSTOP while deliveries of it are under way,
// until the other server has claimed them; then SIGCONT. What the stopped server tries to settle then is settled already, or
// is claimed by the other server, and must be refused.

import type { Random } from "@postrider/core";
import { pause, until } from "../end-to-end/receiver.js";
import { RefusedError } from "../end-to-end/scene.js";
import { type ServerProcess, serve } from "../end-to-end/server-process.js";
import { judge, type Finding, repeatedIn } from "./judge.js";
import { type Alteration, allSettled, alteredBy, countLogged, createSite, POLICY, type Site } from "./site.js";
import type { OnRequest } from "./sightings.js";
import { readFile } from "./store-content.js";

const CALLS = 8;
/** Stops after which the other server has nothing to take over do not count, but their number is limited. */
const TRIES_PER_STOP = 5;
/** The longest time from the first request to a stop. */
const STOP_WITHIN_MS = 5;
/** How long the other server waits for its answer, so that the stopped one continues meanwhile. */
const HELD_MS = 150;
/** After a stop of this length, the leases of the stopped server have ended or are about to end. */
const ASLEEP_MS = POLICY.leaseMs - 500;
/** The longest stop. A server that is stopped within a transaction holds the lock of the file until it continues. */
const MAX_ASLEEP_MS = POLICY.leaseMs + 4_000;
/** Time for the stopped server, once it continues, to settle its deliveries. */
const WAKING_MS = 500;

export interface StopOptions {
  readonly stops: number;
  readonly random: Random;
  readonly alterations?: readonly Alteration[];
  /** Called with the number of stops so far. */
  readonly tell?: (stops: number) => void;
}

export interface StopReport {
  /** The stops past a lease, in which the other server took deliveries over. */
  readonly stops: number;
  readonly calls: number;
  /** Settlements that were too late and were refused, by the logs of both servers. */
  readonly refused: number;
  /** Requests beyond those that are recorded: at most one for each delivery. */
  readonly repeated: number;
  readonly findings: readonly Finding[];
}

/**
 * When the stopped server continues. `late`: the other server has settled all. `between`: the other server has just sent the
 * request again, so that a delivery is claimed, but not by the stopped server.
 */
type Waking = "late" | "between";

interface Stage {
  readonly site: Site;
  readonly workers: readonly [ServerProcess, ServerProcess];
  /** The reaction to a request. */
  act: OnRequest;
}

/** Stops one or the other server on one file this many times, and returns the verdict. */
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
  /** From the first request to the stop; at 0 the server is stopped before it gets its answer. */
  readonly stopAfterMs: number;
}

function planOf(stop: number, { workers: [first, second] }: Stage, random: Random): Plan {
  const [sleeper, other] = stop % 4 < 2 ? [first, second] : [second, first];
  const waking = stop % 2 === 0 ? "late" : "between";
  return { sleeper, other, waking, stopAfterMs: Math.max(0, random.unit() - 0.5) * 2 * STOP_WITHIN_MS };
}

/** Whether the other server took deliveries over. It cannot if the stopped one holds the lock of the file. */
async function stopOnce(stage: Stage, plan: Plan): Promise<boolean> {
  const { callers } = stage.site;
  const { sleeper, other } = plan;
  const sleep = sleepAtFirstRequest(stage, plan);
  const calling = callers.callUntilGone(sleeper.url, CALLS, callers.made.size + CALLS);
  await until(() => sleep.sinceMs() > 0, "a request");
  await allSettled(other.url, MAX_ASLEEP_MS).catch(unlessLocked);
  const isTakenOver = sleep.isTakenOver();
  sleep.end();
  await calling;
  await pause(WAKING_MS);
  await allSettled(other.url);
  return isTakenOver;
}

/** A server answers 503 while the stopped one holds the lock of the file. */
function unlessLocked(error: unknown): void {
  if (!(error instanceof RefusedError && error.status === 503)) throw error;
}

interface Sleep {
  /** How long the server has been stopped, or was stopped; 0 before the stop. */
  sinceMs(): number;
  /** Whether a request has come again after the leases ended. */
  isTakenOver(): boolean;
  end(): void;
}

function sleepAtFirstRequest(stage: Stage, { sleeper, waking, stopAfterMs }: Plan): Sleep {
  const asked = new Set<string>();
  let sleptAt: number | undefined;
  let wokeAt: number | undefined;
  let isTakenOver = false;
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
    const isRepeated = asked.has(unit) && sinceMs() >= ASLEEP_MS;
    isTakenOver ||= isRepeated && wokeAt === undefined;
    asked.add(unit);
    if (waking === "between" && isRepeated) {
      end();
      setTimeout(answer, HELD_MS);
    } else answer();
  };
  return { sinceMs, isTakenOver: () => isTakenOver, end };
}
