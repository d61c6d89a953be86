// Comments, documents, titles and exported names use plain technical English: a thing is named, or "it", and is not
// described as a person; an amount is named. The ban is a list of words, so that a test can check it.

import ts from "typescript";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "./markdown.js";
import { filesUnder, read } from "./packages.js";
import { blank, flow, placeAt } from "./places.js";
import { expectNone } from "./violations.js";

/** Each with its replacement. */
const BANNED: readonly (readonly [words: RegExp, instead: string])[] = [
  [/\bwho(?:m|so|mso)?ever\b/i, "the caller, the process that …, any receiver that …"],
  [/\b(?:no|some|any|every)body\b/i, "no process, an operator, any caller, all receivers"],
  [/\bno +one\b/i, "no caller, no process"],
  [/\bof +(?:its|their|our|one's) +own\b/i, "a separate …, its …"],
  [/\bone's +own\b/i, "the host's, the operator's"],
  [/\bof +(?:ours|theirs)\b/i, "of this repository, of Postrider, of the user"],
  [/\bso +(?:many|much|long)\b/i, "a number of …, at most `limit`, as long as"],
  [/\b(?:stand|stands|stood|standing) +in +line\b/i, "waits in a queue"],
  [/\b(?:shelf|shelves|stints?|watch(?:man|men)|bury|buried)\b/i, "erasable table, step, poller, mark as purged"],
];

/** This file has to name them. */
const SELF = "test/house/words.test.ts";

/** A text of a file that readers see, and where it begins. */
interface Passage {
  readonly text: string;
  readonly index: number;
}

const CONFIGS = [".dependency-cruiser.cjs", "eslint.config.js", "vitest.config.ts"];
const folders = ["packages", "test"];
const sources = [
  ...CONFIGS,
  ...folders.flatMap((folder) => [".ts", ".tsx", ".js"].flatMap((ending) => filesUnder(folder, ending))),
];

describe("plain words", () => {
  it("are used in sources", () => {
    expectNone(sources.filter((path) => path !== SELF).flatMap((path) => bannedIn(path, passagesOf)));
  });

  it("are used in documents", () => {
    expectNone(DOCUMENTS.flatMap((path) => bannedIn(path, (text) => [{ text, index: 0 }])));
  });

  it("are each defined once in the glossary", () => {
    const glossary = read("docs/glossary.md");
    const rows = [...glossary.matchAll(/^\| \*\*(.+?)\*\* /gm)];
    const defined = rows.flatMap(({ 1: words, index }) => words!.split(", ").map((word) => ({ word, index })));
    const again = defined.filter(({ word }, at) => defined.findIndex((one) => one.word === word) < at);
    expect(defined.length).toBeGreaterThan(80);
    expectNone(
      again.map(
        ({ word, index }) => `${placeAt("docs/glossary.md", glossary, index)}: join it with the other row of "${word}"`,
      ),
    );
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
    expect(isFound(text)).toBe(true);
  });

  it.each([
    ["data", 'const users = ["nobody"];'],
    ["a private name", "const nobody = 1;"],
    ["an address", 'const url = "https://somebody.example//so many";'.replace(" many", "-many")],
  ])("are not asked of %s", (_what, text) => {
    expect(isFound(text)).toBe(false);
  });
});

function isFound(text: string): boolean {
  return passagesOf(text).some((passage) => isBanned(passage.text));
}

/** The banned words of a file. Most files have none of the words anywhere; the others are parsed. */
function bannedIn(path: string, passagesIn: (text: string) => readonly Passage[]): readonly string[] {
  const text = read(path);
  if (!isBanned(text) && exportedIn(text).every((name) => !isBanned(name.text))) return [];
  return passagesIn(text).flatMap((passage) =>
    BANNED.flatMap(([words, instead]) => {
      const all = [...flow(passage.text).matchAll(new RegExp(words, "gi"))];
      return all.map(({ 0: word, index }) => {
        const place = placeAt(path, text, passage.index + index);
        return `${place}: instead of "${word.replace(/ +/g, " ")}" write: ${instead}`;
      });
    }),
  );
}

function isBanned(text: string): boolean {
  const flat = flow(text);
  return BANNED.some(([words]) => words.test(flat));
}

/** The comments of a source, its strings of several words (titles, messages, sentences), and its exported names. */
function passagesOf(text: string): readonly Passage[] {
  const source = ts.createSourceFile("a.tsx", text, ts.ScriptTarget.Latest, false);
  const strings: Passage[] = [];
  let rest = text;
  const collect = (node: ts.Node): void => {
    if (!isLiteral(node)) {
      ts.forEachChild(node, collect);
      return;
    }
    const index = node.getStart(source);
    const literal = text.slice(index, node.end);
    if (literal.includes(" ")) strings.push({ text: literal, index });
    rest = rest.slice(0, index) + blank(literal) + rest.slice(node.end);
  };
  collect(source);
  return [
    ...strings,
    ...matches(rest, /(?:^[^\S\n]*\/\/[^\n]*\n?)+|\/\/[^\n]*|\/\*[\s\S]*?\*\//gm),
    ...exportedIn(text),
  ];
}

function isLiteral(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) || ts.isTemplateExpression(node) || ts.isRegularExpressionLiteral(node);
}

/** `isNobody` as "is Nobody": a word of a name is a word. */
function exportedIn(text: string): readonly Passage[] {
  const declared = matches(text, /(?<=^export (?:async )?(?:const|let|function\*?|interface|type|class) )\w+/gm);
  const lists = matches(text, /(?<=^export (?:type )?\{)[^}]*/gm);
  const listed = lists.flatMap((list) =>
    matches(list.text, /\w+/g).map((name) => ({ ...name, index: name.index + list.index })),
  );
  return [...declared, ...listed].map(({ text: name, index }) => ({
    text: name.replace(/([a-z])([A-Z])/g, "$1 $2"),
    index,
  }));
}

function matches(text: string, pattern: RegExp): readonly Passage[] {
  return [...text.matchAll(pattern)].map(({ 0: found, index }) => ({ text: found, index }));
}
