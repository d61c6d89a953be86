// Documents name files and commands in their sentences. Each of these must exist, so that a moved file or a renamed script
// is found here. Code blocks and links are checked in docs.test.ts.

import { existsSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { DOCUMENTS } from "./markdown.js";
import { read, ROOT, trackedFiles } from "./packages.js";
import { blank, placeAt } from "./places.js";
import { expectNone } from "./violations.js";

/** It describes the past, so it may name files that no longer exist. */
const HISTORY = "docs/changelog.md";

interface Mention {
  readonly place: string;
  readonly code: string;
}

const mentions = DOCUMENTS.filter((document) => document !== HISTORY).flatMap(mentionsIn);
const tracked = trackedFiles();
const { scripts } = JSON.parse(read("package.json")) as { readonly scripts: Readonly<Record<string, string>> };

describe("documents name only existing", () => {
  it("files", () => {
    const missing = mentions.filter(({ code }) => isPath(code) && isMissing(code));
    expectNone(missing.map(({ place, code }) => `${place}: name a file that exists instead of ${code}`));
  });

  it("commands", () => {
    const unknown = mentions.filter(({ code }) => isCommand(code) && isUnknown(code));
    expectNone(unknown.map(({ place, code }) => `${place}: name a command that exists instead of \`${code}\``));
  });

  it("and CONTRIBUTING.md names enough of both to be worth it", () => {
    const codes = mentionsIn("docs/CONTRIBUTING.md").map(({ code }) => code);
    expect(codes.filter(isPath).length).toBeGreaterThan(50);
    expect(codes.filter(isCommand).length).toBeGreaterThan(10);
  });
});

describe("a mention", () => {
  it.each(["packages/core/src/gone.ts", "test/no-such-folder", "packages/*/src/gone.ts"])("of %s is missed", (path) => {
    expect(isPath(path) && isMissing(path)).toBe(true);
  });

  it.each([
    "npm run gone",
    "npm run soak -- gone",
    "npm run bench -- gone",
    "npx vitest run test/gone",
    "npx vitest run --project gone",
    "npx gone",
    "node test/gone.js",
  ])("of `%s` is missed", (command) => {
    expect(isCommand(command) && isUnknown(command)).toBe(true);
  });
});

/** The texts between backticks, without code blocks; such a text may contain a line break. */
function mentionsIn(document: string): readonly Mention[] {
  const prose = read(document).replace(/^```[\s\S]*?^```$/gm, blank);
  return [...prose.matchAll(/`([^`]+)`/g)].map(({ 1: code, index }) => ({
    place: placeAt(document, prose, index),
    code: code!.replace(/\s+/g, " "),
  }));
}

function isPath(code: string): boolean {
  return /^(packages|test|docs)\/[\w./*-]*[\w*/]$/.test(code) && !code.includes("NAME");
}

function isMissing(path: string): boolean {
  if (!path.includes("*")) return !existsSync(join(ROOT, path));
  const pattern = new RegExp(`^${path.replaceAll(".", "[.]").replaceAll("*", "[^/]+")}(/|$)`);
  return !tracked.some((file) => pattern.test(file));
}

function isCommand(code: string): boolean {
  return /^(npm|npx|node) [a-z]/.test(code);
}

/** Words in capitals are placeholders. */
function isUnknown(command: string): boolean {
  const [program, first = "", ...words] = command.split(" ");
  if (program === "node") return isMissing(first);
  if (program === "npx") return first === "vitest" ? isUnknownRun(words) : isMissingTool(first);
  if (first !== "run" && first !== "test" && first !== "start")
    return !["ci", "install", "install-scripts", "pack"].includes(first);
  const [script = "", , name] = first === "run" ? words : [first];
  if (name === undefined || name === "NAME" || name.startsWith("--")) return !(script in scripts);
  return !read(script === "soak" ? "test/soak/soaks.js" : `test/${script}/run.js`).includes(`\n  ${name}: `);
}

function isUnknownRun(words: readonly string[]): boolean {
  const projects = words.filter((_, index) => words[index - 1] === "--project");
  const paths = words.filter((word) => word.includes("/"));
  return paths.some(isMissing) || projects.some((name) => !read("vitest.config.ts").includes(`name: "${name}"`));
}

/** The program of this repository is a tool as well. */
function isMissingTool(name: string): boolean {
  return name !== "postrider" && !existsSync(join(ROOT, "node_modules/.bin", name));
}
