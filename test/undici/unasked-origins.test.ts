import { describe, expect, it } from "vitest";
import { MAX_UNASKED_ORIGINS } from "../../packages/undici/src/limits.js";
import { createUnaskedOrigins } from "../../packages/undici/src/connection.js";

describe("the origins that have sent an unasked answer", () => {
  it("are remembered, and reported once", () => {
    const reported: string[] = [];
    const origins = createUnaskedOrigins((origin) => reported.push(origin));
    expect(origins.has("https://one")).toBe(false);
    origins.add("https://one");
    origins.add("https://one");
    expect([origins.has("https://one"), origins.has("https://two")]).toEqual([true, false]);
    expect(reported).toEqual(["https://one"]);
  });

  it("are bounded in number: the one that is known longest is forgotten", () => {
    const origins = createUnaskedOrigins(() => undefined);
    for (let index = 0; index <= MAX_UNASKED_ORIGINS; index += 1) origins.add(`https://r${String(index)}`);
    expect([0, 1, MAX_UNASKED_ORIGINS].map((index) => origins.has(`https://r${String(index)}`))).toEqual([
      false,
      true,
      true,
    ]);
  });
});
