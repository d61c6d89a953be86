// Sends a test event to every endpoint of a destination: a real request with a real signature. Stores nothing, counts nothing,
// and changes neither lane nor hold. Knows no delivery.

import { type Clock, judgeReply, type Random, type Reply, sourceId } from "@postrider/core";
import { recordAttempt, webhookId, writeMessageId } from "@postrider/core/engine";
import { errAsync, ResultAsync } from "neverthrow";
import { type AttemptTarget, requestOfAttempt } from "../dispatch/attempt.js";
import { TESTS_AT_ONCE } from "../limits.js";
import type { Endpoints } from "../lanes/endpoints.js";
import type { DestinationInForce, SettingsInForce } from "../settings-in-force.js";
import type { TestAttempt, TestFault, TestReport, TestRequest } from "./test-event.js";
import { type TestMessage, writeTestMessage } from "./write-test-message.js";

/** Needed to send one request of a test event. */
interface TestRequestContext {
  readonly clock: Pick<Clock, "wall">;
  readonly settings: Pick<SettingsInForce, "destination" | "workspace">;
  readonly endpoints: Pick<Endpoints, "send">;
}

export interface TestContext extends TestRequestContext {
  readonly random: Random;
}

/** The source in the id of a Standard Webhook. A test event has none. */
const NO_SOURCE = sourceId("test");

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

const NO_BYTES = new Uint8Array(0);
