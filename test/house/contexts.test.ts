// What a function of relay may touch stands in its signature: a context has few fields, and each function that is handed one
// uses all of them (decision: contexts).

import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
import { handedFields } from "./handed-fields.js";
import { filesUnder, ROOT } from "./packages.js";

const MAX_FIELDS = 8;

const handed = handedFields(filesUnder("packages/relay/src", ".ts").map((file) => join(ROOT, file)));

describe("a function of relay that is handed a context", () => {
  it("uses each field of it, itself or through a function that it calls", () => {
    expect(handed.filter(({ unused }) => unused.length > 0)).toEqual([]);
  });

  it(`is handed ${String(MAX_FIELDS)} fields at most`, () => {
    expect(handed.filter(({ fields }) => fields.length > MAX_FIELDS)).toEqual([]);
  });

  it("is found: there are more than a hundred", () => {
    expect(handed.length).toBeGreaterThan(100);
  });
});

describe("a field that is not used", () => {
  const folder = mkdtempSync(join(tmpdir(), "postrider-contexts-"));
  const file = join(folder, "planted.ts");
  afterAll(() => rmSync(folder, { recursive: true }));

  it.each([
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
  ])("is found where it %s", (_, text, unused) => {
    writeFileSync(
      file,
      `type A = (n: number) => void; interface SomeContext { a: A; b: number; c: number }\n${text}\n`,
    );
    expect(handedFields([file]).find(({ at }) => at.endsWith(" f"))).toMatchObject({ unused });
  });
});
