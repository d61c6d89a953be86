import { needsConfirmation } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { MIN_GUARDED_MEMBERS } from "../../../packages/core/src/limits.js";
import "../../property.js";

describe("a sync that removes users", () => {
  it.each([
    [19, 19, false],
    [20, 10, false],
    [20, 11, true],
    [1_001, 500, false],
    [1_001, 501, true],
  ])("from an audience of %i, %i of them, must be confirmed: %s", (members, departed, isHeld) => {
    expect(needsConfirmation({ members, departed })).toBe(isHeld);
  });

  it("passes once exactly that number is confirmed, and needs no confirmation if half of the members stay", () => {
    fc.assert(
      fc.property(fc.nat(1_000), fc.nat(1_000), fc.nat(1_000), (members, departed, confirmed) => {
        expect(needsConfirmation({ members, departed }, departed)).toBe(false);
        if (departed * 2 <= members || members < MIN_GUARDED_MEMBERS)
          expect(needsConfirmation({ members, departed }, confirmed)).toBe(false);
        else expect(needsConfirmation({ members, departed }, confirmed)).toBe(confirmed !== departed);
      }),
    );
  });
});
