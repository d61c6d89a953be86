// One name, one meaning: a name that a package exports from any of its files has no other meaning in another package. A
// re-export by `export … from` is the same declaration.

import { basename } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder, PACKAGES, read } from "./packages.js";

/** Packages that still share a name with another. A package without one must leave the list. */
const NOT_YET: readonly string[] = [];

/** Packages that implement or model a port: their functions for a member of the port have the name of that member. */
const ADAPTERS = ["memory", "sqlite", "postgres", "thread", "fetch", "undici", "system", "testkit"];

const portMembers = new Set(filesUnder("packages/core/src/ports", ".ts").flatMap((path) => membersIn(read(path))));

/** The packages that declare each exported name. */
const owners = new Map<string, ReadonlySet<string>>();
for (const { folder } of PACKAGES) {
  const sources = filesUnder(`packages/${folder}/src`, ".ts").filter((path) => !basename(path).endsWith(".d.ts"));
  for (const name of sources.flatMap((path) => declaredIn(read(path)))) {
    owners.set(name, new Set([...(owners.get(name) ?? []), folder]));
  }
}

describe("an exported name", () => {
  it.each(PACKAGES)("of $folder is that of no other package", ({ folder }) => {
    const shared = [...owners].filter(([name, folders]) => folders.has(folder) && isHomonym(name, folders));
    const lines = shared.map(([name, folders]) => `${name}: ${[...folders].join(", ")}`);
    if (NOT_YET.includes(folder)) expect(lines, "take it off NOT_YET").not.toEqual([]);
    else expect(lines).toEqual([]);
  });

  it("is looked for in packages that exist", () => {
    expect(NOT_YET.filter((folder) => !PACKAGES.some((one) => one.folder === folder))).toEqual([]);
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
    expect(declaredIn(text)).toEqual(["a", "b", "c", "D", "E", "F", "g", "i"]);
  });

  it.each([
    ["a function for a port's member in two adapters", "claim", ["memory", "testkit"], false],
    ["such a function in an adapter and elsewhere", "claim", ["memory", "relay"], true],
    ["any other name in two adapters", "Line", ["thread", "undici"], true],
    ["a name in one package", "Line", ["thread"], false],
  ])("is a homonym or not: %s", (_what, name, folders, expected) => {
    expect(isHomonym(name, new Set(folders))).toBe(expected);
  });
});

function isHomonym(name: string, folders: ReadonlySet<string>): boolean {
  if (folders.size < 2) return false;
  return !portMembers.has(name) || [...folders].some((folder) => !ADAPTERS.includes(folder));
}

/** Methods and fields of the ports: `commit`, `claim`, and `settle` of what a commit holds. */
function membersIn(text: string): readonly string[] {
  return [...text.matchAll(/^ {2}(?:readonly )?([a-z]\w*)\??[(:]/gm)].map(([, name]) => name!);
}

function declaredIn(text: string): readonly string[] {
  const keywords = "(?:declare )?(?:abstract )?(?:async )?(?:const|let|function\\*?|interface|type|class|enum)";
  const declared = [...text.matchAll(new RegExp(`^export ${keywords} (\\w+)`, "gm"))].map(([, name]) => name!);
  const listed = [...text.matchAll(/^export (?:type )?\{([^}]*)\};/gm)].flatMap(([, list]) => list!.split(","));
  return [...declared, ...listed.map((entry) => /(\w+)\s*$/.exec(entry)?.[1]).filter((name) => name !== undefined)];
}
