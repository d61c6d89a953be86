import type { Judgement, Reply } from "@postrider/core";
import { recordAttempt } from "@postrider/core/engine";
import { replies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, at, endpointId, NOW, silent } from "../builders.js";

const endpoint = endpointId("https://example.com/");
const record = (reply: Reply, round = 1) => recordAttempt({ endpoint, startedAt: NOW, reply }, round);

describe("recordAttempt", () => {
  it("records an answer with endpoint, start, duration, status and verdict", () => {
    expect(record(answered(404, { afterMs: 12 }), 3)).toStrictEqual({
      round: 3,
      endpoint,
      startedAt: NOW,
      durationMs: 12,
      result: { kind: "answered", status: 404 },
      verdict: "refused",
    });
  });

  it("records a silence with its fault", () => {
    expect(record(silent("timeout"))).toStrictEqual({
      round: 1,
      endpoint,
      startedAt: NOW,
      durationMs: 5_000,
      result: { kind: "silent", fault: "timeout" },
      verdict: "retry",
    });
  });

  it.each<[Reply, Judgement]>([
    [answered(204), "success"],
    [answered(503), "retry"],
    [silent("local"), "retry"],
    [silent("self-signed"), "refused"],
  ])("records the verdict on %j: %s", (reply, verdict) => {
    expect(record(reply).verdict).toBe(verdict);
  });

  it("records durations in whole milliseconds", () => {
    expect(record(answered(204, { afterMs: 1.5 })).durationMs).toBe(2);
    fc.assert(
      fc.property(replies(), (reply) => {
        const { durationMs } = recordAttempt({ endpoint, startedAt: at(0), reply }, 1);
        expect(Number.isInteger(durationMs)).toBe(true);
        expect(Math.abs(durationMs - reply.afterMs)).toBeLessThanOrEqual(0.5);
      }),
    );
  });
});
