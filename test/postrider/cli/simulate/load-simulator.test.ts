// The errors of `postrider simulate` if the simulator is missing or broken. Runs the built program in a new folder that has
// all other packages of Postrider.

import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

const SCENARIO = {
  start: "2026-01-31T09:58:00Z",
  load: { callsPerSecond: 0.2, until: "10:00" },
  destinations: [{ id: "crm", receivers: [{}] }],
};
const OURS = readdirSync("packages", { withFileTypes: true })
  .filter((entry) => entry.isDirectory() && entry.name !== "postrider")
  .map(({ name }) => name);

let folder: string;
let modules: string;

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "postrider-simulator-"));
  modules = join(folder, "node_modules");
  for (const part of ["package.json", "bin", "dist"]) {
    cpSync(join("packages/postrider", part), join(modules, "postrider", part), { recursive: true });
  }
  link("commander", dirname(createRequire(resolve("packages/postrider/package.json")).resolve("commander")));
  for (const name of OURS.filter((one) => one !== "simulator")) link(`@postrider/${name}`, `packages/${name}`);
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

describe("postrider simulate", () => {
  it("without the simulator names the command that installs it, with status 1 and nothing on standard output", () => {
    expect(simulate(SCENARIO)).toEqual({
      status: 1,
      stdout: "",
      stderr: `postrider: @postrider/simulator is not installed: run npm install @postrider/simulator@${version()}\n`,
    });
  });

  it("without the simulator still reports the problems of a scenario, with status 2", () => {
    const { status, stderr } = simulate({ ...SCENARIO, start: "noon" });
    expect({ status, first: stderr.split(":")[0] }).toEqual({ status: 2, first: "start" });
  });

  it("distinguishes a simulator that cannot be loaded from one that is missing, and reports the reason", () => {
    install("import 'not-there';");
    const { status, stderr } = simulate(SCENARIO);
    expect(status).toBe(1);
    expect(stderr).toMatch(/^postrider: @postrider\/simulator cannot be loaded \(.*not-there.*\): run npm install /);
    expect(stderr).not.toContain("not installed");
  });

  it("plays the scenario once the simulator is installed", () => {
    link("@postrider/simulator", "packages/simulator");
    expect(simulate(SCENARIO)).toMatchObject({ status: 0, stderr: "" });
  });
});

describe("the program without the simulator", () => {
  it.each(["--help", "--version", "simulate --help", "serve --help"])("answers postrider %s", (words) => {
    expect(run(words.split(" "))).toMatchObject({ status: 0, stderr: "" });
  });
});

function simulate(scenario: object) {
  const file = join(folder, "outage.json");
  writeFileSync(file, JSON.stringify(scenario));
  return run(["simulate", file]);
}

function run(words: readonly string[]) {
  const program = join(modules, "postrider/bin/postrider.js");
  const { status, stdout, stderr } = spawnSync(process.execPath, [program, ...words], { encoding: "utf8" });
  return { status, stdout, stderr };
}

function link(name: string, target: string): void {
  const path = join(modules, name);
  mkdirSync(dirname(path), { recursive: true });
  symlinkSync(resolve(target), path);
}

/** A simulator of one file. */
function install(code: string): void {
  const home = join(modules, "@postrider/simulator");
  mkdirSync(home, { recursive: true });
  const manifest = { name: "@postrider/simulator", version: "0.0.0", type: "module", exports: "./index.js" };
  writeFileSync(join(home, "package.json"), JSON.stringify(manifest));
  writeFileSync(join(home, "index.js"), code);
}

function version(): string {
  return (JSON.parse(readFileSync("packages/postrider/package.json", "utf8")) as { version: string }).version;
}
