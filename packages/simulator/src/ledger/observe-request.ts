// Records a request when a process sends it, and checks the promises about sending. Records its reply when the process
// gets it: its result, and the hold that it asks for.

import { type Destination, type EndpointId, type EpochMs, endpointId, plusMs, type Reply } from "@postrider/core";
import { LEASE_SLACK_MS } from "@postrider/core/engine";
import { checkRest, recordProbeWait, mustBePaused, expectProbes, observeBlock } from "./holds.js";
import { checkExchange, observeExchangeEnd, observeFleetHold } from "./fleet/observe-exchange.js";
import {
  reportBroken,
  keyOf,
  type KnownDelivery,
  type KnownRequest,
  laneOf,
  type Ledger,
  nameInBody,
  nameOf,
  addHistoryLine,
} from "./ledger.js";
import { type ArrivedRequest, checkBySettings } from "./settings.js";
import { mayBeHeld, dryUntil, observeRate } from "./rates.js";
import { checkRepeat } from "./repeats.js";
import { isTestEvent, observeTestRequest } from "./test-events.js";
import { lastSlotOf, resultOf, verdictOf } from "./verdicts.js";
import { checkRefusingRest, mayBeRefusing, observeRefusingRest, observeStanding } from "./standings.js";

interface ObservedRequest extends ArrivedRequest {
  readonly process: number;
  /** The time at which it is sent, by the wall clock of this process. */
  readonly startedAt: EpochMs;
}

/** A delivery is late if it is sent more than this time after it was due. */
const PROMPT_MS = 2_000;

const decoder = new TextDecoder();

/** Records and checks the request. Returns what was recorded; undefined for a test event, and if its delivery is unknown. */
export function observeRequest(ledger: Ledger, observed: ObservedRequest): KnownRequest | undefined {
  const body = decoder.decode(observed.body);
  const name = nameInBody(body);
  const delivery = sentDelivery(ledger, observed, name);
  if (delivery === undefined) {
    if (isTestEvent(body)) observeTestRequest(ledger, observed.endpoint, name);
    else reportBroken(ledger, "stored-before-sent", `${observed.endpoint} got ${name}, which was never stored`);
    return undefined;
  }
  addHistoryLine(ledger, `sent ${nameOf(delivery)} ${observed.endpoint}`);
  if (delivery.body !== body) reportBroken(ledger, "same-bytes", `${nameOf(delivery)} was sent with other bytes`);
  const { fleet } = ledger;
  if (fleet === undefined) checkByOneClock(ledger, delivery, observed);
  observeDestination(ledger, delivery, observed);
  recordProbeWait(ledger, delivery);
  const request = requestOf(ledger, delivery, observed);
  checkRepeat(ledger, request);
  checkRefusingRest(ledger, observed.process, request);
  if (fleet !== undefined) {
    const rateLimit = destinationOf(observed)?.rateLimit;
    checkExchange(ledger, fleet, { process: observed.process, request, isFirst: !delivery.isOut, rateLimit });
  }
  recordSent(delivery, request);
  return request;
}

function recordSent(delivery: KnownDelivery, request: KnownRequest): void {
  delivery.isOut = true;
  delivery.sent.push(request);
  if (request.token !== undefined) delivery.unsettled.add(request.token);
}

/** The delivery that a process sends: the one that it has claimed, if the message was replayed; otherwise the last. */
function sentDelivery({ byKey, holders }: Ledger, { lane, process }: ObservedRequest, name: string) {
  const deliveries = byKey.get(keyOf(lane, name)) ?? [];
  const held = deliveries.filter(({ token }) => token !== undefined && holders.get(token) === process);
  return held.find(({ state }) => state === "claimed") ?? held[0] ?? deliveries.at(-1);
}

/** Checks what needs a wall clock that all processes share. */
function checkByOneClock(ledger: Ledger, delivery: KnownDelivery, observed: ObservedRequest): void {
  checkState(ledger, delivery, ledger.clock.wall());
  checkHold(ledger, delivery, observed);
  checkPrompt(ledger, delivery, observed);
}

function requestOf({ clock, holders }: Ledger, delivery: KnownDelivery, observed: ObservedRequest): KnownRequest {
  const { token } = delivery;
  return {
    process: observed.process,
    delivery,
    endpoint: observed.endpoint,
    startedAt: observed.startedAt,
    sentAt: clock.monotonic(),
    isOnly: destinationOf(observed)?.endpoints.length === 1,
    token: token !== undefined && holders.get(token) === observed.process ? token : undefined,
    result: undefined,
    heardAt: undefined,
    wasRefusing: false,
  };
}

function checkState(ledger: Ledger, delivery: KnownDelivery, now: EpochMs): void {
  const { policy } = ledger;
  if (delivery.state === "delivered")
    reportBroken(ledger, "none-after-success", `${nameOf(delivery)} was delivered before this request`);
  if (delivery.state === "dead")
    reportBroken(ledger, "settles-once", `${nameOf(delivery)} was dead before it was sent`);
  const leftMs = delivery.leaseUntil - now;
  if (delivery.state === "waiting" || leftMs < policy.timeoutMs + LEASE_SLACK_MS) {
    reportBroken(
      ledger,
      "room-in-the-lease",
      `${nameOf(delivery)} is ${delivery.state}, and its lease has ${String(leftMs)} ms left`,
    );
  }
  if (delivery.firstAttemptAt === undefined) return;
  const overMs = now - (delivery.firstAttemptAt + policy.retryWindowMs);
  if (overMs > 0)
    reportBroken(ledger, "none-after-the-window", `${nameOf(delivery)} was sent ${String(overMs)} ms after its window`);
}

/** Reports a request during a hold. In the last slot of a window no hold applies (decision: schedule). */
function checkHold(ledger: Ledger, delivery: KnownDelivery, { process, endpoint }: ObservedRequest): void {
  const until = ledger.holds.get(`${String(process)} ${endpoint}`);
  if (until === undefined || ledger.clock.monotonic() >= until - 1) return;
  const { firstAttemptAt } = delivery;
  if (firstAttemptAt !== undefined && ledger.clock.wall() >= lastSlotOf(ledger.policy, firstAttemptAt).from) return;
  reportBroken(
    ledger,
    "retry-after",
    `${endpoint} got ${nameOf(delivery)} before the time that its Retry-After asked for`,
  );
}

/** Records where the destination sends to, and checks that it may. */
function observeDestination(ledger: Ledger, delivery: KnownDelivery, observed: ObservedRequest): void {
  const endpoints = urlsOf(destinationOf(observed));
  laneOf(ledger, delivery.lane).endpoints = endpoints;
  checkBySettings(ledger, delivery, observed, endpoints);
  checkOpen(ledger, delivery, observed);
  checkRest(ledger, delivery, observed.process);
  checkRate(ledger, delivery, observed);
}

function checkOpen(ledger: Ledger, delivery: KnownDelivery, observed: ObservedRequest): void {
  const destination = destinationOf(observed);
  const isOpen = destination?.enabled === true && !destination.paused;
  if (isOpen && !mustBePaused(ledger, observed.lane, observed.process)) return;
  reportBroken(ledger, "open-lane", `${nameOf(delivery)} was sent while its destination was closed`);
}

/** Counts the first request of a round; there may be one for each endpoint. */
function checkRate(ledger: Ledger, delivery: KnownDelivery, observed: ObservedRequest): void {
  const rateLimit = destinationOf(observed)?.rateLimit;
  if (!delivery.isOut && rateLimit !== undefined)
    observeRate(ledger, delivery, { process: observed.process, rateLimit });
}

function destinationOf({ lane, settings }: ObservedRequest): Destination | undefined {
  return settings.destinations.find(({ id }) => id === lane);
}

function checkPrompt(ledger: Ledger, delivery: KnownDelivery, observed: ObservedRequest): void {
  const lane = laneOf(ledger, delivery.lane);
  if (delivery.isOut || lane.lastFullAt >= delivery.dueSince) return;
  if (mayBeHeld(lane, observed.process) || mayBeRefusing(lane)) return;
  const rateAllowsAt = dryUntil(ledger, lane, destinationOf(observed)?.rateLimit);
  const lateMs = ledger.clock.monotonic() - Math.max(delivery.dueSince, ledger.promptFrom, rateAllowsAt);
  if (lateMs > PROMPT_MS)
    reportBroken(ledger, "prompt", `${nameOf(delivery)} was sent ${String(lateMs)} ms after it was due`);
}

const normalUrls = new WeakMap<Destination, readonly EndpointId[]>();

export function urlsOf(destination: Destination | undefined): readonly EndpointId[] {
  if (destination === undefined) return [];
  const cached = normalUrls.get(destination);
  if (cached !== undefined) return cached;
  const urls = destination.endpoints.map(({ url }) => endpointId(new URL(url).href));
  normalUrls.set(destination, urls);
  return urls;
}

interface ObservedReply {
  readonly process: number;
  readonly endpoint: EndpointId;
  readonly request: KnownRequest;
  readonly reply: Reply;
}

export function observeReply(ledger: Ledger, { process, endpoint, request, reply }: ObservedReply): void {
  const result = resultOf(reply);
  request.result = result;
  request.heardAt = ledger.clock.monotonic();
  const delivery = request.delivery;
  expectProbes(laneOf(ledger, delivery.lane), process, result);
  if (request.isOnly) observeBlock(ledger, delivery, process, result);
  addHistoryLine(ledger, `heard ${nameOf(delivery)} ${result}`);
  observeStanding(ledger, process, request);
  observeRefusingRest(ledger, process, request);
  if (result === "local") delivery.evidence.hadLocalFault = true;
  const isSuccess = verdictOf(result) === "success";
  observeExchangeEnd(ledger, process, request, isSuccess);
  if (isSuccess) {
    delivery.succeeded = true;
    // A process that was frozen may get a success while another process has the delivery; the settlement of the frozen
    // process is stale.
    if (request.token !== undefined && request.token === delivery.token) delivery.succeededUnderLease = true;
  }
  const holdMs = holdMsOf(ledger, reply);
  if (holdMs === undefined) return;
  ledger.holds.set(`${String(process)} ${endpoint}`, plusMs(ledger.clock.monotonic(), holdMs));
  observeFleetHold(ledger, endpoint, process, holdMs);
}

/** For how long a reply asks for a pause. The process extends it at random by up to a fifth, which is not known here. */
function holdMsOf({ policy }: Ledger, reply: Reply): number | undefined {
  if (reply.kind !== "answered" || reply.retryAfter === undefined) return undefined;
  if (verdictOf(resultOf(reply)) !== "retry") return undefined;
  const seconds = Number(reply.retryAfter);
  if (!Number.isSafeInteger(seconds) || seconds <= 0) return undefined;
  return Math.min(seconds * 1_000, policy.maxRetryAfterMs, policy.retryWindowMs);
}
