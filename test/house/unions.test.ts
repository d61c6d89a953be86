// docs/errors.md: an answer that is either a success or a refusal has the kinds `ok` and `refused`. A union of two kinds
// that are alternatives instead is listed here, so that a new word for a success is noticed (decision: one success word).

import ts from "typescript";
import { describe, expect, it } from "vitest";
import { PACKAGES, read, sourcesOf } from "./packages.js";
import { expectNone } from "./violations.js";

const ANSWER = "ok | refused";
const SELF = "test/house/unions.test.ts";

/** Pairs of kinds in alphabetical order, of which neither is the success of the other. A pair without a union must leave. */
const ALTERNATIVES: readonly string[] = [
  "answer | fault", // between the thread of a store and the relay
  "answered | silent", // what became of a request
  "answered | unreachable",
  "attempt | settle", // the next step of a delivery
  "calls | large", // what a slice consists of
  "collecting | sending", // the phase of a sync
  "due | expired", // the next round
  "healthy | unhealthy",
  "invalid | valid", // a signature, as receivers read it
  "json | streamed", // the body that a route reads
  "send | settle", // the next step of a claimed delivery, with its destination
];

/** Words for a refusal that no union has, however many kinds there are. */
const OTHER_REFUSALS = ["bad", "broken", "failure", "rejected", "unusable", "wrong"];

interface Union {
  readonly place: string;
  readonly kinds: readonly string[];
}

const unions = PACKAGES.flatMap(({ folder }) => unionsIn(sourcesOf(folder).map((path) => [path, read(path)])));

describe("a union with a kind", () => {
  it("of two kinds is an answer, `ok` or `refused`, or has two alternatives", () => {
    const others = unions.filter((union) => !isKnownPair(union));
    expectNone(others.map(todo(`answer "${ANSWER}", or add the pair to ALTERNATIVES in ${SELF}`)));
  });

  it("with `ok` has no further kind but `refused`", () => {
    const others = unions.filter((union) => !isPlainAnswer(union));
    expectNone(others.map(todo(`answer "${ANSWER}", with the reason as a field of the refusal`)));
  });

  it("has no other word for a refusal", () => {
    const others = unions.filter(({ kinds }) => kinds.some((kind) => OTHER_REFUSALS.includes(kind)));
    expectNone(others.map(todo("call the refusal `refused`")));
  });

  it("exists for each listed pair of alternatives", () => {
    const pairs = new Set(unions.map(({ kinds }) => kinds.join(" | ")));
    const unused = ALTERNATIVES.filter((pair) => !pairs.has(pair));
    expectNone(unused.map((pair) => `${SELF}: remove "${pair}", which no union has`));
  });

  it.each([
    ["written in place", 'export type A = { kind: "ok" } | { kind: "bad"; x: 1 };', ["bad | ok"]],
    [
      "of names",
      'interface A { readonly kind: "read" }\ntype B = { kind: "refused" };\ntype C = A | B;',
      ["read | refused"],
    ],
    ["inside another type", 'type A = Promise<{ kind: "a" } | { kind: "b" }>;', ["a | b"]],
    [
      "that contains a union",
      'type A = { kind: "a" } | { kind: "b" };\ntype B = A | { kind: "c" };',
      ["a | b", "a | b | c"],
    ],
    ["joined with other fields", 'type A = ({ kind: "a" } & { x: 1 }) | { kind: "b" };', ["a | b"]],
    [
      "of one kind with two reasons",
      'type A = { kind: "ok" } | { kind: "refused"; a: 1 } | { kind: "refused" };',
      [ANSWER],
    ],
    ["of texts", 'type A = "a" | "b";\ninterface B { kind: "a" | "b" }', []],
  ])("is found if it is %s", (_what, text, expected) => {
    expect(unionsIn([["a.ts", text]]).map(({ kinds }) => kinds.join(" | "))).toEqual(expected);
  });
});

function isKnownPair({ kinds }: Union): boolean {
  return kinds.length !== 2 || [ANSWER, ...ALTERNATIVES].includes(kinds.join(" | "));
}

function isPlainAnswer({ kinds }: Union): boolean {
  return !kinds.includes("ok") || kinds.join(" | ") === ANSWER;
}

function todo(what: string): (union: Union) => string {
  return ({ place, kinds }) => `${place}: instead of "${kinds.join(" | ")}" ${what}`;
}

type Source = readonly [path: string, text: string];

/** The unions of several kinds in the files of one package. */
function unionsIn(sources: readonly Source[]): readonly Union[] {
  const files = sources.map(([path, text]) => ts.createSourceFile(path, text, ts.ScriptTarget.Latest));
  const declared = new Map<string, ts.Node>();
  for (const file of files) {
    for (const statement of file.statements) {
      if (ts.isInterfaceDeclaration(statement)) declared.set(statement.name.text, statement);
      if (ts.isTypeAliasDeclaration(statement)) declared.set(statement.name.text, statement.type);
    }
  }
  return files.flatMap((file) =>
    unionNodesOf(file).flatMap((node) => {
      const kinds = [...new Set(kindsOf(node, declared))].sort();
      const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
      return kinds.length < 2 ? [] : [{ place: `${file.fileName}:${String(line + 1)}`, kinds }];
    }),
  );
}

function unionNodesOf(node: ts.Node): readonly ts.UnionTypeNode[] {
  if (ts.isUnionTypeNode(node)) return [node];
  const found: ts.UnionTypeNode[] = [];
  ts.forEachChild(node, (child) => void found.push(...unionNodesOf(child)));
  return found;
}

/** The kinds of a type; none if it is no object with a kind, or a union with such a member. */
function kindsOf(node: ts.Node, declared: ReadonlyMap<string, ts.Node>): readonly string[] {
  if (ts.isParenthesizedTypeNode(node)) return kindsOf(node.type, declared);
  if (ts.isIntersectionTypeNode(node)) return node.types.flatMap((type) => kindsOf(type, declared));
  if (ts.isTypeLiteralNode(node) || ts.isInterfaceDeclaration(node)) return node.members.flatMap(literalsOf);
  if (ts.isUnionTypeNode(node)) {
    const each = node.types.map((type) => kindsOf(type, declared));
    return each.some((kinds) => kinds.length === 0) ? [] : each.flat();
  }
  if (!ts.isTypeReferenceNode(node) || !ts.isIdentifier(node.typeName)) return [];
  const named = declared.get(node.typeName.text);
  return named === undefined ? [] : kindsOf(named, declared);
}

/** The texts of a member `kind`. */
function literalsOf(member: ts.TypeElement): readonly string[] {
  if (!ts.isPropertySignature(member) || member.type === undefined) return [];
  if (!ts.isIdentifier(member.name) || member.name.text !== "kind") return [];
  const types = ts.isUnionTypeNode(member.type) ? member.type.types : [member.type];
  return types.flatMap((type) =>
    ts.isLiteralTypeNode(type) && ts.isStringLiteral(type.literal) ? [type.literal.text] : [],
  );
}
