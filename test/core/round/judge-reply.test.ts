import { type Fault, FAULTS, judgeReply } from "@postrider/core";
import { describeResult } from "@postrider/core/engine";
import { replies, retryableReplies } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answered, silent } from "../builders.js";

const RETRYABLE_4XX = [408, 423, 425, 429];
const REFUSING: readonly Fault[] = ["self-signed", "forbidden-address", "invalid-header"];

describe("judgeReply", () => {
  it("judges 2xx as success, 3xx and 4xx as refusals, 5xx as retryable, over the whole range (law 26)", () => {
    for (let status = 200; status <= 599; status += 1) {
      const isRetry = status >= 500 || RETRYABLE_4XX.includes(status);
      const verdict = status < 300 ? "success" : isRetry ? "retry" : "refused";
      expect([status, judgeReply(answered(status))]).toEqual([status, verdict]);
    }
  });

  it.each([0, 99, 100, 101, 103, 199, 600, 999, 2_000, -1, NaN])(
    "tries again after %d, which is no final status",
    (status) => {
      expect(judgeReply(answered(status))).toBe("retry");
    },
  );

  it.each(FAULTS)("judges %s", (fault) => {
    const verdict = fault === "local" ? "local" : REFUSING.includes(fault) ? "refused" : "retry";
    expect(judgeReply(silent(fault))).toBe(verdict);
  });

  it("knows these faults and no others", () => {
    expect(FAULTS).toHaveLength(15);
    expect(new Set(FAULTS).size).toBe(15);
  });

  it("is total, and depends on status and fault alone: only 2xx is success (law 26)", () => {
    fc.assert(
      fc.property(replies(), (reply) => {
        const bare = reply.kind === "answered" ? answered(reply.status) : silent(reply.fault);
        expect(judgeReply(reply)).toBe(judgeReply(bare));
        const is2xx = reply.kind === "answered" && Math.floor(reply.status / 100) === 2;
        expect(judgeReply(reply) === "success").toBe(is2xx);
      }),
    );
  });

  it("tries again whatever calls for it", () => {
    fc.assert(
      fc.property(retryableReplies(), (reply) => {
        expect(judgeReply(reply)).toBe("retry");
      }),
    );
  });
});

describe("describeResult", () => {
  it("is the status, gone for 410, or the fault", () => {
    expect(describeResult({ kind: "answered", status: 404 })).toBe("404");
    expect(describeResult({ kind: "answered", status: 410 })).toBe("gone");
    expect(describeResult({ kind: "silent", fault: "self-signed" })).toBe("self-signed");
  });
});
