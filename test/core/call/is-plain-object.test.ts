import { isPlainObject } from "@postrider/core/engine";
import { runInNewContext } from "node:vm";
import { describe, expect, it } from "vitest";

describe("isPlainObject", () => {
  it.each([{}, { a: 1 }, Object.create(null), JSON.parse('{"__proto__":[]}'), { toJSON: "text" }])(
    "takes %j",
    (value: unknown) => {
      expect(isPlainObject(value)).toBe(true);
    },
  );

  it.each([null, undefined, [], "text", 1, true, () => ({}), new Date(0), new Map(), /x/, Object.create({})])(
    "does not take %s",
    (value: unknown) => {
      expect(isPlainObject(value)).toBe(false);
    },
  );

  it("takes those of another realm, and no others of it", () => {
    for (const plain of ["({ a: 1 })", "Object.create(null)", "JSON.parse('{}')"]) {
      expect(isPlainObject(runInNewContext(plain))).toBe(true);
    }
    for (const other of ["[]", "new Date(0)", "new Map()", "new (class A {})()", "Object.create({})"]) {
      expect(isPlainObject(runInNewContext(other))).toBe(false);
    }
  });

  it("is false for an object with a toJSON method", () => {
    expect(isPlainObject({ a: 1, toJSON: () => ({ a: 1 }) })).toBe(false);
    expect(isPlainObject(Object.assign(Object.create(null), { toJSON: () => 1 }))).toBe(false);
  });
});
