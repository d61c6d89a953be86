// The check of licences: what it reads, and what it refuses, in a planted workspace and in this one.

import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { isPermissive, statedLicence } from "./licence-expression.js";
import { checkLicences, EXCEPTIONS } from "./licences.js";
import { PACKAGES, ROOT, thirdParties } from "./packages.js";
import { expectNone } from "./violations.js";

const OURS = { name: "@postrider/core", version: "1.0.0", license: "MIT" };

describe("a licence", () => {
  it.each(["MIT", "(MIT OR GPL-3.0-only)", "Apache-2.0 AND MIT", "GPL-2.0-only OR (MIT AND ISC)", "((0BSD))"])(
    "%s is permissive",
    (expression) => {
      expect(isPermissive(expression)).toBe(true);
    },
  );

  it.each([
    "GPL-3.0-only",
    "LGPL-2.1-or-later",
    "AGPL-3.0-only",
    "MPL-2.0",
    "MIT AND GPL-3.0-only",
    "(MIT AND GPL-2.0-only) OR SSPL-1.0",
    "SEE LICENSE IN LICENSE.txt",
    "UNLICENSED",
    "Apache-2.0 WITH LLVM-exception",
    "MIT OR",
    "(MIT",
    "MIT)",
    "MIT ISC",
    "",
    `${"(".repeat(300)}MIT`,
  ])("%s is not, or is not known to be", (expression) => {
    expect(isPermissive(expression)).toBe(false);
  });

  it("is read from older manifests, too", () => {
    expect(statedLicence({ license: { type: "ISC" } })).toBe("ISC");
    expect(statedLicence({ licenses: [{ type: "GPL-2.0" }, { type: "MIT" }] })).toBe("GPL-2.0 OR MIT");
    expect(statedLicence({})).toBe("");
  });
});

describe("the licences of a production install", () => {
  let root: string;

  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), "postrider-licences-"));
  });

  afterEach(() => {
    rmSync(root, { recursive: true });
  });

  const plant = (folder: string, manifest: object): void => {
    const path = join(root, folder, "package.json");
    mkdirSync(dirname(path), { recursive: true });
    writeFileSync(path, JSON.stringify(manifest));
  };

  it.each(["dependencies", "optionalDependencies", "peerDependencies"])("are refused under GPL among %s", (list) => {
    plant("packages/core", { ...OURS, [list]: { bridge: "1.0.0" } });
    plant("node_modules/bridge", { name: "bridge", version: "1.0.0", license: "MIT", dependencies: { viral: "2" } });
    plant("node_modules/viral", { name: "viral", version: "2.0.0", license: "GPL-3.0-only" });
    expect(checkLicences(root).problems).toEqual([
      "viral@2.0.0, needed by bridge, is under GPL-3.0-only, which is not on the list of permissive ones",
    ]);
  });

  it("are not those of devDependencies", () => {
    plant("packages/core", { ...OURS, devDependencies: { viral: "2" } });
    plant("node_modules/viral", { name: "viral", version: "2.0.0", license: "GPL-3.0-only" });
    expect(checkLicences(root)).toEqual({ read: ["@postrider/core@1.0.0 MIT"], problems: [] });
  });

  it("are read where Node finds the package: in the nearest node_modules", () => {
    plant("packages/core", { ...OURS, dependencies: { twice: "1" } });
    plant("packages/core/node_modules/twice", { name: "twice", version: "1.0.0" });
    plant("node_modules/twice", { name: "twice", version: "2.0.0", license: "MIT" });
    expect(checkLicences(root).problems).toEqual(["twice@1.0.0, needed by @postrider/core, states no licence"]);
  });

  it("are unknown where a package is not installed", () => {
    plant("packages/core", { ...OURS, optionalDependencies: { elsewhere: "1" } });
    expect(checkLicences(root).problems).toEqual([
      "elsewhere, needed by @postrider/core, is not installed here, so its licence is unknown",
    ]);
  });

  it("have exceptions by name, for the licence that was read", () => {
    plant("packages/core", { ...OURS, dependencies: { viral: "2" } });
    plant("node_modules/viral", { name: "viral", version: "2.0.0", license: "MPL-2.0" });
    const exception = { name: "viral", licence: "MPL-2.0", reason: "only its file is under it" };
    expect(checkLicences(root, [exception]).problems).toEqual([]);
    expect(checkLicences(root, [{ ...exception, licence: "MPL-1.1" }]).problems).toHaveLength(1);
  });

  it("of this repository are permissive, all of them read", () => {
    const { read, problems } = checkLicences(ROOT);
    const names = [...PACKAGES.map(({ manifest }) => manifest.name), ...thirdParties()];
    const unread = names.filter((name) => !read.some((line) => line.startsWith(`${name}@`)));
    const vague = EXCEPTIONS.filter(({ reason }) => reason.length <= 20);
    expectNone([
      ...problems.map(
        (problem) => `${problem}: depend on another package, or add it to EXCEPTIONS in test/house/licences.js`,
      ),
      ...unread.map((name) => `${name}: its licence was not read: run npm ci`),
      ...vague.map(({ name }) => `test/house/licences.js: write for ${name} a reason of more than 20 characters`),
    ]);
  });
});
