// What the manifests say of a package to those who look for it, and the properties of an install: the version of Node, the
// registry, the native packages, and the installs of heavy test programs.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeAudit } from "./audit.js";
import { PACKAGES, read, ROOT } from "./packages.js";

interface Root {
  readonly version: string;
  readonly repository: { readonly type: string; readonly url: string };
  readonly engines: { readonly node: string };
  readonly scripts: Readonly<Record<string, string>>;
}

interface Manifest {
  readonly private?: boolean;
  readonly dependencies: Readonly<Record<string, string>>;
}

interface Findable {
  readonly keywords: readonly string[];
  readonly description: string;
}

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
}

const root = JSON.parse(read("package.json")) as Root;
const lock = read("package-lock.json");
const { packages } = JSON.parse(lock) as { readonly packages: Readonly<Record<string, Locked>> };

describe("the manifest", () => {
  const home = root.repository.url.replace(/^git\+|\.git$/g, "");

  it.each(PACKAGES)("of $folder says where it comes from, and is published for all", ({ folder }) => {
    expect(JSON.parse(read(`packages/${folder}/package.json`))).toMatchObject({
      version: root.version,
      homepage: `${home}/tree/main/packages/${folder}#readme`,
      bugs: { url: `${home}/issues` },
      license: "MIT",
      author: "The Postrider authors",
      repository: { ...root.repository, directory: `packages/${folder}` },
      publishConfig: { access: "public" },
    });
  });

  it.each(PACKAGES)("of $folder has words to find it by, each once", ({ folder }) => {
    const { keywords, description } = JSON.parse(read(`packages/${folder}/package.json`)) as Findable;
    expect(keywords.slice(0, 2)).toEqual(["webhooks", "segment"]);
    expect(keywords.length).toBeGreaterThan(2);
    expect(new Set(keywords).size).toBe(keywords.length);
    expect(keywords.filter((word) => !/^[a-z]+(-[a-z]+)*$/.test(word))).toEqual([]);
    expect(description).toMatch(/^[A-Z].{20,}\.$/);
  });

  it("of the workspace is never published, and has few scripts", () => {
    expect(root).toHaveProperty("private", true);
    expect(Object.keys(root.scripts).length).toBeLessThanOrEqual(13);
  });
});

describe("an install", () => {
  it("requires the same version of Node in every package, and the README names it", () => {
    for (const { folder } of PACKAGES) {
      expect(JSON.parse(read(`packages/${folder}/package.json`))).toMatchObject({ engines: root.engines });
    }
    expect(root.engines.node).toBe(">=20.20.2");
    expect(read("README.md")).toContain("Node 20.20.2 or later");
  });

  it("uses the configured registry, which the lock file does not name", () => {
    expect(lock).not.toMatch(/"resolved": "https?:/);
  });

  it("has one native package in production, the optional SQLite driver", () => {
    const native = Object.entries(packages).filter(
      ([, { dev, devOptional, os, hasInstallScript }]) =>
        dev !== true && devOptional !== true && (os !== undefined || hasInstallScript === true),
    );
    expect(native.map(([path]) => path)).toEqual(["node_modules/@photostructure/sqlite"]);
    expect(packages["node_modules/@photostructure/sqlite"]).toMatchObject({ optional: true });
  });
});

describe("the install of a test program", () => {
  const folders = readdirSync(join(ROOT, "test/programs"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `test/programs/${name}`);

  it.each(folders)("%s has exact versions, is never published, and names no registry", (folder) => {
    const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest;
    expect(manifest.private).toBe(true);
    for (const version of Object.values(manifest.dependencies)) expect(version).toMatch(/^(npm:\S+@)?\d+\.\d+\.\d+/);
    expect(read(`${folder}/package-lock.json`)).not.toMatch(/"resolved": "https?:/);
  });
});

describe("npm run audit", () => {
  it("is not part of another script, since its answer depends on the registry", () => {
    expect(root.scripts["audit"]).toBe("node test/house/audit.js");
    expect(root.scripts["test"]).not.toContain("audit");
  });

  it.each([
    ["a clean answer", 0, "found 0 vulnerabilities", "clean"],
    ["a hole", 1, "some-package  <1.2\nSeverity: high\nIt does not support ENOTFOUND E404", "bad"],
    ["a bad signature", 1, "1 package has an invalid registry signature", "bad"],
    ["no such endpoint", 1, "npm warn audit 405\nnpm error audit endpoint returned an error", "no-answer"],
    ["no way to the registry", 1, "npm error code ENOTFOUND", "no-answer"],
    ["npm itself missing", null, "", "bad"],
  ])("recognises %s", (_, status, output, verdict) => {
    expect(judgeAudit({ status, output })).toBe(verdict);
  });
});
