// One name, one meaning: a name that a package exports from any of its files has no other meaning in another package, nor in a
// folder with a separate entry. A re-export by `export … from` is the same declaration.

import { describe, expect, it } from "vitest";
import { filesUnder, PACKAGES, read, sourcesOf, unitOf } from "./packages.js";
import { placeAt } from "./places.js";
import { expectNone } from "./violations.js";

/** Packages that implement or model a port: their functions for a member of the port have the name of that member. */
const ADAPTERS = ["memory", "sqlite", "postgres", "thread", "fetch", "undici", "system", "testkit"];

const portMembers = new Set(filesUnder("packages/core/src/ports", ".ts").flatMap((path) => membersIn(read(path))));

/** The places that declare each exported name, by their packages or such folders. */
const owners = new Map<string, Map<string, string>>();
for (const { folder } of PACKAGES) {
  for (const path of sourcesOf(folder)) noteNames(unitOf(path), path);
}

describe("an exported name", () => {
  it("of a package is that of no other package", () => {
    const shared = [...owners].filter(([name, places]) => isHomonym(name, [...places.keys()]));
    expectNone(
      shared.map(([name, places]) => {
        const [first, ...others] = places.values();
        return `${first!}: rename "${name}", or import it from one package; it is also declared in ${others.join(", ")}`;
      }),
    );
  });

  it("is found however it is declared, but not if it is re-exported", () => {
    const text = `export const a = 1;
export async function b() {}
export function* c() {}
export interface D {}
export type E = 1;
export abstract class F {}
export { g, h as i };
export { j } from "@postrider/core";
export type { K } from "./k.js";
`;
    expect(declaredIn(text).map(({ name }) => name)).toEqual(["a", "b", "c", "D", "E", "F", "g", "i"]);
  });

  it.each([
    ["a function for a port's member in two adapters", "claim", ["memory", "testkit"], false],
    ["such a function in an adapter and elsewhere", "claim", ["memory", "relay"], true],
    ["any other name in two adapters", "Line", ["thread", "undici"], true],
    ["a name in one package", "Line", ["thread"], false],
  ])("is a homonym or not: %s", (_what, name, folders, expected) => {
    expect(isHomonym(name, folders)).toBe(expected);
  });
});

function noteNames(folder: string, path: string): void {
  const text = read(path);
  for (const { name, index } of declaredIn(text)) {
    const places = owners.get(name) ?? new Map<string, string>();
    owners.set(name, places.set(folder, placeAt(path, text, index)));
  }
}

function isHomonym(name: string, folders: readonly string[]): boolean {
  if (folders.length < 2) return false;
  return !portMembers.has(name) || folders.some((folder) => !ADAPTERS.includes(folder));
}

/** Methods and fields of the ports: `commit`, `claim`, and `settle` of what a commit holds. */
function membersIn(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}(?:readonly )?([a-z]\w*)\??[(:]/gm)].map(([, name]) => name!);
}

interface Declared {
  readonly name: string;
  readonly index: number;
}

function declaredIn(text: string): readonly Declared[] {
  const keywords = "(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\\*?|interface|type|class|enum)";
  const declared = [...text.matchAll(new RegExp(`^export ${keywords} (\\w+)`, "gm"))];
  const lists = [...text.matchAll(/^export (?:type )?\{([^}]*)\};/gm)];
  return [
    ...declared.map(({ 1: name, index }) => ({ name: name!, index })),
    ...lists.flatMap(({ 1: list, index }) => namesIn(list!).map((name) => ({ name, index }))),
  ];
}

function namesIn(list: string): readonly string[] {
  return list.split(",").flatMap((entry) => /(\w+)\s*$/.exec(entry)?.[1] ?? []);
}
