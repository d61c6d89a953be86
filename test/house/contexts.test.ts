// What a function of relay may touch stands in its signature: a context has few fields, and each function that is handed one
// uses all of them (decision: contexts).

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { handedFields } from "./handed-fields.js";
import { filesUnder, ROOT, unitOf } from "./packages.js";
import { expectNone } from "./violations.js";

const MAX_FIELDS = 8;

const DECLARED = "type A = (n: number) => void; interface SomeContext { a: A; b: number; c: number }";
const PLANTED: readonly (readonly [what: string, text: string, unused: readonly string[]])[] = [
  ["is in the pattern", "export function f({ a, b }: SomeContext) { return a(b); }", ["c"]],
  [
    "is handed on for nothing",
    "export function f(x: SomeContext) { g(x); } function g(y: { a: A }) { y.a(1); }",
    ["b", "c"],
  ],
  ["is in a variable", "export function f(x: SomeContext) { const { a } = x; return a(x.b); }", ["c"]],
  ["is copied and not read", "export function f(x: SomeContext) { const y = { ...x }; return y.a(y.c); }", ["b"]],
  ["is not there: the whole context is kept", "export function f(x: SomeContext) { return { x }; }", []],
  ["is in a part of a context", 'export function f(x: Pick<SomeContext, "a" | "b">) { return x.b; }', ["a"]],
];

const files = filesUnder("packages/relay/src", ".ts").filter((file) => unitOf(file) === "relay");
const handed = handedFields(files.map((file) => join(ROOT, file)));

describe("a function of relay that is handed a context", () => {
  it("uses each field of it, itself or through a function that it calls", () => {
    const others = handed.filter(({ unused }) => unused.length > 0);
    expectNone(
      others.map(
        ({ place, name, unused }) =>
          `${place}: ${name} does not use ${unused.join(", ")}: take an interface that has only the rest`,
      ),
    );
  });

  it(`is handed ${String(MAX_FIELDS)} fields at most`, () => {
    const others = handed.filter(({ fields }) => fields.length > MAX_FIELDS);
    expectNone(
      others.map(
        ({ place, name, fields }) =>
          `${place}: ${name} is handed ${String(fields.length)} fields: join some, or split it`,
      ),
    );
  });

  it("is found: there are more than a hundred", () => {
    expect(handed.length).toBeGreaterThan(100);
  });
});

describe("a field that is not used", () => {
  const folder = mkdtempSync(join(tmpdir(), "postrider-contexts-"));
  const file = join(folder, "planted.ts");
  const planted = PLANTED.map(([, text], index) => `namespace planted${String(index)} { ${text} }`);
  writeFileSync(file, [DECLARED, ...planted].join("\n"));
  const found = handedFields([file]).filter(({ name }) => name === "f");
  rmSync(folder, { recursive: true });

  it.each(PLANTED.map((row, index) => [...row, index] as const))("is found where it %s", (_, _text, unused, index) => {
    expect(found[index]).toMatchObject({ unused });
  });
});
