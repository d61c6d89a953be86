// The law: checking a call and the shared fields of its batch separately gives the same result as checking the merged call.

import { type JsonObject, MAX_BATCH_BYTES, MAX_CALL_BYTES } from "@postrider/core";
import { checkJson, checkMerged, checkSize, readShared } from "@postrider/core/engine";
import { jsonObjects, jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import "../../property.js";
import { mergeShared } from "./merge-shared.js";

/** The result of checking the merged call as a whole. */
function merged(call: JsonObject, shared: JsonObject): { readonly code?: string; readonly context?: string } {
  const whole = mergeShared(call, shared);
  const refusal = checkJson(whole) ?? checkSize(JSON.stringify(whole));
  return refusal === undefined ? { context: JSON.stringify(whole["context"]) } : { code: refusal.code };
}

function apart(call: JsonObject, shared: JsonObject): { readonly code?: string; readonly context?: string } {
  const checked = checkMerged(call, readShared(shared));
  if (checked.kind === "refused") return { code: checked.refusal.code };
  return { context: checked.context ?? JSON.stringify(call["context"]) };
}

/** Few keys, so that both sides have the same ones, integer keys included, which objects sort. */
const keys = fc.constantFrom(
  "a",
  "b",
  "c",
  "é",
  '"',
  "0",
  "1",
  "7",
  "10",
  "01",
  "-1",
  "1e3",
  "4294967294",
  "4294967295",
  "9999999999",
  "__proto__",
  "toJSON",
  "constructor",
);
const fields = fc
  .array(
    fc.tuple(
      keys,
      fc.oneof(
        jsonValues(),
        fc.constantFrom(1e400, undefined, new Date(0), () => 1),
      ),
    ),
    {
      maxLength: 12,
    },
  )
  .map((entries): JsonObject => Object.fromEntries(entries));
const someFields = fc.oneof(fields, jsonObjects(), fc.constantFrom(undefined, null));
const call = fc
  .record({ context: someFields, integrations: someFields, properties: jsonObjects() }, { requiredKeys: [] })
  .filter((one) => !("toJSON" in one));

describe("checkMerged", () => {
  it("gives the result of checking the merged call, and writes its context", () => {
    fc.assert(
      fc.property(call, someFields, someFields, (one, context, integrations) => {
        expect(apart(one, { context, integrations })).toEqual(merged(one, { context, integrations }));
      }),
      { numRuns: 3_000 },
    );
  });

  it("measures a call to the byte, whichever side has the bytes", () => {
    const sides = fc.record({
      own: jsonObjects(),
      shared: jsonObjects(),
      integrations: fc.option(jsonObjects(), { nil: undefined }),
      ownIntegrations: fc.option(jsonObjects(), { nil: undefined }),
      unit: fc.constantFrom("x", "é", "€", "\u0001", "😀"),
      over: fc.integer({ min: -3, max: 3 }),
      where: fc.constantFrom("shared", "own", "properties"),
    });
    fc.assert(
      fc.property(sides, ({ own, shared, integrations, ownIntegrations, unit, over, where }) => {
        const filled = (count: number): readonly [JsonObject, JsonObject] => {
          const pad = { pad: unit.repeat(count) + "x".repeat(over + 3) };
          return [
            {
              context: where === "own" ? { ...own, ...pad } : own,
              ...(where === "properties" ? { properties: pad } : {}),
              ...(ownIntegrations === undefined ? {} : { integrations: ownIntegrations }),
            },
            { context: where === "shared" ? { ...shared, ...pad } : shared, integrations },
          ];
        };
        const bytes = (count: number): number => Buffer.byteLength(JSON.stringify(mergeShared(...filled(count))));
        const count = Math.max(0, Math.floor((MAX_CALL_BYTES - bytes(0)) / (bytes(1) - bytes(0))));
        for (const near of [count, count + 1]) expect(apart(...filled(near))).toEqual(merged(...filled(near)));
      }),
    );
  });

  it("accepts a call whose own field replaces a bad shared one", () => {
    const deep = JSON.parse("[".repeat(100) + "]".repeat(100));
    const shared = { context: { a: 9n, b: deep, c: "x".repeat(40_000), d: 10n, e: 1 } };
    const own = { a: 1, b: 1, c: 1, d: 1 };
    expect(apart({ context: own }, shared)).toEqual({ context: '{"a":1,"b":1,"c":1,"d":1,"e":1}' });
    for (const [left, code] of [
      ["a", "number-not-finite"],
      ["b", "too-deep"],
      ["c", "too-large"],
      ["d", "number-not-finite"],
    ] as const) {
      const others = Object.entries(own).filter(([key]) => key !== left);
      expect(apart({ context: Object.fromEntries(others) }, shared)).toEqual({ code });
    }
    expect(apart({}, shared)).toEqual({ code: "number-not-finite" });
    expect(apart({ context: "text" }, shared)).toEqual({ context: '"text"' });
    expect(apart({ integrations: { a: 1 } }, { integrations: { a: 9n, b: 9n } })).toEqual({
      code: "number-not-finite",
    });
  });

  it("reports the path in the call, whichever side it is on", () => {
    const shared = readShared({ context: { a: [{ b: 9n }] }, integrations: { CRM: 9n } });
    expect(checkMerged({}, shared)).toMatchObject({ refusal: { path: "context.a[0].b" } });
    expect(checkMerged({ context: { a: 1 } }, shared)).toMatchObject({ refusal: { path: "integrations.CRM" } });
    expect(checkMerged({ properties: { x: 9n } }, shared)).toMatchObject({ refusal: { path: "properties.x" } });
  });

  it("reads an empty list of integrations as absent", () => {
    expect(checkMerged({ integrations: [] }, readShared({ integrations: { All: 9n } }))).toMatchObject({
      refusal: { path: "integrations.All" },
    });
  });

  it("scans no more of a host's shared object than the size of a batch", () => {
    let pairs: unknown = "x".repeat(1_000);
    for (let level = 0; level < 40; level += 1) pairs = [pairs, pairs];
    const context = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`k${String(index)}`, pairs]));
    const { bad } = readShared({ context }).context ?? { bad: [] };
    expect(bad).toHaveLength(2_000);
    expect(new Set(bad.map(({ refusal }) => refusal?.code))).toEqual(new Set(["too-large"]));
  });
});

describe("checkMerged without shared fields", () => {
  const refusalOf = (call: JsonObject) => {
    const checked = checkMerged(call);
    return checked.kind === "refused" ? checked.refusal : undefined;
  };
  const TOO_LARGE = { code: "too-large", path: "", expected: "at most 32768 bytes of JSON" };
  /** The result of writing the whole call. */
  const byWriting = (call: JsonObject) => checkJson(call) ?? checkSize(JSON.stringify(call));

  it.each<readonly [string, unknown, string]>([
    ["escapes, six bytes each", "\u0001", ""],
    ["halves of surrogate pairs, six bytes each", "\ud800", ""],
    ["characters of three bytes each", "€", ""],
    ["keys of nothing but escapes", 1, "\u0001"],
    ["numbers that are as long as can be", -0.0000012345678901234567, "k"],
    ["texts that are empty", "", "k"],
    ["nothing", null, "k"],
    ["objects that are empty", {}, "k"],
  ])("refuses a call exactly when its text is too long, if it is full of %s", (_, value, key) => {
    for (const count of [100, 1_000, 1_150, 1_300, 1_500, 2_000, 3_000, 6_000, 12_000]) {
      const list = { type: "track", properties: { list: Array.from({ length: count }, () => value) } };
      const fields = Array.from({ length: count }, (__, index) => [`${key.repeat(4)}${String(index)}`, value] as const);
      const object = { type: "track", properties: Object.fromEntries(fields) };
      const text = { type: "track", event: String(value).repeat(count) };
      for (const call of [list, object, text]) expect(refusalOf(call)).toEqual(byWriting(call));
    }
  });

  it("gives the result of writing the call, near the limit and far from it", () => {
    fc.assert(
      fc.property(jsonObjects(), fc.integer({ min: 1, max: 2_000 }), (object, count) => {
        const call = { properties: Array.from({ length: count }, () => object) };
        expect(refusalOf(call)).toEqual(byWriting(call));
      }),
    );
  });

  it("writes a call whose text may be longer than its estimate", () => {
    const long = "x".repeat(MAX_CALL_BYTES);
    const written = Object.assign(() => "", { toJSON: () => long });
    const wordy = {
      said: "",
      toJSON(): string {
        this.said += "x".repeat(MAX_CALL_BYTES / 2 + 1);
        return this.said;
      },
    };
    expect(refusalOf({ a: written })).toEqual(TOO_LARGE);
    expect(refusalOf({ a: wordy })).toEqual(TOO_LARGE);
    expect(
      refusalOf({ a: Object.assign([], { toJSON: () => "short" }), b: new Map(), c: new Date(0) }),
    ).toBeUndefined();
  });

  it("reports other broken rules before the size, with their path", () => {
    const long = "x".repeat(MAX_CALL_BYTES - 100);
    expect(refusalOf({ a: [{ b: 9n }], long: "\u0001".repeat(6_000) })).toMatchObject({ path: "a[0].b" });
    expect(refusalOf({ long, a: { b: 10n } })).toMatchObject({ code: "number-not-finite", path: "a.b" });
  });
});

describe("a number that may not be what was written", () => {
  const told = (call: JsonObject, shared: JsonObject = {}): unknown => {
    const checked = checkMerged(call, readShared(shared));
    return checked.kind === "ok" ? checked.imprecise : checked.refusal;
  };
  const BIG = JSON.parse("7615917337495251231") as number;

  it("is told with its path, at most three of a call", () => {
    expect(told({ properties: { id: BIG, list: [1, -BIG], "X-Id": BIG, more: BIG } })).toEqual([
      "properties.id",
      "properties.list[1]",
      'properties["X-Id"]',
    ]);
    expect(told({ at: { toJSON: () => BIG } })).toEqual(["at"]);
  });

  it("is told of a shared field too, unless the call has that field itself", () => {
    const shared = { context: { device: { id: BIG }, app: 1 } };
    expect(told({}, shared)).toEqual(["context.device.id"]);
    expect(told({ context: { app: BIG } }, shared)).toEqual(["context.app", "context.device.id"]);
    expect(told({ context: { device: 1 } }, shared)).toBeUndefined();
    expect(told({ context: ["a list, in which nothing is merged"] }, shared)).toBeUndefined();
  });

  it("may be one that is not finite, which arrives as null", () => {
    const infinite = JSON.parse('{"a":1e400,"b":[-1e400]}') as JsonObject;
    expect(told({ properties: infinite })).toEqual(["properties.a", "properties.b[0]"]);
    expect(told({ properties: { a: NaN } }, { context: { a: NaN, b: 1 } })).toEqual(["properties.a", "context.a"]);
    expect(checkMerged({ userId: "u1" }, readShared({ context: { a: NaN } }))).toMatchObject({
      context: '{"a":null}',
    });
  });

  it("is a whole number beyond 2^53 otherwise, and no other", () => {
    fc.assert(
      fc.property(jsonValues(), fc.double({ noNaN: true, noDefaultInfinity: true }), (value, number) => {
        const text = JSON.stringify([value, number]);
        const numbers = JSON.stringify(JSON.parse(text), (_, one: unknown) =>
          typeof one === "number" && Number.isInteger(one) && !Number.isSafeInteger(one) ? "imprecise!" : one,
        );
        const isTold = told({ properties: JSON.parse(text) as unknown }) !== undefined;
        expect(isTold).toBe(numbers.includes("imprecise!"));
      }),
    );
    for (const exact of [2 ** 53 - 1, -(2 ** 53) + 1, 0.1, -0, 5e-324]) expect(told({ exact })).toBeUndefined();
    for (const other of [2 ** 53, -(2 ** 53), 1e21, 1.7e308]) expect(told({ other })).toEqual(["other"]);
  });

  it("does not make a call longer than it is", () => {
    const call = { properties: Array.from({ length: 1_000 }, () => BIG) };
    expect(checkMerged(call)).toMatchObject({ kind: "ok", cost: expect.any(Number) as number });
  });
});

describe("the cost of a check", () => {
  it("is the length of its texts and keys, and 48 for each value", () => {
    expect(checkMerged({})).toEqual({ kind: "ok", context: undefined, cost: 48 });
    expect(checkMerged({ a: "xyz" })).toEqual({ kind: "ok", context: undefined, cost: 2 * 48 + 4 });
    expect(checkMerged({ a: ["xyz", 1] })).toEqual({ kind: "ok", context: undefined, cost: 4 * 48 + 1 + 1 + 3 + 1 });
    expect(checkMerged({ ab: 9n })).toMatchObject({ kind: "refused", cost: 2 * 48 + 3 });
  });

  it("does not count the fields that its batch shares, which were read once for all calls", () => {
    const shared = readShared({ context: { ip: "x".repeat(1_000) } });
    expect(checkMerged({ a: "xyz" }, shared)).toMatchObject({ kind: "ok", cost: 2 * 48 + 4 });
  });
});

describe("a merged call at its limits", () => {
  it("is measured to the byte if all of its fields are shared", () => {
    const sharedOf = (pad: number) => ({ context: { k: "x".repeat(pad) }, integrations: { CRM: true } });
    const pad = MAX_CALL_BYTES - Buffer.byteLength(JSON.stringify(mergeShared({}, sharedOf(0))));
    expect(apart({}, sharedOf(pad))).not.toHaveProperty("code");
    expect(apart({}, sharedOf(pad + 1))).toEqual({ code: "too-large" });
  });

  it("counts its own context if its batch shares only integrations", () => {
    const shared = { integrations: { CRM: true } };
    const callOf = (pad: number): JsonObject => ({ context: { k: "x".repeat(pad) } });
    const bytes = Buffer.byteLength(JSON.stringify(mergeShared(callOf(0), shared)));
    expect(apart(callOf(MAX_CALL_BYTES - bytes), shared)).not.toHaveProperty("code");
    expect(apart(callOf(MAX_CALL_BYTES - bytes + 1), shared)).toEqual({ code: "too-large" });
  });

  it("has at most 64 levels, those of a shared field included: the call is the first, its context the second", () => {
    const nested = (levels: number): unknown => JSON.parse("[".repeat(levels) + "]".repeat(levels));
    expect(apart({}, { context: { a: nested(62) } })).not.toHaveProperty("code");
    expect(apart({}, { context: { a: nested(63) } })).toEqual({ code: "too-deep" });
  });

  it.each<[string, unknown, string | undefined]>([
    ["a list", ["x"], undefined],
    ["an empty list", [], '{"a":1}'],
    ["an object with a length", { length: 0 }, '{"a":1,"length":0}'],
  ])("gets no shared context in place of %s, which only an empty one is", (_what, context, text) => {
    expect(checkMerged({ context }, readShared({ context: { a: 1 } }))).toMatchObject({ kind: "ok", context: text });
  });
});

describe("the shared fields of a batch", () => {
  // A field costs its key, its texts, one for any other value, and one for each value; each here costs a twentieth of a batch.
  const cost = MAX_BATCH_BYTES / 20;
  it.each<[string, unknown]>([
    ["texts", "x".repeat(cost - 3)],
    ["lists of small values", Array.from({ length: (cost - 4) / 2 }, () => 1)],
  ])("are refused from where they have more than a batch, each as too large: %s", (_what, field) => {
    const keys = Array.from({ length: 26 }, (_, index) => String.fromCharCode(97 + index));
    const { bad = [] } = readShared({ context: Object.fromEntries(keys.map((key) => [key, field])) }).context ?? {};
    expect(bad.map(({ key }) => key)).toEqual(keys.slice(21));
    expect(bad[0]?.refusal).toMatchObject({ code: "too-large" });
  });

  it("are read up to the number that can fit into a call, and marked as cut beyond it", () => {
    const isCut = (count: number) => {
      const context = Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, 1]));
      return readShared({ context }).context?.isCut;
    };
    const most = Math.ceil(MAX_CALL_BYTES / 5);
    expect([isCut(1), isCut(most), isCut(most + 1)]).toEqual([false, false, true]);
  });
});

describe("a batch that shares more fields than fit into a call", () => {
  const many = (value: number | bigint, count = 10_000): JsonObject =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`k${String(index)}`, value]));
  const tooLarge = { code: "too-large" };

  it("makes each of its calls fail, whatever fields they have", () => {
    const context = many(1);
    expect(apart({}, { context })).toEqual(tooLarge);
    expect(apart({ context: { a: 1 } }, { context })).toEqual(tooLarge);
    expect(apart({ context: many(1, 3_000) }, { context })).toEqual(tooLarge);
    expect(apart({ integrations: { a: true } }, { integrations: context })).toEqual(tooLarge);
  });

  it("reports the first bad field, and one of the call itself first", () => {
    const context = many(9n);
    expect(apart({}, { context })).toEqual({ code: "number-not-finite" });
    expect(apart({ context: many(1, 2_000) }, { context })).toEqual({ code: "number-not-finite" });
    expect(apart({ properties: { a: 1n } }, { context: many(1) })).toEqual({ code: "number-not-finite" });
  });

  it("leaves a call whose own value is not an object to the decoder", () => {
    expect(apart({ context: 1 }, { context: many(1) })).toEqual({ context: "1" });
  });

  it("is not read any further", () => {
    const read: string[] = [];
    const counted = new Proxy(many(1, 100_000), {
      get: (fields, key) => {
        read.push(String(key));
        return Reflect.get(fields, key) as unknown;
      },
    });
    readShared({ context: counted });
    expect(read.length).toBeLessThan(2 * MAX_CALL_BYTES);
  });
});
