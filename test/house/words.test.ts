// Comments, documents, titles and exported names use plain technical English: a thing is named, or "it", and is not spoken of
// as a person; an amount is named, not pointed at. What is banned is a list of words, so that a test can hold it.

import ts from "typescript";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "./markdown.js";
import { filesUnder, PACKAGES, read } from "./packages.js";

/** Each with what to write in its place. */
const BANNED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bwho(?:m|so|mso)?ever\b/i, "the caller, the process that …, any receiver that …"],
  [/\b(?:no|some|any|every)body\b/i, "no process, an operator, any caller, all receivers"],
  [/\bno one\b/i, "no caller, no process"],
  [/\bof (?:its|their|our|one's) own\b/i, "a separate …, its …"],
  [/\bone's own\b/i, "the host's, the operator's"],
  [/\bof (?:ours|theirs)\b/i, "of this repository, of Postrider, of the user"],
  [/\bso (?:many|much|long)\b/i, "a number of …, at most `limit`, as long as"],
  [/\b(?:stand|stands|stood|standing) in line\b/i, "waits in a queue"],
  [/\b(?:shelf|shelves|stints?|watch(?:man|men)|bury|buried)\b/i, "erasable table, step, poller, mark as purged"],
];

/** Quotations that stay: the licence of others, a former title, a name in a file or a protocol. */
const QUOTED: readonly RegExp[] = [/Formerly "[^"]+"/g];

/** Places that still have such words. A place without one must leave the list. */
const NOT_YET: readonly string[] = [
  "docs/audience-contracts.md",
  "docs/contracts.md",
  "docs/hostile-receivers.md",
  "packages/api",
  "packages/client",
  "packages/codec",
  "packages/core",
  "packages/fetch",
  "packages/http",
  "packages/ingest",
  "packages/postrider",
  "packages/simulator",
  "packages/sqlite-file",
  "packages/system",
  "packages/testkit",
  "packages/thread",
  "packages/undici",
  "test/api",
  "test/bench",
  "test/client",
  "test/codec",
  "test/contracts",
  "test/core",
  "test/crash",
  "test/end-to-end",
  "test/hostile",
  "test/http",
  "test/ingest",
  "test/load",
  "test/postrider",
  "test/relay",
  "test/simulation",
  "test/simulator",
  "test/thread",
  "test/undici",
  "test/vectors",
];

/** This file has to name them. */
const SELF = "test/house/words.test.ts";
/** They tell of names that are gone. */
const HISTORY = ["docs/renames.md"];

interface Found {
  readonly place: string;
  /** `packages/a/src/b.ts: "nobody"; write: no process, …` */
  readonly line: string;
}

const CONFIGS = [".dependency-cruiser.cjs", "eslint.config.js", "vitest.config.ts"];
const folders = ["packages", "test"];
const sources = [
  ...CONFIGS,
  ...folders.flatMap((folder) => [".ts", ".js"].flatMap((ending) => filesUnder(folder, ending))),
];
const found = [
  ...sources
    .filter((path) => path !== SELF)
    .flatMap((path) => bannedIn(path, (text) => [...proseOf(path, text), ...exportedIn(text)])),
  ...DOCUMENTS.filter((path) => !HISTORY.includes(path)).flatMap((path) => bannedIn(path, (text) => [text])),
];
const places = new Set([
  ...PACKAGES.map(({ folder }) => `packages/${folder}`),
  ...[...sources, ...DOCUMENTS].map(placeOf),
]);

describe("plain words", () => {
  it.each([...places].sort())("are used in %s", (place) => {
    const here = found.filter((one) => one.place === place).map(({ line }) => line);
    if (NOT_YET.includes(place)) expect(here, "take it off NOT_YET").not.toEqual([]);
    else expect(here).toEqual([]);
  });

  it("are each defined once in the glossary", () => {
    const defined = [...read("docs/glossary.md").matchAll(/^\| \*\*(.+?)\*\* /gm)].flatMap(([, word]) =>
      word!.split(", "),
    );
    expect(defined.length).toBeGreaterThan(80);
    expect(defined).toEqual([...new Set(defined)]);
  });

  it("are looked for in places that exist", () => {
    expect(NOT_YET.filter((place) => !places.has(place))).toEqual([]);
  });

  it.each([
    ["a comment", "// nobody reads it\nexport const a = 1;"],
    ["a comment that breaks its line", "/**\n * One of\n * its own.\n */\nconst a = 1;"],
    ["a comment at the end of a block", "function a() {\n  // whoever comes\n}"],
    ["a title", 'it("takes so many at a time", () => {});'],
    ["a title in a template", "it(`is ${a} of ours`, () => {});"],
    ["an exported name", "export const toWhomever = 1;"],
    ["a name that is exported as another", 'export { a as isNobody } from "./a.js";'],
  ])("are missed in %s", (_what, text) => {
    expect([...proseOf("a.ts", text), ...exportedIn(text)].some(isBanned)).toBe(true);
  });

  it.each([
    ["data", 'const users = ["nobody"];'],
    ["a private name", "const nobody = 1;"],
    ["an address", 'const url = "https://somebody.example//so many";'.replace(" many", "-many")],
  ])("are not asked of %s", (_what, text) => {
    expect([...proseOf("a.ts", text), ...exportedIn(text)].some(isBanned)).toBe(false);
  });
});

/** A package, a folder of tests, or a single document or config. */
function placeOf(path: string): string {
  const [top = "", second = ""] = path.split("/");
  return second === "" || (path.endsWith(".md") && top !== "packages") ? path : `${top}/${second}`;
}

/** Most files have none of the words anywhere; the others are parsed. */
function bannedIn(path: string, textsOf: (text: string) => readonly string[]): readonly Found[] {
  const text = QUOTED.reduce((rest, quotation) => rest.replace(quotation, ""), read(path));
  if (!isBanned(text) && !isBanned(flow(text)) && exportedIn(text).every((name) => !isBanned(name))) return [];
  return textsOf(text).flatMap((prose) =>
    BANNED.flatMap(([words, instead]) => {
      const all = flow(prose).matchAll(new RegExp(words, "gi"));
      return [...all].map(([word]) => ({ place: placeOf(path), line: `${path}: "${word}"; write: ${instead}` }));
    }),
  );
}

function isBanned(text: string): boolean {
  return BANNED.some(([words]) => words.test(flow(text)));
}

/** On one line, without what begins the lines of a comment. */
function flow(text: string): string {
  return text.replace(/\n\s*(?:\/\/|\*(?!\/))?\s*/g, " ");
}

/** The comments of a file, and its strings of several words: titles, messages, sentences. */
function proseOf(path: string, text: string): readonly string[] {
  const source = ts.createSourceFile(path, text, ts.ScriptTarget.Latest, false);
  const literals: ts.Node[] = [];
  const collect = (node: ts.Node): void => {
    if (isLiteral(node)) literals.push(node);
    else ts.forEachChild(node, collect);
  };
  collect(source);
  const strings = literals
    .map((node) => text.slice(node.getStart(source), node.end))
    .filter((one) => one.includes(" "));
  const rest = literals.reduceRight((left, node) => left.slice(0, node.getStart(source)) + left.slice(node.end), text);
  return [...strings, ...rest.matchAll(/(?:^[^\S\n]*\/\/[^\n]*\n?)+|\/\/[^\n]*|\/\*[\s\S]*?\*\//gm)].map(String);
}

function isLiteral(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isRegularExpressionLiteral(node);
}

/** `isNobody` as "is Nobody": a word of a name is a word. */
function exportedIn(text: string): readonly string[] {
  const declared = text.matchAll(/^export (?:async )?(?:const|let|function\*?|interface|type|class) (\w+)/gm);
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gm)].flatMap(([, list]) => list!.match(/\w+/g) ?? []);
  return [...[...declared].map(([, name]) => name!), ...lists].map((name) => name.replace(/([a-z])([A-Z])/g, "$1 $2"));
}
