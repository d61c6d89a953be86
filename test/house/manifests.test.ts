// What the manifests say of a package to those who look for it, and the properties of an install: the version of Node, the
// registry, the native packages, and the installs of heavy test programs.

import { readdirSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { judgeAudit } from "./audit.js";
import { PACKAGES, read, ROOT } from "./packages.js";
import { expectNone } from "./violations.js";

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
  readonly engines: { readonly node: string };
}

interface Locked {
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly hasInstallScript?: boolean;
  readonly os?: readonly string[];
}

const root = JSON.parse(read("package.json")) as Root;
const DRIVER = "node_modules/@photostructure/sqlite";
const { packages } = JSON.parse(read("package-lock.json")) as { readonly packages: Readonly<Record<string, Locked>> };

describe("the manifest", () => {
  const home = root.repository.url.replace(/^git\+|\.git$/g, "");

  it.each(PACKAGES)("of $folder says where it comes from, and is published for all", ({ folder }) => {
    const manifest = JSON.parse(read(`packages/${folder}/package.json`)) as Readonly<Record<string, unknown>>;
    const wanted = {
      version: root.version,
      homepage: `${home}/tree/main/packages/${folder}#readme`,
      bugs: { url: `${home}/issues` },
      license: "MIT",
      author: "The Postrider authors",
      repository: { ...root.repository, directory: `packages/${folder}` },
      publishConfig: { access: "public" },
    };
    const others = Object.entries(wanted).filter(
      ([key, value]) => JSON.stringify(manifest[key]) !== JSON.stringify(value),
    );
    expectNone(others.map(([key, value]) => `packages/${folder}/package.json, ${key}: write ${JSON.stringify(value)}`));
  });

  it.each(PACKAGES)("of $folder has words to find it by, each once", ({ folder }) => {
    const { keywords, description } = manifestOf(folder);
    const words = keywords.filter((word, at) => /^[a-z]+(-[a-z]+)*$/.test(word) && keywords.indexOf(word) === at);
    const isFindable = keywords.join().startsWith("webhooks,segment,") && words.length === keywords.length;
    expectNone(
      [
        ...(isFindable ? [] : ["keywords: begin with webhooks, segment, and add other words in kebab-case, each once"]),
        ...(/^[A-Z].{20,}\.$/.test(description) ? [] : ["description: write a sentence of more than 20 characters"]),
      ].map((todo) => `packages/${folder}/package.json, ${todo}`),
    );
  });

  it("of the workspace is never published, and has few scripts", () => {
    expect(root).toHaveProperty("private", true);
    expect(Object.keys(root.scripts).length).toBeLessThanOrEqual(13);
  });
});

describe("an install", () => {
  it("requires the same version of Node in every package, and the README names it", () => {
    const others = PACKAGES.filter(({ folder }) => manifestOf(folder).engines.node !== root.engines.node);
    expectNone(
      others.map(({ folder }) => `packages/${folder}/package.json, engines: write "node": "${root.engines.node}"`),
    );
    expect(root.engines.node).toBe(">=20.20.2");
    expect(read("README.md")).toContain("Node 20.20.2 or later");
  });

  it("uses the configured registry, which the lock file does not name", () => {
    expectNone(registriesIn("package-lock.json"));
  });

  it("has one native package in production, the optional SQLite driver", () => {
    const native = Object.entries(packages).filter(
      ([, { dev, devOptional, os, hasInstallScript }]) =>
        dev !== true && devOptional !== true && (os !== undefined || hasInstallScript === true),
    );
    const others = native.filter(([path, { optional }]) => path !== DRIVER || optional !== true);
    expectNone(others.map(([path]) => `package-lock.json: ${path} is native: depend on a package without native code`));
  });
});

describe("the install of a test program", () => {
  const folders = readdirSync(join(ROOT, "test/programs"), { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => `test/programs/${name}`);

  it.each(folders)("%s has exact versions, is never published, and names no registry", (folder) => {
    const manifest = JSON.parse(read(`${folder}/package.json`)) as Manifest;
    const ranges = Object.entries(manifest.dependencies).filter(
      ([, version]) => !/^(npm:\S+@)?\d+\.\d+\.\d+/.test(version),
    );
    expectNone([
      ...(manifest.private === true ? [] : [`${folder}/package.json: add "private": true`]),
      ...ranges.map(
        ([name, version]) => `${folder}/package.json: write an exact version of ${name} instead of ${version}`,
      ),
      ...registriesIn(`${folder}/package-lock.json`),
    ]);
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

function manifestOf(folder: string): Findable {
  return JSON.parse(read(`packages/${folder}/package.json`)) as Findable;
}

function registriesIn(lock: string): readonly string[] {
  const names = /"resolved": "https?:/.test(read(lock));
  return names ? [`${lock}: names a registry: run npm install --omit-lockfile-registry-resolved`] : [];
}
