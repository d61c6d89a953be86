// Records which messages each endpoint has refused since it last took one, as each process has heard it, and checks
// that a receiver that refuses whatever it gets is left alone: its lane sends only probes (decision: refusals).

import type { EndpointId, MonoMs } from "@postrider/core";
import type { KnownLane, KnownStanding } from "./known.js";
import { isOfOneBody, verdictOf } from "./verdicts.js";
import { type KnownRequest, laneOf, type Ledger, nameOf, reportBroken } from "./ledger.js";

/**
 * An endpoint refuses whatever it gets once it has refused `REFUSING_MESSAGES` over `REFUSING_FOR_MS`, or `REFUSING_AT_ONCE` in any time;
 * and, in both cases, `REFUSING_TIMES_USUAL` times as many as it has refused between two that it took.
 */
const REFUSING_MESSAGES = 3;

const REFUSING_FOR_MS = 1_000;

const REFUSING_AT_ONCE = 60;

const REFUSING_TIMES_USUAL = 10;

const MAX_USUAL_REFUSALS = 60;

/** By how much the wall clock of a process may be wrong about that time: a shorter step is not noticed. */
const UNNOTICED_STEP_MS = 1_000;

/** Records a reply to a request of a process. To be called before its success is recorded. */
export function observeStanding(ledger: Ledger, process: number, request: KnownRequest): void {
  const { delivery, endpoint, result = "" } = request;
  const lane = laneOf(ledger, delivery.lane);
  const nowMs = ledger.clock.monotonic();
  const standing = standingOf(lane, process, endpoint);
  const { refusedAt } = standing;
  if (verdictOf(result) === "success") {
    standing.longest = Math.max(standing.longest, Math.min(refusedAt.size, MAX_USUAL_REFUSALS));
    refusedAt.clear();
    noteSuccess(lane, endpoint, nowMs);
    // A later success of the same round does not reach its lane.
    if (!delivery.succeeded) openLane(lane, process, nowMs);
    return;
  }
  const isCounted = isOfEndpoint(result) && delivery.recorded.size === 0;
  const hasRoom = refusedAt.size < REFUSING_TIMES_USUAL * MAX_USUAL_REFUSALS;
  if (isCounted && hasRoom && !refusedAt.has(delivery.messageId)) refusedAt.set(delivery.messageId, nowMs);
  request.wasRefusing = mustRefuse(ledger, standing);
  if (!mayRefuse(ledger, lane, process)) return;
  lane.refusingProcesses.add(process);
  lane.leastSlots = 1;
}

/** True if the endpoint itself refuses: a request that our own address policy refused has never reached it. */
function isOfEndpoint(result: string): boolean {
  return verdictOf(result) === "refused" && !isOfOneBody(result) && result !== "forbidden-address";
}

/** True if a process, or another one beside it, may hold the lane since its receivers refuse whatever they get. */
export function mayBeRefusing({ refusingProcesses }: KnownLane): boolean {
  return refusingProcesses.size > 0;
}

/** The standings that a process had in memory are gone with it. */
export function forgetStandings(ledger: Ledger, process: number): void {
  for (const lane of ledger.lanes.values()) openLane(lane, process, ledger.clock.monotonic());
}

/** A process whose clock steps forgets what its receivers have answered. */
export function forgetAtStep(ledger: Ledger): void {
  ledger.steppedAt = ledger.clock.monotonic();
  for (const { restsSince } of ledger.lanes.values()) restsSince.clear();
}

/** True if the endpoint took a message, of any process, after one time and by another. */
export function hasSucceededBetween(
  { isTimeUneven }: Ledger,
  { lane, endpoint }: { readonly lane: KnownLane; readonly endpoint: EndpointId },
  { afterMs, byMs }: { readonly afterMs: number; readonly byMs: number },
): boolean {
  const slackMs = isTimeUneven ? UNNOTICED_STEP_MS : 0;
  const lastSuccessAt = lane.successes.get(endpoint)?.findLast((at) => at <= byMs + slackMs);
  return lastSuccessAt !== undefined && lastSuccessAt > afterMs - slackMs;
}

function standingOf({ standings }: KnownLane, process: number, endpoint: EndpointId): KnownStanding {
  const key = `${String(process)} ${endpoint}`;
  const standing = standings.get(key) ?? { refusedAt: new Map(), longest: 0 };
  standings.set(key, standing);
  return standing;
}

function noteSuccess({ successes }: KnownLane, endpoint: EndpointId, now: MonoMs): void {
  const times = successes.get(endpoint) ?? [];
  successes.set(endpoint, times);
  times.push(now);
}

/** A lane that was held has one slot at first, and what is due in it was due all the time. */
function openLane(lane: KnownLane, process: number, now: MonoMs): void {
  if (lane.refusingProcesses.delete(process)) lane.lastFullAt = now;
}

/** True if a process may take any endpoint of the lane to refuse whatever it gets. */
function mayRefuse({ clock, isTimeUneven }: Ledger, { standings }: KnownLane, process: number): boolean {
  const forMs = isTimeUneven ? REFUSING_FOR_MS - UNNOTICED_STEP_MS : REFUSING_FOR_MS;
  const standingsOfProcess = [...standings].filter(([key]) => key.startsWith(`${String(process)} `));
  return standingsOfProcess.some(([, { refusedAt }]) => isRefusing([...refusedAt.values()], forMs, clock.monotonic()));
}

/**
 * True if the process must take the endpoint to refuse whatever it gets. It forgets the earlier refusals when its clock steps. The number
 * of refusals that it takes to be usual is at most the largest one before a success.
 */
function mustRefuse({ clock, fleet, steppedAt }: Ledger, { refusedAt, longest }: KnownStanding): boolean {
  if (fleet !== undefined || refusedAt.size < REFUSING_TIMES_USUAL * longest) return false;
  const sinceStep = [...refusedAt.values()].filter((at) => at > steppedAt);
  const forMs = steppedAt >= 0 ? REFUSING_FOR_MS + UNNOTICED_STEP_MS : REFUSING_FOR_MS;
  return isRefusing(sinceStep, forMs, clock.monotonic());
}

function isRefusing(refusedAt: readonly MonoMs[], forMs: number, now: MonoMs): boolean {
  const [firstRefusedAt] = refusedAt;
  if (refusedAt.length >= REFUSING_AT_ONCE) return true;
  return refusedAt.length >= REFUSING_MESSAGES && firstRefusedAt !== undefined && now - firstRefusedAt >= forMs;
}

/** The least time between two probes: half of the first backoff. */
const LEAST_PROBE_MS = 2_500;

/** A claim that was under way when the lane was held may still bring a request, which takes no longer without faults. */
const UNSEEN_MS = 500;

/** Records that a process sends a request, and checks that it does not come too soon. */
export function checkRefusingRest(ledger: Ledger, process: number, { delivery, isOnly }: KnownRequest): void {
  const lane = laneOf(ledger, delivery.lane);
  count(lane, process, 1);
  const since = lane.restsSince.get(process);
  if (since === undefined || !isOnly || since < ledger.promptFrom || ledger.everPaused.has(delivery.lane)) return;
  const restedMs = ledger.clock.monotonic() - since;
  if (restedMs > UNSEEN_MS && restedMs < LEAST_PROBE_MS)
    reportBroken(
      ledger,
      "refusing-rests",
      `${nameOf(delivery)} was sent ${String(restedMs)} ms after the last refusal`,
    );
}

/**
 * Records with a reply since when a process must leave the receiver alone: since it holds the lane, or since the end of the last
 * probe. To be called when it is known whether the receiver refuses whatever it gets.
 */
export function observeRefusingRest(ledger: Ledger, process: number, request: KnownRequest): void {
  const lane = laneOf(ledger, request.delivery.lane);
  count(lane, process, -1);
  if (!isHeldFor(request)) {
    lane.restsSince.delete(process);
    return;
  }
  const nowMs = ledger.clock.monotonic();
  const since = lane.restsSince.get(process);
  const isProbe = since !== undefined && nowMs >= since + LEAST_PROBE_MS && !lane.open.has(process);
  if (isProbe || (since === undefined && !lane.heldBy.has(process))) lane.restsSince.set(process, nowMs);
}

/** True if a lane is held for the result of a request, unless it was held before. */
function isHeldFor({ isOnly, wasRefusing, result = "" }: KnownRequest): boolean {
  return isOnly && wasRefusing && verdictOf(result) !== "local" && result !== "forbidden-address";
}

function count({ open }: KnownLane, process: number, step: 1 | -1): void {
  const openCount = (open.get(process) ?? 0) + step;
  if (openCount > 0) open.set(process, openCount);
  else open.delete(process);
}
