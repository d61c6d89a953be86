import { writeCall, type WriteResult } from "@postrider/core/batch";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { runInNewContext } from "node:vm";
import { setFlagsFromString } from "node:v8";
import { describe, expect, it } from "vitest";

const LONG = { ["k".repeat(1_000_000)]: 1 };
const LIBRARY = '{"name":"l","version":"1"}';

function write(properties: unknown): WriteResult {
  const input = { userId: "u1", event: "e", properties, context: {} };
  return writeCall("track", input, { messageId: "m", timestamp: "2026-01-31T12:00:00.000Z", library: LIBRARY });
}

/** The JSON text of the properties, or the code and path of the refusal. */
function written(properties: unknown): string {
  const result = write(properties);
  if (result.kind === "refused") return `${result.refusal.code} ${result.refusal.path}`;
  return result.call.json.slice(
    result.call.json.indexOf('"properties":') + 13,
    -`,"context":{"library":${LIBRARY}}}`.length,
  );
}

describe("a nested value", () => {
  it("is written as by JSON.stringify, of any kind", () => {
    const anything = fc.anything({ withDate: true, withMap: true, withSet: true, withNullPrototype: true });
    const values = fc.oneof(anything, jsonValues(), fc.string({ unit: "binary" }), fc.double());
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), values), (fields) => {
        const text = written(fields);
        fc.pre(!text.startsWith("too-large"));
        expect(text).toBe(JSON.stringify(fields));
      }),
    );
  });

  it.each([
    [{ a: undefined, b: () => 1, c: Symbol("s"), d: [undefined, () => 1, Symbol("s"), , null] }],
    [{ a: Object(1), b: Object("text"), c: Object(false), d: new Date(0), e: new Date(NaN), f: new Map([[1, 2]]) }],
    [{ "": "", 1: -0, "\u2028": '\u0000\ud800\u{1f600}\n"\\', ["__proto__"]: "\u007f", a: [[], {}, [[{}]]] }],
    [{ a: { toJSON: (key: string) => key }, b: [{ toJSON: (key: string) => key }], c: { toJSON: () => undefined } }],
    [
      {
        a: Object.assign([1], { own: 2 }),
        f: Object.assign(() => 1, { toJSON: () => "f" }),
        b: Object.create({ inherited: 1 }),
        c: { toJSON: "text" },
      },
    ],
    [{ a: NaN, b: [Infinity, -Infinity], c: { toJSON: () => NaN }, d: Object(NaN) }],
    [runInNewContext('({ a: Object("text"), b: Object(1), c: Object(false), d: new Date(0), e: [[], {}] })') as object],
  ])("is written as by JSON.stringify: %j", (fields) => {
    expect(written(fields)).toBe(JSON.stringify(fields));
  });

  it.each([
    ["number-not-finite properties.a[1].b", { a: [1, { b: 10n }] }],
    ['number-not-finite properties["X-Team"][0][0]', { "X-Team": [[10n]] }],
    ["number-not-finite properties.a", { a: { toJSON: () => 10n } }],
    ["number-not-finite properties.a", { a: Object(10n), b: 1 }],
    [`too-deep properties${".a".repeat(63)}`, nested(64)],
    [`too-deep properties.list${"[0]".repeat(61)}[…`, { list: lists(63) }],
    ["too-large ", { a: Array.from({ length: 33_000 }, () => ({})) }],
    ["too-large ", { ["k".repeat(33_000)]: 1 }],
    ["too-large ", { a: Array.from({ length: 2_000 }, () => LONG) }],
  ])("is refused as %s", (refusal, properties) => {
    expect(written(properties)).toBe(refusal);
  });

  it("may be nested as deep as ingest allows", () => {
    expect(written(nested(63))).toBe(JSON.stringify(nested(63)));
  });

  it("is read only once, so that a getter cannot answer something else later", () => {
    let asked = 0;
    const fields = {
      get price() {
        return asked++ === 0 ? 1 : 2;
      },
    };
    expect(written(fields)).toBe('{"price":1}');
  });

  it("is counted in UTF-8 bytes, keys included", () => {
    fc.assert(
      fc.property(fc.dictionary(fc.string({ unit: "binary" }), fc.string({ unit: "binary" })), (fields) => {
        const result = write(fields);
        return result.kind === "ok" && result.call.bytes === Buffer.byteLength(result.call.json);
      }),
    );
  });

  it("is kept as one flat string, not as a tree of its pieces", () => {
    setFlagsFromString("--expose-gc");
    const collect = runInNewContext("gc") as () => void;
    const fields = Object.fromEntries(
      Array.from({ length: 40 }, (_, index) => [`a-long-key-${index}`, `a value ${index}`]),
    );
    collect();
    const before = process.memoryUsage().heapUsed;
    const calls = Array.from({ length: 2_000 }, () => write(fields));
    collect();
    const bytes = calls.reduce((sum, result) => sum + (result.kind === "ok" ? result.call.bytes : NaN), 0);
    expect(process.memoryUsage().heapUsed - before).toBeLessThan(bytes * 2);
  });
});

function nested(levels: number): unknown {
  return Array.from({ length: levels }).reduce((inner) => ({ a: inner }), 1);
}

function lists(levels: number): unknown {
  return Array.from({ length: levels }).reduce((inner) => [inner], 1);
}
