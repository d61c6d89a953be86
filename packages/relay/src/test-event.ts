// Sends a test event to every endpoint of a destination: a real request with a real signature, of a call that could have been
// accepted, with a mark in its context. Stores nothing, counts nothing, and changes neither lane nor hold. Knows no delivery.

import {
  type Clock,
  judgeReply,
  type Random,
  type Reply,
  sourceId,
  type Body,
  type EpochMs,
  type JsonObject,
  type Refusal,
} from "@postrider/core";
import {
  recordAttempt,
  webhookId,
  writeMessageId,
  checkCall,
  checkMerged,
  encodeMessage,
  isPlainObject,
  mapCall,
  stampCall,
} from "@postrider/core/engine";
import { errAsync, ResultAsync, err, ok, type Result } from "neverthrow";
import { decodeCall } from "./settings/index.js";
import { type AttemptTarget, requestOfAttempt } from "./dispatch/attempt.js";
import { TESTS_AT_ONCE } from "./limits.js";
import type { Endpoints } from "./lanes/endpoints.js";
import type { DestinationInForce, SettingsInForce } from "./settings-in-force.js";
import type { TestAttempt, TestFault, TestReport, TestRequest } from "./requests.js";

/** The source in the id of a Standard Webhook. A test event has none. */
const NO_SOURCE = sourceId("test");

const NO_BYTES = new Uint8Array(0);

const DEFAULT_CALL: JsonObject = { type: "track", event: "Test Event", anonymousId: "postrider-test" };

/** Needed to send one request of a test event. */
interface TestRequestContext {
  readonly clock: Pick<Clock, "wall">;
  readonly settings: Pick<SettingsInForce, "destination" | "workspace">;
  readonly endpoints: Pick<Endpoints, "send">;
}

interface TestContext extends TestRequestContext {
  readonly random: Random;
}

/** Creates the function that sends test events; it allows `TESTS_AT_ONCE` of them at the same time. */
export function createTests(context: TestContext): (request: TestRequest) => ResultAsync<TestReport, TestFault> {
  let underWay = 0;

  async function send(inForce: DestinationInForce, message: TestMessage): Promise<TestReport> {
    underWay += 1;
    try {
      const attempts = inForce.endpoints.map((endpoint) => attempt(context, message, { inForce, endpoint }));
      const { id: destination } = inForce.destination;
      return { destination, messageId: message.messageId, attempts: await Promise.all(attempts) };
    } finally {
      underWay -= 1;
    }
  }

  return ({ destination, call }) => {
    const inForce = context.settings.destination(destination);
    if (inForce === undefined) return errAsync({ code: "unknown-destination" });
    if (underWay >= TESTS_AT_ONCE) return errAsync({ code: "too-many-tests" });
    const messageId = writeMessageId(context.random.bytes(16));
    return writeTestMessage(call, messageId, context.clock.wall())
      .mapErr((refusal): TestFault => ({ code: "refused", refusal }))
      .asyncAndThen((message) => ResultAsync.fromSafePromise(send(inForce, message)));
  };
}

async function attempt(
  { clock, endpoints, settings }: TestRequestContext,
  { messageId, body }: TestMessage,
  target: AttemptTarget,
): Promise<TestAttempt> {
  const { endpoint } = target;
  const startedAt = clock.wall();
  const request = requestOfAttempt(settings, target, {
    body,
    webhookId: () => webhookId(NO_SOURCE, messageId),
    at: startedAt,
  });
  const to = { destination: target.inForce.destination.id, endpoint };
  const reply = await new Promise<Reply>((resolve) => endpoints.send(request, to, resolve));
  const { durationMs, result } = recordAttempt({ endpoint, startedAt, reply }, 1);
  const excerpt = reply.kind === "answered" ? reply.excerpt : NO_BYTES;
  return { endpoint, startedAt, durationMs, result, verdict: judgeReply(reply), excerpt };
}

/** The message of a test event. */
interface TestMessage {
  readonly messageId: string;
  readonly body: Body;
}

/** The message of a call with `context.test` = true and the given id; a refusal if such a call would be refused. */
function writeTestMessage(call: unknown, messageId: string, now: EpochMs): Result<TestMessage, Refusal> {
  try {
    return writeMarked(call ?? DEFAULT_CALL, messageId, now);
  } catch {
    // Only an object of the host can cause this, by a getter or a `toJSON` that throws.
    return err({ code: "not-an-object", path: "", expected: "a call that JSON can carry" });
  }
}

function writeMarked(call: unknown, messageId: string, now: EpochMs): Result<TestMessage, Refusal> {
  if (!isPlainObject(call)) return err({ code: "not-an-object", path: "", expected: "an object" });
  const marked = mark(call, messageId);
  const merged = checkMerged(marked);
  if (merged.kind === "refused") return err(merged.refusal);
  const decoded = decodeCall(marked);
  if (decoded.kind === "refused") return err(decoded.refusal);
  const checked = checkCall(decoded.call);
  if (checked.kind === "refused") return err(checked.refusal);
  return ok({ messageId, body: encodeMessage(mapCall(stampCall(checked.call, { messageId }, now))) });
}

/** Marks a call in its context. A context that is no object stays as it is, and is refused. */
function mark(call: JsonObject, messageId: string): JsonObject {
  const context = call["context"] ?? {};
  return { ...call, messageId, context: isPlainObject(context) ? { ...context, test: true } : context };
}
