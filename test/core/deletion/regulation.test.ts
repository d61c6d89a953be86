import { effectsOf, REGULATIONS } from "@postrider/core";
import { describe, expect, it } from "vitest";

describe("effectsOf", () => {
  it("is this table", () => {
    expect(Object.fromEntries(REGULATIONS.map((regulation) => [regulation, effectsOf(regulation)]))).toEqual({
      "delete-only": { suppression: null, purges: true, notifies: true },
      "suppress-with-delete": { suppression: "begins", purges: true, notifies: true },
      "suppress-only": { suppression: "begins", purges: true, notifies: false },
      unsuppress: { suppression: "ends", purges: false, notifies: false },
    });
  });
});
