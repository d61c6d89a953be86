// Handles a request with calls: finds its source, reads and counts its calls, passes them to the relay and answers. The
// shape of a call is decided by relay/settings and core; storage by the relay (decisions: http front, limits on callers).

import { type Batch, decodeBatch } from "@postrider/relay/settings";
import type { Clock, Source } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import {
  type Answer,
  type ByteBudget,
  type IncomingHead,
  type IncomingRequest,
  networkOf,
  overloadedAnswer,
  parseJson,
  rateLimitedAnswer,
  type ReadJsonResult,
  readWholeBody,
} from "../index.js";
import type { Arrival, Relay } from "@postrider/relay";
import {
  answerBatch,
  answerCall,
  brokenRuleAnswer,
  notAnObjectAnswer,
  retryLaterAnswer,
  unknownKeyAnswer,
  unreadAnswer,
} from "./call-answers.js";
import {
  basicAuthKey,
  bodyKey,
  queryKey,
  contextWithIp,
  type CallerLookup,
  type CallerLookupResult,
  type SourceLimits,
} from "./sources.js";
import { type ParseCapacity, type BodySender, parseLargeJson } from "./parse-capacity.js";
import type { IngestRoute, PostRoute } from "./routes.js";

/** The parts that handle calls. They last longer than a request: the limits count over all requests. */
export interface CallHandlerParts {
  readonly relay: Pick<Relay, "accept" | "workspace">;
  readonly clock: Pick<Clock, "wall">;
  readonly callers: CallerLookup;
  readonly limits: SourceLimits;
  /** Counts the bytes of unzipped bodies until their requests are answered. */
  readonly unzipped: ByteBudget;
  readonly parsing: ParseCapacity;
}

/** Answers a request with calls. If its head is enough to refuse it, the body is neither unzipped nor parsed. */
export async function handleCalls(
  parts: CallHandlerParts,
  route: PostRoute,
  request: IncomingRequest,
): Promise<Answer> {
  const { callers, limits } = parts;
  const key = headKey(route, request);
  if (key === undefined) {
    const waitMs = callers.waitMs(request.remoteAddress);
    return waitMs > 0 ? rateLimitedAnswer(waitMs) : readAndHandle(parts, route, request);
  }
  const caller = callers.key(key, request.remoteAddress);
  if (caller.kind !== "known") return unidentifiedAnswer(caller);
  const waitMs = limits.waitMs(caller.source);
  return waitMs > 0 ? rateLimitedAnswer(waitMs) : readAndHandle(parts, route, request, caller.source);
}

/** True if the head shows the key of a source, from an address that may show keys. */
export function knowsCaller(
  { callers }: Pick<CallHandlerParts, "callers">,
  route: PostRoute,
  head: IncomingHead,
): boolean {
  return callers.knows(headKey(route, head), head.remoteAddress);
}

/** URLs are written to logs, so only a beacon, which has no headers, may have its key in the query. */
function headKey(route: PostRoute, { headers, query }: IncomingHead): string | undefined {
  const isBeacon = route.kind === "batch" && route.isBeacon === true;
  return basicAuthKey(headers.get("authorization")) ?? (isBeacon ? queryKey(query) : undefined);
}

/** If `source` is absent, the head shows no key, so the body has to contain the key. */
async function readAndHandle(
  parts: CallHandlerParts,
  route: PostRoute,
  request: IncomingRequest,
  source?: Source,
): Promise<Answer> {
  const unzipped = parts.unzipped.open();
  try {
    const whole = await readWholeBody(request.body, unzipped);
    if (whole.kind === "ok") return await parseAndHandle(parts, route, { request, bytes: whole.bytes, source });
    return await handleRead(parts, route, { request, read: whole, source });
  } finally {
    unzipped.release();
  }
}

interface WholeRequest {
  readonly request: IncomingRequest;
  readonly bytes: Uint8Array;
  readonly source: Source | undefined;
}

/** The body waits as bytes until it may be parsed. */
async function parseAndHandle(
  parts: CallHandlerParts,
  route: PostRoute,
  { request, bytes, source }: WholeRequest,
): Promise<Answer> {
  const reserving = parts.parsing.reserve(bytes.length, () => senderOf(request, source));
  const reservation = reserving instanceof Promise ? await reserving : reserving;
  if (reservation === undefined) return overloadedAnswer();
  const { nextTurn } = reservation;
  try {
    const json = nextTurn === undefined ? parseJson(bytes) : await parseInTurns(bytes, nextTurn);
    return await handleRead(parts, route, { request, read: json, source });
  } finally {
    reservation.release();
  }
}

/** Takes one step in each turn of the event loop. The work after the last step has a separate turn, too. */
async function parseInTurns(bytes: Uint8Array, nextTurn: () => Promise<void>): Promise<ReadJsonResult> {
  const steps = parseLargeJson(bytes);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await nextTurn();
  await nextTurn();
  return step.value;
}

function senderOf({ remoteAddress }: IncomingRequest, source: Source | undefined): BodySender {
  if (source === undefined) return { name: networkOf(remoteAddress) ?? "", isKeyed: false };
  return { name: source.id, isKeyed: true };
}

interface ReadRequest {
  readonly request: IncomingRequest;
  readonly read: ReadJsonResult;
  readonly source: Source | undefined;
}

async function handleRead(
  parts: CallHandlerParts,
  route: PostRoute,
  { request, read, source }: ReadRequest,
): Promise<Answer> {
  if (read.kind === "refused") {
    const isMalformed = read.reason !== "no-room" && read.reason !== "unread-encoding";
    if (isMalformed && source === undefined) countRefused(parts, request);
    return unreadAnswer(route, read);
  }
  if (source !== undefined) return handleBody(parts, route, { source, body: read.value, from: request.remoteAddress });
  return identifyAndHandle(parts, route, { request, body: read.value });
}

async function identifyAndHandle(
  parts: CallHandlerParts,
  route: PostRoute,
  { request, body }: { readonly request: IncomingRequest; readonly body: unknown },
): Promise<Answer> {
  if (!isPlainObject(body)) {
    countRefused(parts, request);
    return notAnObjectAnswer(route);
  }
  const caller = parts.callers.key(bodyKey(body), request.remoteAddress);
  return caller.kind === "known"
    ? handleBody(parts, route, { source: caller.source, body, from: request.remoteAddress })
    : unidentifiedAnswer(caller);
}

/** A body that is refused before its key is known counts as one or more unknown keys of its address. */
function countRefused({ callers }: CallHandlerParts, { body, remoteAddress }: IncomingRequest): void {
  callers.countRefused(body, remoteAddress);
}

interface SourceBody {
  readonly source: Source;
  readonly body: unknown;
  /** The address of the caller, if it is known. */
  readonly from: string | undefined;
}

async function handleBody(parts: CallHandlerParts, route: PostRoute, read: SourceBody): Promise<Answer> {
  if (route.kind === "call") return acceptCall(parts, route, read);
  const decoded = decodeBatch(read.body);
  return decoded.kind === "refused" ? brokenRuleAnswer(decoded) : acceptBatch(parts, read, decoded.batch);
}

async function acceptCall(
  { relay, clock, limits }: CallHandlerParts,
  { call }: Extract<IngestRoute, { kind: "call" }>,
  { source, body, from }: SourceBody,
): Promise<Answer> {
  const waitMs = limits.spend(source, 1);
  if (waitMs > 0) return rateLimitedAnswer(waitMs);
  const context = contextWithIp(source, from, undefined);
  const arrival: Arrival = { source: source.id, calls: [body], kind: call, isBrief: true };
  return relay.accept(context === undefined ? arrival : { ...arrival, shared: { context } }).match(
    ([receipt]) => answerCall(receipt, clock.wall()),
    () => retryLaterAnswer(),
  );
}

async function acceptBatch(
  { relay, clock, limits }: CallHandlerParts,
  { source, from }: SourceBody,
  { calls, context: own, integrations, sentAt, isSentAtUnread }: Batch,
): Promise<Answer> {
  const waitMs = limits.spend(source, calls.length);
  if (waitMs > 0) return rateLimitedAnswer(waitMs);
  const context = contextWithIp(source, from, own);
  const common: Arrival["shared"] = { context, integrations, ...(sentAt === undefined ? {} : { sentAt }) };
  const shared: Arrival["shared"] = isSentAtUnread === undefined ? common : { ...common, isSentAtUnread };
  return relay.accept({ source: source.id, calls, shared, isBrief: true }).match(
    (receipts) => answerBatch(receipts, clock.wall()),
    () => retryLaterAnswer(),
  );
}

function unidentifiedAnswer(caller: Exclude<CallerLookupResult, { kind: "known" }>): Answer {
  return caller.kind === "limited" ? rateLimitedAnswer(caller.waitMs) : unknownKeyAnswer();
}
