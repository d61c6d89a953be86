// Parsing in steps, compared with the parser of the language: both give the same value, wherever a text is cut.

import { type ParsedJson, parseJsonInSteps, type ParseLimits } from "@postrider/relay/settings";
import { runSteps } from "@postrider/core/engine";
import { jsonValues } from "@postrider/testkit/arbitraries";
import fc from "fast-check";
import { afterEach, describe, expect, it, vi } from "vitest";
import { PARSE_STEP_LENGTH } from "../../packages/relay/src/settings/limits.js";
import { CONTENT_NAMES, contentOf } from "../load/expensive/contents.js";
import "../property.js";

const RUNS = 3_000;
/** What a run is parsed with: the brackets of its container. */
const BRACKETS = 2;
/** Up to the next comma: all that is no comma outside of strings. */
const TOKEN = /(?:"(?:[^"\\]|\\.)*"|[^",])+/g;
/** A placeholder for each container that is opened. */
const MAX_LEVELS = 512;

function natively(text: string): ParsedJson {
  try {
    return { kind: "ok", value: JSON.parse(text) as unknown };
  } catch {
    return { kind: "refused", reason: "bad-json" };
  }
}

function inSteps(text: string, terms: ParseLimits = {}): ParsedJson {
  return runSteps(parseJsonInSteps(text, terms));
}

/** With what equality of tests passes over: the order of keys, and properties that are not own or cannot be changed. */
function inFull(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return Object.is(value, -0) ? "-0" : value;
  const properties = Object.getOwnPropertyDescriptors(value);
  return [
    Object.getPrototypeOf(value) === (Array.isArray(value) ? Array.prototype : Object.prototype),
    Object.entries(properties).map(([key, { value: inner, ...rest }]) => [key, inFull(inner), rest]),
  ];
}

function expectSame(text: string, terms: ParseLimits): void {
  const [expected, found] = [natively(text), inSteps(text, terms)];
  if (found.kind === "ok" && expected.kind === "ok") {
    expect(inFull(found.value), text).toEqual(inFull(expected.value));
  } else expect(found, text).toEqual(expected);
}

/**
 * V8 of Node 24 reads an escaped key of one character as that of one backslash, where an object with the same keys before
 * it has had that one. What is drawn cannot be compared with such a parser.
 */
const isParserSound = readsEscapedKeys();

function readsEscapedKeys(): boolean {
  JSON.parse(String.raw`{"before":1,"\\":2}`);
  return Object.keys(JSON.parse(String.raw`{"before":1,"\ud800":2}`) as object)[1] !== "\\";
}

/** Blanks and keys in unusual forms. */
function written(): fc.Arbitrary<string> {
  const blank = fc.constantFrom("", "", "", " ", "\n", "\t\r ");
  const keys = fc.oneof(
    fc.constantFrom('"a"', '"a"', '"\\u0061"', '"__proto__"', '"1"', '"07"', '"4294967295"', '"toString"', '""'),
    fc.constantFrom('"\\"],{"', '"\\\\"', '"\\ud800"', '"\ud800"', '"é"'),
  );
  const leaves = fc.oneof(
    fc.constantFrom("-0", "1e999", "0.1", "true", "null", '"\\\\"', '"\\"[{,"', '"\udc00"', "1E-7", "[]", "{ }"),
    jsonValues().map((value) => JSON.stringify(value)),
  );
  return fc.letrec<{ value: string; padded: string }>((tie) => ({
    padded: fc.tuple(blank, tie("value"), blank).map((parts) => parts.join("")),
    value: fc.oneof(
      { maxDepth: 5 },
      leaves,
      fc.array(tie("padded"), { maxLength: 5 }).map((items) => `[${items.join(",")}]`),
      fc
        .array(fc.tuple(blank, keys, blank, tie("padded")), { maxLength: 5 })
        .map(
          (fields) => `{${fields.map(([before, key, after, value]) => `${before}${key}${after}:${value}`).join(",")}}`,
        ),
    ),
  })).padded;
}

/** A text with some of it left out, put in or written twice. */
function mutated(): fc.Arbitrary<string> {
  const pieces = fc.constantFrom(
    "",
    "[",
    "]",
    "{",
    "}",
    ",",
    ":",
    '"',
    "\\",
    " ",
    "0",
    "[]",
    ",,",
    "\uFEFF",
    "\u0001",
    "null",
  );
  const change = fc.record({ at: fc.nat(200), left: fc.nat(3), piece: pieces });
  return fc.tuple(written(), fc.array(change, { minLength: 1, maxLength: 3 })).map(([text, changes]) =>
    changes.reduce((changed, { at, left, piece }) => {
      const place = at % (changed.length + 1);
      return changed.slice(0, place) + piece + changed.slice(place + left);
    }, text),
  );
}

const lengths = fc.constantFrom(0, 1, 2, 3, 5, 8, 20);

afterEach(() => void vi.restoreAllMocks());

describe("a text that is parsed in steps", () => {
  it.skipIf(!isParserSound)("becomes the value that the parser makes of it", () => {
    fc.assert(
      fc.property(written(), lengths, (text, length) => {
        expect(natively(text).kind).toBe("ok");
        expectSame(text, { length });
      }),
      { numRuns: RUNS },
    );
  });

  it.skipIf(!isParserSound)("is refused where the parser refuses it", () => {
    fc.assert(
      fc.property(mutated(), lengths, (text, length) => {
        expectSame(text, { length });
      }),
      { numRuns: RUNS * 3 },
    );
  });

  it.each([
    ...'1|-0|1e999|"a"||  |,|1,2|[]|{}| [ ] |[1,]|[,1]|[,]|[1,,2]|[1 ,2] |{"a":1,}|{,}|{"a"}|{"a":}|{"a":1,,}'.split(
      "|",
    ),
    ...'[1,2|[1,2}|{"a":1,"b":2]|[1,"a|[1,"\\|[1,2]]|[1,2]x|x[1,2]|[1,2][3]|[1,2],|,[1,2]|[[1,2]x,3]|[[1,2][3],4]'.split(
      "|",
    ),
    ...'[[1,2]"a",3]|[1[1,2],3]|{1:[1,2]}|{[1,2]:1}|{"a"[1,2]}|{"a":1[1,2]}|{"a":[1,2]"b":3}|{"a":[1,2],}'.split("|"),
    ...'[[1,2],]|[[1,2] , ]|[[1,2] ]|{"a":{"b":1,"c":2} }|[{"a":1,"b":2}}|[1,2\u00a0]|[1,2]\u00a0|\uFEFF[1,2]|[1\\,2]'.split(
      "|",
    ),
    '{"a":1,"b":2,"a":3}',
    '{"a":[1,2],"b":2,"a":[3,4]}',
    '{"a":[1,2],"a":3,"b":1}',
    '{"__proto__":[1,2],"a":{"__proto__":1,"__proto__":2}}',
    '{"2":[1,2],"1":[1,2],"a":1,"0":1}',
    '{"\\u0061":[1,2],"a":{"b":1,"c":1}}',
  ])("is judged as by the parser: %s", (text) => {
    for (const length of [0, 1, 2, 4, 8, PARSE_STEP_LENGTH]) expectSame(text, { length });
  });

  it("may nest as deep as the parser allows, or as its caller allows", () => {
    const levels = 100_000;
    const read = inSteps(`${"[1,".repeat(levels)}2${"]".repeat(levels)}`, { length: 1_000 });
    let depth = 0;
    for (let inner: unknown = read.kind === "ok" && read.value; Array.isArray(inner); [, inner] = inner) depth += 1;
    expect(depth).toBe(levels);
    expect(inSteps("[1,[2,3]]", { levels: 2, length: 0 }).kind).toBe("ok");
    for (const deep of ["[1,[2,[3]]]", "[[[", '[[{"a":1}]]']) {
      for (const length of [0, 100])
        expect(inSteps(deep, { levels: 2, length })).toEqual({ kind: "refused", reason: "too-deep" });
    }
  });
});

describe("a step", () => {
  it("is a long one, after which other work has its turn", () => {
    expect([...parseJsonInSteps("[1,2,3]", { length: 1 })]).toEqual(["long", "long"]);
  });

  it("that finds the text cut does not parse all of it once more", () => {
    const parse = vi.spyOn(JSON, "parse");
    expect(inSteps(`[${"0,".repeat(PARSE_STEP_LENGTH)}0`)).toEqual({ kind: "refused", reason: "bad-json" });
    const lengths = parse.mock.calls.map(([run]) => run.length);
    parse.mockRestore();
    expect(Math.max(...lengths)).toBeLessThan(PARSE_STEP_LENGTH + 10);
  });

  const LENGTH = 512_000;
  const shapes: readonly (readonly [string, string])[] = [
    ...CONTENT_NAMES.map((name) => [name, contentOf(name, LENGTH)] as const),
    ["objects of a key each", `[${Array.from({ length: 40_000 }, (_, at) => `{"k${String(at)}":0}`).join(",")}]`],
    ["nested runs", `${'[0,{"a":'.repeat(100)}[${"0,".repeat(30_000)}0]${`,"b":[${"0,".repeat(200)}0]}]`.repeat(100)}`],
  ];

  it.each(shapes)("parses no more than its length and a token: %s", (_, text) => {
    const longest = (text.match(TOKEN) ?? []).reduce((length, token) => Math.max(length, token.length), 0);
    const parse = vi.spyOn(JSON, "parse");
    const lengths: number[] = [];
    const steps = parseJsonInSteps(text);
    for (let done = false; !done;) {
      done = steps.next().done === true;
      lengths.push(parse.mock.calls.reduce((sum, [run]) => sum + run.length - BRACKETS, 0));
      parse.mockClear();
    }
    parse.mockRestore();
    expect(Math.max(...lengths)).toBeLessThanOrEqual(PARSE_STEP_LENGTH + longest + MAX_LEVELS);
    expect(lengths.reduce((sum, length) => sum + length, 0)).toBeLessThanOrEqual(text.length);
    expect(JSON.stringify(inSteps(text))).toBe(JSON.stringify(natively(text)));
  });
});
