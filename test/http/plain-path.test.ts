import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { normalizePath } from "../../packages/http/src/mounts.js";
import "../property.js";

describe("normalizePath", () => {
  it.each([
    ["/v1/batch", "/v1/batch"],
    ["//v1/batch", "/v1/batch"],
    ["/v1///batch", "/v1/batch"],
    ["/v1/batch/", "/v1/batch"],
    ["/v1/batch//", "/v1/batch"],
    ["/", "/"],
    ["//", "/"],
    ["", ""],
    ["/v1/%2F/x", "/v1/%2F/x"],
  ])("makes of %j %j", (path, plain) => {
    expect(normalizePath(path)).toBe(plain);
  });

  it("keeps the parts of a path in their order, whatever is between them", () => {
    const paths = fc.array(fc.constantFrom("/", "//", "v1", "batch", "."), { maxLength: 12 });
    fc.assert(
      fc.property(paths, (pieces) => {
        const path = `/${pieces.join("")}`;
        const plain = normalizePath(path);
        expect(plain.split("/").filter(Boolean)).toEqual(path.split("/").filter(Boolean));
        expect(plain).not.toMatch(/\/\/|.\/$/);
        expect(normalizePath(plain)).toBe(plain);
      }),
    );
  });
});
