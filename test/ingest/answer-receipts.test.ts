import { type DeliveryId, type EpochMs, MAX_BATCH_CALLS, type Receipt } from "@postrider/core";
import type { Answer } from "@postrider/http/ingest";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { answerBatch, answerCall } from "../../packages/http/src/ingest/call-answers.js";
import { MAX_REJECTED_ENTRY_BYTES } from "../../packages/http/src/ingest/limits.js";
import "../property.js";
import { textOf } from "../http/request.js";

const NOW = 1_767_225_600_000 as EpochMs;
const ACCEPTED: Receipt = { kind: "accepted", messageId: "m1", deliveries: ["d1" as DeliveryId], filtered: [] };
const FILTERED: Receipt = {
  kind: "accepted",
  messageId: "m2",
  deliveries: [],
  filtered: [{ destination: null, reason: "no-destination" }],
};
const DUPLICATE: Receipt = { kind: "duplicate", messageId: "m1" };
const SUPPRESSED: Receipt = { kind: "suppressed", messageId: "m3" };
const REFUSED: Receipt = {
  kind: "refused",
  refusal: { code: "not-an-object", path: "traits", expected: "an object" },
};
const NO_IDS: Receipt = { kind: "refused", refusal: { code: "no-ids", path: "", expected: "a userId" } };
const TOO_LARGE: Receipt = { kind: "refused", refusal: { code: "too-large", path: "", expected: "less" } };

function shedFor(ms: number): Receipt {
  return { kind: "shed", retryAt: (NOW + ms) as EpochMs };
}

function retryAfter(answer: Answer): string | undefined {
  return answer.headers.find(([name]) => name === "Retry-After")?.[1];
}

/** The form of an error in an answer: code and message are at the top too. */
function failure(error: { readonly code: string; readonly message: string; readonly path?: string }): object {
  return { success: false, code: error.code, message: error.message, error };
}

interface Told {
  readonly accepted: number;
  readonly duplicates: number;
  readonly rejected: readonly object[];
}

describe("answerCall", () => {
  it.each([
    ["an accepted call", ACCEPTED, 200, { success: true, messageId: "m1" }],
    ["a filtered call", FILTERED, 200, { success: true, messageId: "m2" }],
    ["a duplicate", DUPLICATE, 200, { success: true, messageId: "m1" }],
    ["a suppressed call", SUPPRESSED, 200, { success: true, messageId: "m3" }],
    [
      "a refused call",
      REFUSED,
      400,
      failure({ code: "not-an-object", message: "traits: expected an object", path: "traits" }),
    ],
    ["a call refused as a whole", NO_IDS, 400, failure({ code: "no-ids", message: "expected a userId", path: "" })],
    ["a call that is too large", TOO_LARGE, 413, failure({ code: "too-large", message: "expected less", path: "" })],
    [
      "a shed call",
      shedFor(5_000),
      503,
      failure({ code: "store-unavailable", message: "calls cannot be stored now, try again" }),
    ],
  ])("answers %s", (_, receipt, status, body) => {
    const answer = answerCall(receipt, NOW);
    expect({ status: answer.status, body: JSON.parse(textOf(answer)) }).toEqual({ status, body });
  });

  it.each([
    [5_000, "5"],
    [4_001, "5"],
    [0, "1"],
    [-60_000, "1"],
    [86_400_000, "300"],
  ])("tells a caller who is shed for %i ms to wait %s s", (ms, seconds) => {
    expect(retryAfter(answerCall(shedFor(ms), NOW))).toBe(seconds);
  });
});

describe("answerBatch", () => {
  it("counts filtered and suppressed calls as accepted, and names the refused ones by their index", () => {
    const receipts = [REFUSED, ACCEPTED, DUPLICATE, FILTERED, TOO_LARGE, SUPPRESSED];
    const answer = answerBatch(receipts, NOW);
    expect(answer.status).toBe(200);
    expect(JSON.parse(textOf(answer))).toEqual({
      success: true,
      accepted: 3,
      duplicates: 1,
      rejected: [
        { index: 0, code: "not-an-object", path: "traits", message: "traits: expected an object" },
        { index: 4, code: "too-large", path: "", message: "expected less" },
      ],
    });
  });

  it("is a success also when every call is refused", () => {
    const answer = answerBatch([REFUSED, REFUSED], NOW);
    expect(answer.status).toBe(200);
    expect(JSON.parse(textOf(answer))).toMatchObject({ success: true, accepted: 0, duplicates: 0 });
  });

  it("keeps its byte limit if every call is refused for a long reason, and still names each call", () => {
    const long = { code: "number-not-finite", path: "\u{1F600}".repeat(100), expected: "a number" } as const;
    const receipts = Array.from({ length: MAX_BATCH_CALLS }, (): Receipt => ({ kind: "refused", refusal: long }));
    const { body } = answerBatch(receipts, NOW);
    const { rejected }: Told = JSON.parse(textOf({ body }));
    expect(Buffer.byteLength(textOf({ body }))).toBeLessThan(2 * MAX_REJECTED_ENTRY_BYTES);
    expect(rejected).toHaveLength(MAX_BATCH_CALLS);
    expect(rejected[0]).toMatchObject({ index: 0, path: long.path });
    expect(rejected.at(-1)).toEqual({ index: MAX_BATCH_CALLS - 1, code: "number-not-finite" });
    const isWhole = rejected.map((one) => "message" in one);
    expect(isWhole.lastIndexOf(true)).toBe(isWhole.indexOf(false) - 1);
  });

  it("accounts for every call, and asks for the whole batch again if one call was shed", () => {
    const receipt = fc.constantFrom<Receipt[]>(ACCEPTED, FILTERED, DUPLICATE, SUPPRESSED, REFUSED, TOO_LARGE);
    fc.assert(
      fc.property(fc.array(receipt, { minLength: 1 }), fc.nat(), (receipts, at) => {
        const told: Told = JSON.parse(textOf(answerBatch(receipts, NOW)));
        expect(told.accepted + told.duplicates + told.rejected.length).toBe(receipts.length);
        expect(answerBatch(receipts.toSpliced(at % receipts.length, 0, shedFor(2_000)), NOW)).toMatchObject({
          status: 503,
        });
      }),
    );
  });
});
