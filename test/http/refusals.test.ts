import {
  type Answer,
  unsupportedEncodingAnswer,
  wrongMethodAnswer,
  notFoundAnswer,
  overloadedAnswer,
  rateLimitedAnswer,
  retryAfterSeconds,
} from "@postrider/http";
import { describe, expect, it } from "vitest";
import { internalErrorAnswer } from "../../packages/http/src/answers.js";
import { textOf } from "./request.js";

const REFUSALS: readonly (readonly [code: string, answer: Answer, status: number, header: readonly string[]])[] = [
  ["not-found", notFoundAnswer(), 404, []],
  ["method-not-allowed", wrongMethodAnswer(["GET", "POST"]), 405, ["Allow", "GET, POST"]],
  ["unsupported-encoding", unsupportedEncodingAnswer(), 415, ["Accept-Encoding", "gzip"]],
  ["rate-limited", rateLimitedAnswer(1_500), 429, ["Retry-After", "2"]],
  ["internal", internalErrorAnswer(), 500, []],
  ["overloaded", overloadedAnswer(), 503, ["Retry-After", "1"]],
];
const OF_JSON = ["Content-Type", "X-Content-Type-Options"];

describe("a refusal", () => {
  it.each(REFUSALS)(
    "of %s has its status, its code and the header that tells the caller what to do",
    (code, answer, status, header) => {
      expect(answer.status).toBe(status);
      expect(JSON.parse(textOf(answer))).toMatchObject({ success: false, code });
      expect(answer.headers.filter(([name]) => !OF_JSON.includes(name)).flat()).toEqual(header);
    },
  );
});

describe("retryAfterSeconds", () => {
  it.each([
    [-5_000, 1],
    [0, 1],
    [1_000, 1],
    [1_001, 2],
    [300_000, 300],
    [Infinity, 300],
  ])("tells %d ms as %d s: whole seconds, from 1 to 300", (waitMs, seconds) => {
    expect(retryAfterSeconds(waitMs)).toBe(seconds);
  });
});
