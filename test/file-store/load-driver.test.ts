// The choice of the driver that opens the file, and the error for the operator if there is none: shown on the built program,
// in a process that cannot resolve the optional package.

import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { chooseDriver, loadDriver } from "../../packages/sqlite/src/file-store/load-driver.js";
import { WRITE_KEY } from "../canary.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";

const PROGRAM = "packages/postrider/bin/postrider.js";
const FACE = new URL("../../packages/sqlite/dist/file-store/index.js", import.meta.url).href;
const NEEDED = chooseDriver(process.versions["sqlite"]) === "@photostructure/sqlite";

describe("the driver", () => {
  it.each([
    [undefined, "@photostructure/sqlite"], // Node 20
    ["3.50.4", "@photostructure/sqlite"],
    ["3.51.2", "@photostructure/sqlite"],
    ["3.51.3", "node:sqlite"],
    ["3.53.0", "node:sqlite"],
  ])("for a Node with SQLite %s is %s", (builtIn, driver) => {
    expect(chooseDriver(builtIn)).toBe(driver);
  });

  it("that the program brings, and that a host may bring, is the one that the advice names", () => {
    const [program, host] = ["postrider", "sqlite"].map(
      (name) => JSON.parse(readFileSync(`packages/${name}/package.json`, "utf8")) as Manifest,
    );
    const source = readFileSync("packages/sqlite/src/file-store/load-driver.ts", "utf8");
    const tested = program!.optionalDependencies?.["@photostructure/sqlite"];
    expect(source).toContain(`TESTED = "${String(tested)}"`);
    expect(host!.peerDependencies).toEqual({ "@photostructure/sqlite": `^${String(tested)}` });
    expect(host!.peerDependenciesMeta).toEqual({ "@photostructure/sqlite": { optional: true } });
    expect([program!.dependencies, host!.dependencies].map((one) => "@photostructure/sqlite" in one)).toEqual([
      false,
      false,
    ]);
  });

  it("is installed with a plain install on this Node", () => {
    expect(new (loadDriver().DatabaseSync)(":memory:").prepare("select 1 as one").get()).toEqual({ one: 1 });
  });

  it.runIf(NEEDED).each([
    ["is not installed", "MODULE_NOT_FOUND"],
    ["cannot be loaded", "ERR_DLOPEN_FAILED"],
  ])("that %s is named with the command that installs it, and no file is created", (what, code) => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-driver-"));
    const config = join(folder, "postrider.json");
    const file = join(folder, "calls.db");
    const sources = [{ id: "website", writeKey: WRITE_KEY }];
    const listen = { host: "127.0.0.1", port: 0 };
    writeFileSync(config, JSON.stringify({ listen, sources, destinations: [], store: `sqlite:${file}` }));
    const { status, stderr } = runWithout(folder, code, [PROGRAM, "serve", "--config", config]);
    expect(status).not.toBe(0);
    expect(stderr).toContain(`@photostructure/sqlite ${what}, and Node ${process.versions.node} has`);
    expect(stderr).toContain("run npm install @photostructure/sqlite@1.2.1, or use a Node with SQLite 3.51.3 or later");
    expect(existsSync(file)).toBe(false);
  });

  it("that is missing is not blamed on the version where this Node was started without its own", () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-driver-"));
    const host = `Object.defineProperty(process, "versions", { value: { ...process.versions, sqlite: "3.53.0" } });
      process.getBuiltinModule = () => undefined;
      const { openStores } = await import(${JSON.stringify(FACE)});
      await openStores("calls.db").catch(({ message }) => console.log(message));`;
    const { stdout } = runWithout(folder, "MODULE_NOT_FOUND", ["--input-type=module", "--eval", host]);
    expect(stdout).toContain(
      `Node ${process.versions.node} has SQLite 3.53.0, but not the module node:sqlite: ` +
        "run npm install @photostructure/sqlite@1.2.1, or use a Node built and started with node:sqlite\n",
    );
  });

  it.runIf(NEEDED)("that is missing has a separate code for a host", () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-driver-"));
    const host = `import { openStores } from ${JSON.stringify(FACE)};
      await openStores("calls.db").catch(({ code }) => console.log(code));`;
    const args = ["--input-type=module", "--eval", host];
    expect(runWithout(folder, "MODULE_NOT_FOUND", args)).toMatchObject({ status: 0, stdout: "driver-missing\n" });
  });
});

interface Manifest {
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
  readonly peerDependencies?: Readonly<Record<string, string>>;
  readonly peerDependenciesMeta?: Readonly<Record<string, object>>;
}

/** Node with these arguments: a process, and threads of it, whose loader has no such package. */
function runWithout(folder: string, code: string, args: readonly string[]) {
  const preload = join(folder, "without-driver.cjs");
  const refusal = `Object.assign(new Error("not here"), { code: ${JSON.stringify(code)} })`;
  writeFileSync(
    preload,
    `const Module = require("node:module");
     const resolve = Module._resolveFilename;
     Module._resolveFilename = function (name, ...rest) {
       if (name === "@photostructure/sqlite") throw ${refusal};
       return resolve.call(this, name, ...rest);
     };`,
  );
  const env = { ...process.env, NODE_OPTIONS: `--require ${preload}` };
  return spawnSync(process.execPath, args, {
    env,
    encoding: "utf8",
    timeout: CONDITION_WATCHDOG_MS,
  });
}
