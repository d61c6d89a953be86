// The way in, as Segment's libraries know it: authenticates, reads, hands the calls to the relay and tells the caller
// what came of them. What a call must look like is decided by codec and core; what is stored, by the relay
// (decision: http front).

import { decodeBatch } from "@postrider/codec";
import { type Clock, isPlainObject, type SourceId } from "@postrider/core";
import type { Arrival, Relay } from "@postrider/relay";
import { answerBatch, answerCall } from "./answer-receipts.js";
import { basicKey, bodyKey, createKeyIndex, type FindSource } from "./authenticate.js";
import { preflightAnswer, withCors } from "./cors.js";
import type { Answer, Handler, IncomingRequest } from "./http/handler.js";
import { methodAnswer, notFoundAnswer } from "./http/json-answer.js";
import { projectSettings } from "./project-settings.js";
import { readJson } from "./read-json.js";
import { badJsonAnswer, brokenAnswer, tooLargeAnswer, unavailableAnswer, unknownKeyAnswer } from "./refuse.js";
import { methodOf, type Route, routeOf } from "./routes.js";

export interface IngestOptions {
  readonly relay: Pick<Relay, "accept" | "workspace">;
  /** Says how many seconds are left until a shed call may be tried again. */
  readonly clock: Pick<Clock, "wall">;
}

type PostRoute = Exclude<Route, { kind: "settings" }>;

interface Ingest extends IngestOptions {
  readonly findSource: FindSource;
}

/** Answers everything under `/v1`. A 200 is given only once the calls are safe. */
export function createIngest(options: IngestOptions): Handler {
  const ingest: Ingest = { ...options, findSource: createKeyIndex(() => options.relay.workspace()) };
  return async (request) => withCors(await answerRequest(ingest, request));
}

async function answerRequest(ingest: Ingest, request: IncomingRequest): Promise<Answer> {
  const route = routeOf(request.path);
  if (route === undefined) return notFoundAnswer();
  const method = methodOf(route);
  if (request.method === "OPTIONS") return preflightAnswer(method);
  if (request.method !== method) return methodAnswer([method, "OPTIONS"]);
  if (route.kind === "settings") return answerSettings(ingest, route.writeKey, request);
  return takeIn(ingest, route, request);
}

function answerSettings(ingest: Ingest, writeKey: string, request: IncomingRequest): Answer {
  if (ingest.findSource(writeKey) === undefined) return notFoundAnswer();
  return projectSettings(writeKey, request.headers.get("host"));
}

// A key in the headers is checked before the body costs anything.
async function takeIn(ingest: Ingest, route: PostRoute, request: IncomingRequest): Promise<Answer> {
  const key = basicKey(request.headers.get("authorization"));
  const known = key === undefined ? undefined : ingest.findSource(key);
  if (key !== undefined && known === undefined) return unknownKeyAnswer();
  const read = await readJson(request.body);
  if (read.kind === "too-large") return tooLargeAnswer(route.kind === "batch" ? "batch-too-large" : "too-large");
  if (read.kind === "bad-json") return badJsonAnswer();
  const source = known ?? sourceOf(ingest, read.value);
  if (source === undefined) return keylessAnswer(route, read.value);
  return route.kind === "batch" ? takeBatch(ingest, source, read.value) : takeCall(ingest, route, source, read.value);
}

function sourceOf(ingest: Ingest, body: unknown): SourceId | undefined {
  const key = isPlainObject(body) ? bodyKey(body) : undefined;
  return key === undefined ? undefined : ingest.findSource(key);
}

// What is no object has no place for a key: the shape is what its sender must mend first.
function keylessAnswer(route: PostRoute, body: unknown): Answer {
  if (isPlainObject(body)) return unknownKeyAnswer();
  return brokenAnswer({
    code: route.kind === "batch" ? "bad-batch" : "not-an-object",
    path: "",
    expected: "an object",
  });
}

function takeCall(
  { relay, clock }: Ingest,
  route: Extract<Route, { kind: "call" }>,
  source: SourceId,
  body: unknown,
): Promise<Answer> {
  return relay.accept({ source, calls: [body], kind: route.call }).match(
    ([receipt]) => answerCall(receipt, clock.wall()),
    () => unavailableAnswer(),
  );
}

async function takeBatch({ relay, clock }: Ingest, source: SourceId, body: unknown): Promise<Answer> {
  const decoded = decodeBatch(body);
  if (decoded.kind === "refused") return brokenAnswer(decoded);
  const { calls, context, integrations, sentAt } = decoded.batch;
  const shared: Arrival["shared"] = { context, integrations, ...(sentAt === undefined ? {} : { sentAt }) };
  return relay.accept({ source, calls, shared }).match(
    (receipts) => answerBatch(receipts, clock.wall()),
    () => unavailableAnswer(),
  );
}
