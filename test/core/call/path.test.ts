import { nastyKeys } from "@postrider/testkit/arbitraries";
import { pathTo } from "@postrider/core/engine";
import fc from "fast-check";
import { describe, expect, it, vi } from "vitest";
import { MAX_PATH_LENGTH } from "../../../packages/core/src/limits.js";

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

  it("writes different keys as different paths", () => {
    fc.assert(
      fc.property(nastyKeys(), nastyKeys(), (one, other) => {
        expect(pathTo("a", one) === pathTo("a", other)).toBe(one === other);
      }),
    );
  });

  it("cuts a path that gets too long, and does not extend it further", () => {
    const full = "k".repeat(MAX_PATH_LENGTH);
    expect(pathTo("", full)).toBe(full);
    const cut = `${"k".repeat(MAX_PATH_LENGTH - 1)}…`;
    expect(pathTo("", `${full}k`)).toBe(cut);
    expect(pathTo(full, 0)).toBe(cut);
    expect(pathTo(cut, "further")).toBe(cut);
    expect(pathTo("a", "…")).toBe('a["…"]');
  });

  it.each(["", "k"])(
    "does not extend a path that was cut before a surrogate pair, and so has room left (%j)",
    (start) => {
      const cut = pathTo("", start + "😀".repeat(MAX_PATH_LENGTH));
      expect(pathTo(cut, "further")).toBe(cut);
      expect(pathTo(cut, 7)).toBe(cut);
    },
  );

  it("is never longer than its limit, and never ends in half a surrogate pair", () => {
    const long = fc.string({ unit: fc.constantFrom("k", '"', "\\", "\u0001", "é", "😀"), maxLength: 400 });
    fc.assert(
      fc.property(fc.array(fc.oneof(long, fc.nat()), { minLength: 1, maxLength: 5 }), (steps) => {
        const path = steps.reduce<string>(pathTo, "");
        expect(path.length).toBeLessThanOrEqual(MAX_PATH_LENGTH);
        expect(path).toBe(Buffer.from(path).toString());
      }),
    );
  });

  it("reads no more of a key than it shows", () => {
    const key = "\u0001".repeat(1_000_000);
    const stringify = vi.spyOn(JSON, "stringify");
    pathTo("", key);
    const longest = Math.max(...stringify.mock.calls.map(([value]) => String(value).length));
    stringify.mockRestore();
    expect(longest).toBeLessThanOrEqual(MAX_PATH_LENGTH + 1);
  });
});
