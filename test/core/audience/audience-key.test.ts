import { nastyStrings } from "@postrider/testkit/arbitraries";
import { audienceKey, snakeCase } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("snakeCase", () => {
  it.each([
    ["Big Spenders", "big_spenders"],
    ["  VIP -- 2026 !", "vip_2026"],
    ["already_snake_case", "already_snake_case"],
    ["__proto__", "proto"],
    ["Größe über 10", "größe_über_10"],
    ["ΟΔΟΣ ΑΣ", "οδος_ας"],
    ["नमस्ते", "नमस्ते"],
    ["a\ud800b", "a_b"],
    ["½ price", "½_price"],
    ["!!!", ""],
    ["", ""],
  ])("makes %j into %j", (name, key) => {
    expect(snakeCase(name)).toBe(key);
  });

  it("is idempotent, has no capital letter, no double underscore and no underscore at either end (law 42)", () => {
    fc.assert(
      fc.property(nastyStrings(), (name) => {
        const key = snakeCase(name);
        expect(snakeCase(key)).toBe(key);
        expect(key.toLowerCase()).toBe(key);
        expect(key).not.toMatch(/^_|_$|__/);
      }),
    );
  });
});

describe("audienceKey", () => {
  it("gives a new audience the snake_case form of its name", () => {
    expect(audienceKey("Big Spenders", new Set())).toEqual({ kind: "ok", key: "big_spenders" });
  });

  it("refuses a name without letters and digits", () => {
    expect(audienceKey("!?", new Set())).toEqual({ kind: "refused", reason: "empty" });
  });

  it("refuses a name whose key another audience has, and names that key", () => {
    expect(audienceKey("BIG spenders!", new Set(["big_spenders"]))).toEqual({
      kind: "refused",
      reason: "taken",
      key: "big_spenders",
    });
  });

  it("is total: a key is never empty, never taken, and never read from a prototype (law 42)", () => {
    fc.assert(
      fc.property(nastyStrings(), fc.array(nastyStrings().map(snakeCase)), (name, others) => {
        const taken = new Set(others);
        const result = audienceKey(name, taken);
        if (result.kind === "refused") return;
        expect(result.key).not.toBe("");
        expect(taken.has(result.key)).toBe(false);
        expect(result.key in {} && result.key.startsWith("__")).toBe(false);
      }),
    );
  });
});
