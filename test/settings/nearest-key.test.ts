// Which known key a misspelt one was probably meant to be.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { nearestKey } from "../../packages/relay/src/settings/config/nearest-key.js";

const KNOWN = ["listen", "store", "apiToken", "sources", "destinations", "delivery", "timeoutMs", "host", "port"];

describe("the nearest key", () => {
  it.each([
    ["destnations", "destinations"],
    ["timeoutMS", "timeoutMs"],
    ["hots", "host"],
    ["token", "apiToken"],
    ["key", undefined],
    ["apitoken", "apiToken"],
    ["source", "sources"],
    ["databaseUrl", undefined],
    ["", undefined],
    ["pxot", undefined],
  ])("of %s is %s", (key, nearest) => {
    expect(nearestKey(key, KNOWN)).toBe(nearest);
  });

  it("is the key that one character was taken from, or two neighbours swapped in", () => {
    const misspelt = fc
      .constantFrom(...KNOWN)
      .chain((key) => fc.record({ key: fc.constant(key), index: fc.nat(key.length - 2), isSwap: fc.boolean() }));
    fc.assert(
      fc.property(misspelt, ({ key, index, isSwap }) => {
        const [head, one, other, tail] = [key.slice(0, index), key[index]!, key[index + 1]!, key.slice(index + 2)];
        expect(nearestKey(`${head}${isSwap ? other + one : other}${tail}`, KNOWN)).toBe(key);
      }),
    );
  });

  it("is the shortest of several that end with it, and none of several that only contain it", () => {
    const known = ["metricsToken", "apiToken", "firstRetryMs", "maxRetryMs"];
    expect(nearestKey("token", known)).toBe("apiToken");
    expect(nearestKey("retry", known)).toBeUndefined();
  });

  it("is none for a key too long to compare", () => {
    expect(nearestKey("destinations".repeat(6), KNOWN)).toBeUndefined();
  });
});
