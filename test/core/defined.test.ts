// What is absent is left out, and nothing else is.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { defined } from "../../packages/core/src/defined.js";

describe("what is defined of some fields", () => {
  it("leaves out those that are undefined, and keeps null, 0, false and empty text", () => {
    expect(defined({ a: undefined, b: null, c: 0, d: false, e: "" })).toStrictEqual({ b: null, c: 0, d: false, e: "" });
  });

  it("has each other property as it was, in the same order", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string(), fc.option(fc.integer(), { nil: undefined })), (fields) => {
        const kept = Object.entries(fields).filter(([, value]) => value !== undefined);
        expect(Object.entries(defined(fields))).toEqual(kept);
      }),
    );
  });

  it("lets an optional property be written in place, without a value where there is none", () => {
    const read = (after?: string): { readonly limit: number; readonly after?: string } => ({
      limit: 2,
      ...defined({ after }),
    });
    expect(Object.keys(read())).toEqual(["limit"]);
    expect(read("x")).toEqual({ limit: 2, after: "x" });
  });
});
