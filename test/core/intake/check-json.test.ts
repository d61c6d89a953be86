import { MAX_CALL_BYTES, MAX_DEPTH } from "@postrider/core";
import { checkJson } from "@postrider/core/engine";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("checkJson", () => {
  it("passes every value that JSON.parse can return", () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        expect(checkJson(value)).toBeUndefined();
      }),
    );
  });

  it.each([
    ["properties.items[1].price", { properties: { items: [{ price: 1 }, { price: 10n }] } }],
    ['context["X-Team"]', { context: { "X-Team": 10n } }],
    ["[2]", [0, 1, 10n]],
    ["", 10n],
    ["traits.big", { traits: { big: 10n } }],
  ])("refuses a number that JSON cannot write, at %j", (path, value: unknown) => {
    expect(checkJson(value)).toEqual({ code: "number-not-finite", path, expected: "a number that JSON can carry" });
  });

  it("takes numbers that are not finite, which are written as null", () => {
    expect(checkJson({ a: NaN, b: [Infinity, -Infinity], c: { toJSON: () => NaN } })).toBeUndefined();
    expect(checkJson(JSON.parse('{"__proto__":1e400}'))).toBeUndefined();
  });

  it("reports the first broken rule in the order of the keys", () => {
    expect(checkJson({ a: 1, b: [10n, 10n], c: 10n })).toMatchObject({ path: "b[0]" });
  });

  it.each([
    ["objects", (inner: unknown) => ({ a: inner }), ".a"],
    ["arrays", (inner: unknown) => [inner], "[0]"],
  ])("allows %s of 64 levels and no more", (_, wrap, step) => {
    expect(checkJson(nest(MAX_DEPTH, wrap))).toBeUndefined();
    const path = step.repeat(MAX_DEPTH).replace(/^\./, "");
    expect(checkJson(nest(MAX_DEPTH + 1, wrap))).toEqual({ code: "too-deep", path, expected: "at most 64 levels" });
  });

  it("counts levels of objects and arrays only: a leaf is not a level", () => {
    const deepest = nest(MAX_DEPTH - 1, (inner) => [inner]);
    expect(checkJson([deepest, 1, "text", null, true])).toBeUndefined();
  });

  it("handles a nesting that overflows the stack of JSON.stringify", () => {
    expect(checkJson(nest(200_000, (inner) => [inner]))).toMatchObject({ code: "too-deep" });
  });

  it("ignores values that JSON leaves out", () => {
    expect(checkJson({ a: undefined, b: () => 1, c: Symbol("s") })).toBeUndefined();
  });

  it("checks the result of toJSON, not the object itself", () => {
    const writes = (written: unknown): unknown => ({ a: { hidden: 10n, toJSON: () => written } });
    for (const written of ["text", 1, null, undefined, {}, ["a"]]) expect(checkJson(writes(written))).toBeUndefined();
    expect(checkJson({ at: new Date(NaN) })).toBeUndefined();
    expect(checkJson(writes(10n))).toMatchObject({ code: "number-not-finite", path: "a" });
    expect(checkJson(writes([10n]))).toMatchObject({ code: "number-not-finite", path: "a[0]" });
    expect(checkJson(writes(nest(MAX_DEPTH, (inner) => [inner])))).toMatchObject({ code: "too-deep" });
    expect(checkJson({ toJSON: "text", a: 10n })).toMatchObject({ path: "a" });
  });

  it("calls toJSON only once, as JSON.stringify does", () => {
    const itself = {
      toJSON() {
        return this;
      },
    };
    expect(checkJson({ itself })).toBeUndefined();
  });

  it("scans no more than the size of a call, even if shared parts make the JSON text endless", () => {
    const pairs = (levels: number): unknown => {
      let value: unknown = 1;
      for (let level = 0; level < levels; level += 1) value = level % 2 === 0 ? [value, value] : { a: value, b: value };
      return value;
    };
    const tooLarge = { code: "too-large", path: "", expected: "at most 32768 bytes of JSON" };
    expect(checkJson(pairs(60))).toEqual(tooLarge);
    const long = "x".repeat(1_000_000);
    expect(checkJson({ a: [long, long] })).toEqual(tooLarge);
    expect(checkJson([{ [long]: 1 }])).toEqual(tooLarge);
    expect(checkJson([{ toJSON: () => long }])).toEqual(tooLarge);
    expect(checkJson([1, 2, long, 10n])).toEqual(tooLarge);
  });

  it("never refuses a call as too large that is not", () => {
    expect(checkJson(["x".repeat(MAX_CALL_BYTES)])).toBeUndefined();
    expect(checkJson(["x".repeat(MAX_CALL_BYTES), ""])).toBeUndefined();
    expect(checkJson(["x".repeat(MAX_CALL_BYTES), 1])).toMatchObject({ code: "too-large" });
    expect(checkJson({ ["k".repeat(MAX_CALL_BYTES - 1)]: 1 })).toBeUndefined();
    expect(checkJson({ ["k".repeat(MAX_CALL_BYTES)]: 1 })).toMatchObject({ code: "too-large" });
    expect(checkJson({ ["k".repeat(MAX_CALL_BYTES)]: undefined })).toBeUndefined();
    fc.assert(
      fc.property(jsonValues(), (value) => {
        const text = JSON.stringify(value);
        expect(checkJson(JSON.parse(`[${text},"${"x".repeat(MAX_CALL_BYTES - text.length)}"]`))).toBeUndefined();
      }),
    );
  });

  it("reads own keys only", () => {
    expect(checkJson(Object.create({ inherited: 10n }))).toBeUndefined();
  });
});

/** A value of `levels` nested objects or arrays. */
function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = wrap("leaf");
  for (let level = 1; level < levels; level += 1) value = wrap(value);
  return value;
}
