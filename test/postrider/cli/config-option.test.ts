import { mkdirSync } from "node:fs";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { TOKEN } from "../../canary.js";
import { configJson, tempFolder, writeConfig } from "../config-file.js";
import { run, start } from "../test-host.js";

/** Makes a folder the working directory, until the test ends. */
function enter(folder: string): void {
  const before = process.cwd();
  process.chdir(folder);
  onTestFinished(() => process.chdir(before));
}

describe("the config file of a command", () => {
  it("is ./postrider.json if none is named", async () => {
    const folder = tempFolder();
    writeConfig(configJson({ apiToken: TOKEN }), folder);
    enter(folder);
    expect(await run(["check"])).toEqual({ code: 0, out: ["./postrider.json is good"], err: [] });
    const { host, ended } = await start(["serve"]);
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
  });

  it.each(["check", "serve"])("is asked for by %s if there is none, with the path that was tried", async (command) => {
    const folder = join(tempFolder(), "empty");
    mkdirSync(folder);
    enter(folder);
    expect(await run([command])).toEqual({
      code: 2,
      out: [],
      err: [
        `error: there is no config file ${resolve("postrider.json")}: run postrider init to write one, or name one with --config`,
      ],
    });
  });
});
