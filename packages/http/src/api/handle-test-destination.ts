// POST /api/destinations/ID/test: sends a test event to a destination, now, and answers what its endpoints answered. The body may
// be left out; with `{ "call": … }` that call is sent.

import type { DestinationId, Refusal } from "@postrider/core";
import { type Answer, jsonAnswer, overloadedAnswer, type RequestBody } from "../index.js";
import type { Relay, TestFault, TestReport } from "@postrider/relay";
import {
  anyObjectSchema,
  unionSchema,
  component,
  listSchema,
  type SchemaOf,
  textSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { EXCHANGE, type ExchangeJson, describeExchange } from "./handle-show-delivery.js";
import { readObjectBody, type Fields } from "./read-request.js";
import { faultAnswer, problemAnswer, refuse } from "./refuse.js";

const FIELDS: Fields<{ readonly call: unknown }> = {
  call: { expected: "a call", schema: anyObjectSchema(), read: (value) => value },
};

const BODY = { kind: "json", fields: FIELDS, required: [], code: "bad-test", mayBeAbsent: true } as const;

type TestVerdict = TestReport["attempts"][number]["verdict"];

interface TestAttemptJson extends ExchangeJson {
  readonly verdict: TestVerdict;
}

/** The answers of endpoints to a test event. */
export interface TestReportJson {
  readonly destination: string;
  readonly messageId: string;
  readonly attempts: readonly TestAttemptJson[];
}

const TEST_ATTEMPT = component<TestAttemptJson>("TestAttempt", {
  ...EXCHANGE,
  verdict: unionSchema<TestVerdict>({ success: true, retry: true, refused: true, local: true }),
});
export const TEST_REPORT: SchemaOf<TestReportJson> = component<TestReportJson>("TestReport", {
  destination: textSchema(),
  messageId: textSchema(),
  attempts: listSchema(TEST_ATTEMPT),
});

export const TEST_DESTINATION: ApiOperation = {
  id: "testDestination",
  summary: "Sends a test event to every endpoint of a destination. Nothing is stored, counted or retried.",
  body: BODY,
  answer: { status: 200, description: "what its endpoints answer to a test event", schema: TEST_REPORT },
  refusals: ["not-found", "overloaded", "store-unavailable"],
};

/** Answers `{ destination, messageId, attempts }`: 200 whatever the endpoints answered. */
export async function handleTestDestination(
  relay: Pick<Relay, "test">,
  destination: DestinationId,
  body: RequestBody,
): Promise<Answer> {
  const request = await readTest(body);
  if (request.kind === "refused") return request.answer;
  return relay.test({ destination, call: request.value.call }).match(answerReport, testFaultAnswer);
}

/** The answer about a test event that was sent. */
export function answerReport(report: TestReport): Answer {
  return jsonAnswer(200, describeReport(report));
}

type TestBody = Awaited<ReturnType<typeof readObjectBody<{ readonly call: unknown }, never>>>;

async function readTest(body: RequestBody): Promise<TestBody> {
  if (body.kind === "read" && body.bytes.length === 0) return { kind: "ok", value: {} };
  return readObjectBody(body, BODY);
}

function describeReport({ destination, messageId, attempts }: TestReport): TestReportJson {
  const exchanges = attempts.map((attempt) =>
    describeExchange(attempt, attempt.excerpt.length === 0 ? undefined : attempt.excerpt),
  );
  return { destination, messageId, attempts: exchanges };
}

/** The answer about a test event that was not sent. */
export function testFaultAnswer(fault: TestFault): Answer {
  switch (fault.code) {
    case "unknown-destination":
      return refuse(404, "not-found", "there is no such destination in the settings");
    case "too-many-tests":
      return overloadedAnswer();
    case "refused":
      return problemAnswer("bad-test", [{ path: pathInBody(fault.refusal), expected: fault.refusal.expected }]);
    case "unavailable":
    case "corrupt":
    case "stopped":
      return faultAnswer(fault);
  }
}

function pathInBody({ path }: Refusal): string {
  if (path === "") return "call";
  return path.startsWith("[") ? `call${path}` : `call.${path}`;
}
