// The top level of the repository has the packages, their tests, the documents, and the files that tools look for only
// there. Any other file needs a line here with its reason.

import { it } from "vitest";
import { trackedFiles } from "./packages.js";
import { expectNone } from "./violations.js";

const CONTENTS = ["README.md", "docs", "package.json", "packages", "test", "tsconfig.json"];

/** Each file with the tool that reads it, and the reason why it cannot be elsewhere. */
const FOR_TOOLS: Readonly<Record<string, string>> = {
  ".ci": "continuous integration: starts the script that it finds there, from a clean clone",
  ".dependency-cruiser.cjs": "dependency-cruiser: paths in its rules start at the folder of its config",
  ".gitignore": "git: holds for the folder that it is in, and for those below",
  ".npmrc": "npm: reads the one beside package.json",
  ".prettierignore": "prettier: reads it in the folder where it is run",
  ".prettierrc.json": "prettier: editors and the command find it upwards from each file",
  LICENSE: "npm, and pages that show a repository: look for it beside package.json and README.md",
  "eslint.config.js": "eslint: finds it upwards from each file, and its patterns start there",
  "package-lock.json": "npm: reads the one beside package.json",
  "vitest.config.ts": "vitest: looks for it in the folder where it is run",
};

const SELF = "test/house/top-level.test.ts";
const listed = [...CONTENTS, ...Object.keys(FOR_TOOLS)];

it("has packages, tests and documents at its top level, and files that tools need there", () => {
  const top = [...new Set(trackedFiles().map((path) => path.split("/")[0]!))];
  expectNone([
    ...top
      .filter((name) => !listed.includes(name))
      .map(
        (name) => `${name}: move it into a folder, or add it to FOR_TOOLS in ${SELF} with the tool that needs it here`,
      ),
    ...listed.filter((name) => !top.includes(name)).map((name) => `${SELF}: remove ${name}, which does not exist`),
  ]);
});

it("has for each tool's file the tool that reads it, and the reason for its place", () => {
  const others = Object.entries(FOR_TOOLS).filter(([, reason]) => !/^[a-z][\w ,-]*: .{20,}$/.test(reason));
  expectNone(
    others.map(([file]) => `${SELF}: write "TOOL: the reason" for ${file}, the reason with 20 characters or more`),
  );
});
