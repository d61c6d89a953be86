// What the answers to a test event would mean for a delivery.

import { expect, it } from "vitest";
import { testReportInWords } from "../../../../packages/postrider/src/cli/commands/test.js";

const attempt = (status: number | null, verdict: string) => ({
  endpoint: "https://a.example/",
  startedAt: "2026-01-31T12:00:00.000Z",
  durationMs: 5,
  status,
  fault: status === null ? "self-signed" : null,
  verdict,
  excerpt: null,
});

it.each([
  [
    "one endpoint took it",
    [attempt(404, "refused"), attempt(204, "success")],
    "delivered: one endpoint has to take it",
  ],
  ["no endpoint took it", [attempt(503, "retry"), attempt(422, "refused")], "tried again: no endpoint took it"],
  [
    "every endpoint refused it because of its body",
    [attempt(413, "refused"), attempt(422, "refused")],
    "dead: every endpoint refused it for good",
  ],
  [
    "a refusal of every endpoint may pass",
    [attempt(422, "refused"), attempt(null, "refused")],
    "tried again until the refusal is final: every endpoint refused it",
  ],
])("says what it means that %s", (_what, attempts, meaning) => {
  expect(testReportInWords({ attempts }, undefined).at(-1)).toBe(`a delivery would be ${meaning}`);
});
