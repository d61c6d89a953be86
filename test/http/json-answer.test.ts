import { errorAnswer, jsonAnswer } from "@postrider/http";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("errorAnswer", () => {
  it("says code and message at the top too, where some libraries look for them", () => {
    const answer = errorAnswer(401, { code: "unknown-key", message: "expected the write key of a source" });
    expect(JSON.parse(answer.body)).toEqual({
      success: false,
      code: "unknown-key",
      message: "expected the write key of a source",
      error: { code: "unknown-key", message: "expected the write key of a source" },
    });
  });

  it("forbids browsers to guess another type than the one that it names, as every answer in JSON does", () => {
    const nosniff = ["X-Content-Type-Options", "nosniff"];
    expect(errorAnswer(400, { code: "bad-json", message: "no" }).headers).toContainEqual(nosniff);
    expect(jsonAnswer(200, {}).headers).toContainEqual(nosniff);
  });

  it("says the same in both places, whatever is refused", () => {
    const details = fc.record(
      { code: fc.string(), message: fc.string(), path: fc.string() },
      { requiredKeys: ["code", "message"] },
    );
    fc.assert(
      fc.property(details, (detail) => {
        const { code, message } = detail;
        const body: unknown = JSON.parse(errorAnswer(400, detail).body);
        expect(body).toEqual({ success: false, code, message, error: detail });
      }),
    );
  });
});
