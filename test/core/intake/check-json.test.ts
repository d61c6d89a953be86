import { checkJson, MAX_CALL_BYTES, MAX_DEPTH } from "@postrider/core";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";

describe("checkJson", () => {
  it("passes everything that JSON.parse can make, save what is not finite", () => {
    fc.assert(
      fc.property(jsonValues(), (value) => {
        expect(checkJson(value)).toBeUndefined();
      }),
    );
  });

  it.each([
    ["properties.items[1].price", { properties: { items: [{ price: 1 }, { price: Infinity }] } }],
    ['context["X-Team"]', { context: { "X-Team": -Infinity } }],
    ["[2]", [0, 1, NaN]],
    ["", NaN],
    ["traits.big", { traits: { big: 10n } }],
    ["__proto__", JSON.parse('{"__proto__":1e400}')],
  ])("refuses a number that JSON cannot carry, at %j", (path, value: unknown) => {
    expect(checkJson(value)).toEqual({ code: "number-not-finite", path, expected: "a number that JSON can carry" });
  });

  it("names the first offence in the order of the keys", () => {
    expect(checkJson({ a: 1, b: [NaN, NaN], c: NaN })).toMatchObject({ path: "b[0]" });
  });

  it.each([
    ["objects", (inner: unknown) => ({ a: inner }), ".a"],
    ["arrays", (inner: unknown) => [inner], "[0]"],
  ])("lets %s nest 64 levels deep and no deeper", (_, wrap, step) => {
    expect(checkJson(nest(MAX_DEPTH, wrap))).toBeUndefined();
    const path = step.repeat(MAX_DEPTH).replace(/^\./, "");
    expect(checkJson(nest(MAX_DEPTH + 1, wrap))).toEqual({ code: "too-deep", path, expected: "at most 64 levels" });
  });

  it("counts levels of containers only: a leaf at the 65th is no level", () => {
    const deepest = nest(MAX_DEPTH - 1, (inner) => [inner]);
    expect(checkJson([deepest, 1, "text", null, true])).toBeUndefined();
  });

  it("survives a nesting that would break JSON.stringify", () => {
    expect(checkJson(nest(200_000, (inner) => [inner]))).toMatchObject({ code: "too-deep" });
  });

  it("has nothing to say of values that JSON leaves out", () => {
    expect(checkJson({ a: undefined, b: () => 1, c: Symbol("s") })).toBeUndefined();
  });

  it("looks at what an object writes of itself, not at what it is", () => {
    const writes = (written: unknown): unknown => ({ a: { hidden: NaN, toJSON: () => written } });
    for (const written of ["text", 1, null, undefined, {}, ["a"]]) expect(checkJson(writes(written))).toBeUndefined();
    expect(checkJson({ at: new Date(NaN) })).toBeUndefined();
    expect(checkJson(writes(10n))).toMatchObject({ code: "number-not-finite", path: "a" });
    expect(checkJson(writes([NaN]))).toMatchObject({ code: "number-not-finite", path: "a[0]" });
    expect(checkJson(writes(nest(MAX_DEPTH, (inner) => [inner])))).toMatchObject({ code: "too-deep" });
    expect(checkJson({ toJSON: "text", a: NaN })).toMatchObject({ path: "a" });
  });

  it("asks an object only once what it writes, as JSON does", () => {
    const itself = {
      toJSON() {
        return this;
      },
    };
    expect(checkJson({ itself })).toBeUndefined();
  });

  it("looks at no more than a call may hold, though shared parts write without end", () => {
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
    expect(checkJson([1, 2, long, NaN])).toEqual(tooLarge);
  });

  it("never calls too large what is not", () => {
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

  it("looks at own keys only", () => {
    expect(checkJson(Object.create({ inherited: NaN }))).toBeUndefined();
  });
});

/** `levels` containers, one in the other. */
function nest(levels: number, wrap: (inner: unknown) => unknown): unknown {
  let value: unknown = wrap("leaf");
  for (let level = 1; level < levels; level += 1) value = wrap(value);
  return value;
}
