import { nastyKeys } from "@postrider/testkit/arbitraries";
import { pathTo } from "@postrider/core";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("pathTo", () => {
  it.each([
    ["", "properties", "properties"],
    ["properties", "items", "properties.items"],
    ["properties.items", 0, "properties.items[0]"],
    ["", 3, "[3]"],
    ["headers", "X-Team", 'headers["X-Team"]'],
    ["", "1a", '["1a"]'],
    ["a", "", 'a[""]'],
    ["a", "two words", 'a["two words"]'],
    ["a", "b!", 'a["b!"]'],
    ["a", "$b_9", "a.$b_9"],
    ["a", 'q"uote', 'a["q\\"uote"]'],
  ])("extends %j by %j to %j", (parent, step, path) => {
    expect(pathTo(parent, step)).toBe(path);
  });

  it("writes different keys differently", () => {
    fc.assert(
      fc.property(nastyKeys(), nastyKeys(), (one, other) => {
        expect(pathTo("a", one) === pathTo("a", other)).toBe(one === other);
      }),
    );
  });
});
