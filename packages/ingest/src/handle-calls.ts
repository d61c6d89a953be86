// Takes calls in: identifies, reads, counts, hands them to the relay and tells the caller what came of them. What a call
// must look like is decided by codec and core; what is stored, by the relay (decisions: http front, limits on callers).

import { type Batch, decodeBatch } from "@postrider/codec";
import { type Clock, isPlainObject, type Source } from "@postrider/core";
import {
  type Answer,
  type ByteBudget,
  encodingAnswer,
  type IncomingHead,
  type IncomingRequest,
  networkOf,
  overloadedAnswer,
  parseJson,
  rateLimitedAnswer,
  type ReadJson,
  readWhole,
} from "@postrider/http";
import type { Arrival, Relay } from "@postrider/relay";
import { answerBatch, answerCall } from "./answer-receipts.js";
import { basicKey, bodyKey, queryKey } from "./authenticate.js";
import type { Identified, Identify } from "./identify.js";
import type { ParseGate, Sender } from "./parse-capacity.js";
import { parseLargeJson } from "./parse-large-json.js";
import {
  badJsonAnswer,
  brokenAnswer,
  tooDeepAnswer,
  tooLargeAnswer,
  unavailableAnswer,
  unknownKeyAnswer,
} from "./refuse.js";
import type { Route } from "./routes.js";
import type { SourceLimits } from "./source-limits.js";

/** What taking calls in needs, and remembers from one request to the next. */
export interface Intake {
  readonly relay: Pick<Relay, "accept" | "workspace">;
  readonly clock: Pick<Clock, "wall">;
  readonly identify: Identify;
  readonly limits: SourceLimits;
  /** What is unzipped and waits for its answer. */
  readonly unzipped: ByteBudget;
  readonly parsing: ParseGate;
}

type PostRoute = Exclude<Route, { kind: "settings" }>;

/** Whatever can be said from the head alone is said before the body costs anything. */
export async function takeIn(intake: Intake, route: PostRoute, request: IncomingRequest): Promise<Answer> {
  const { identify, limits } = intake;
  const key = headKey(route, request);
  if (key === undefined) {
    const waitMs = identify.waitMs(request.remoteAddress);
    return waitMs > 0 ? rateLimitedAnswer(waitMs) : readAndTake(intake, route, request);
  }
  const caller = identify.key(key, request.remoteAddress);
  if (caller.kind !== "known") return strangerAnswer(caller);
  const waitMs = limits.waitMs(caller.source);
  return waitMs > 0 ? rateLimitedAnswer(waitMs) : readAndTake(intake, route, request, caller.source);
}

/** Whether the head shows the key of a source that would be heard. */
export function knowsCaller({ identify }: Pick<Intake, "identify">, route: PostRoute, head: IncomingHead): boolean {
  return identify.knows(headKey(route, head), head.remoteAddress);
}

/** A key in a URL shows up in logs, and so only a beacon, which has nothing else, may bring it there. */
function headKey(route: PostRoute, { headers, query }: IncomingHead): string | undefined {
  const isBeacon = route.kind === "batch" && route.isBeacon === true;
  return basicKey(headers.get("authorization")) ?? (isBeacon ? queryKey(query) : undefined);
}

/** Without a source, the body has to name one. */
async function readAndTake(
  intake: Intake,
  route: PostRoute,
  request: IncomingRequest,
  source?: Source,
): Promise<Answer> {
  const room = intake.unzipped.open();
  try {
    const whole = await readWhole(request.body, room);
    if (whole.kind === "read") return await parseAndTake(intake, route, { request, bytes: whole.bytes, source });
    return await takeRead(intake, route, { request, read: whole, source });
  } finally {
    room.release();
  }
}

interface WholeRequest {
  readonly request: IncomingRequest;
  readonly bytes: Uint8Array;
  readonly source: Source | undefined;
}

/** It waits as bytes until it may be parsed. */
async function parseAndTake(
  intake: Intake,
  route: PostRoute,
  { request, bytes, source }: WholeRequest,
): Promise<Answer> {
  const entering = intake.parsing.enter(bytes.length, () => senderOf(request, source));
  const place = entering instanceof Promise ? await entering : entering;
  if (place === undefined) return overloadedAnswer();
  try {
    const read = place.nextTurn === undefined ? parseJson(bytes) : await parseInTurns(bytes, place.nextTurn);
    return await takeRead(intake, route, { request, read, source });
  } finally {
    place.leave();
  }
}

/** A step in each turn of the loop; what comes next has one of its own, too. */
async function parseInTurns(bytes: Uint8Array, nextTurn: () => Promise<void>): Promise<ReadJson> {
  const steps = parseLargeJson(bytes);
  let step = steps.next();
  for (; step.done !== true; step = steps.next()) await nextTurn();
  await nextTurn();
  return step.value;
}

function senderOf({ remoteAddress }: IncomingRequest, source: Source | undefined): Sender {
  if (source === undefined) return { name: networkOf(remoteAddress) ?? "", isKeyed: false };
  return { name: source.id, isKeyed: true };
}

interface ReadRequest {
  readonly request: IncomingRequest;
  readonly read: ReadJson;
  readonly source: Source | undefined;
}

async function takeRead(intake: Intake, route: PostRoute, { request, read, source }: ReadRequest): Promise<Answer> {
  const isJunk = read.kind === "bad-json" || read.kind === "too-large" || read.kind === "too-deep";
  if (isJunk && source === undefined) countRefused(intake, request);
  if (read.kind !== "json") return unreadAnswer(route, read);
  if (source !== undefined) return takeBody(intake, route, { source, body: read.value });
  return identifyAndTake(intake, route, { request, body: read.value });
}

async function identifyAndTake(
  intake: Intake,
  route: PostRoute,
  { request, body }: { readonly request: IncomingRequest; readonly body: unknown },
): Promise<Answer> {
  if (!isPlainObject(body)) {
    countRefused(intake, request);
    return shapelessAnswer(route);
  }
  const caller = intake.identify.key(bodyKey(body), request.remoteAddress);
  return caller.kind === "known" ? takeBody(intake, route, { source: caller.source, body }) : strangerAnswer(caller);
}

/** What is refused before a key is known uses up what its address may have refused. */
function countRefused({ identify }: Intake, { body, remoteAddress }: IncomingRequest): void {
  identify.countRefused(body, remoteAddress);
}

interface Sent {
  readonly source: Source;
  readonly body: unknown;
}

async function takeBody(intake: Intake, route: PostRoute, { source, body }: Sent): Promise<Answer> {
  if (route.kind === "call") return takeCall(intake, route, { source, body });
  const decoded = decodeBatch(body);
  return decoded.kind === "refused" ? brokenAnswer(decoded) : takeBatch(intake, source, decoded.batch);
}

async function takeCall(
  { relay, clock, limits }: Intake,
  { call }: Extract<Route, { kind: "call" }>,
  { source, body }: Sent,
): Promise<Answer> {
  const waitMs = limits.spend(source, 1);
  if (waitMs > 0) return rateLimitedAnswer(waitMs);
  return relay.accept({ source: source.id, calls: [body], kind: call, isBrief: true }).match(
    ([receipt]) => answerCall(receipt, clock.wall()),
    () => unavailableAnswer(),
  );
}

async function takeBatch({ relay, clock, limits }: Intake, source: Source, batch: Batch): Promise<Answer> {
  const { calls, context, integrations, sentAt } = batch;
  const waitMs = limits.spend(source, calls.length);
  if (waitMs > 0) return rateLimitedAnswer(waitMs);
  const shared: Arrival["shared"] = { context, integrations, ...(sentAt === undefined ? {} : { sentAt }) };
  return relay.accept({ source: source.id, calls, shared, isBrief: true }).match(
    (receipts) => answerBatch(receipts, clock.wall()),
    () => unavailableAnswer(),
  );
}

function strangerAnswer(caller: Exclude<Identified, { kind: "known" }>): Answer {
  return caller.kind === "limited" ? rateLimitedAnswer(caller.waitMs) : unknownKeyAnswer();
}

function unreadAnswer(route: PostRoute, { kind }: Exclude<ReadJson, { kind: "json" }>): Answer {
  switch (kind) {
    case "too-large":
      return tooLargeAnswer(route.kind === "batch" ? "batch-too-large" : "too-large");
    case "no-room":
      return overloadedAnswer();
    case "unread-encoding":
      return encodingAnswer();
    case "too-deep":
      return tooDeepAnswer();
    case "bad-json":
      return badJsonAnswer();
  }
}

// What is no object has no place for a key: the shape is what its sender must mend first.
function shapelessAnswer(route: PostRoute): Answer {
  return brokenAnswer({
    code: route.kind === "batch" ? "bad-batch" : "not-an-object",
    path: "",
    expected: "an object",
  });
}
