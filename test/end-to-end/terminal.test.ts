// The program on a terminal: `script` of util-linux gives it one. Where there is no `script`, these tests are skipped.

import { spawnSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { describe, expect, it, onTestFinished } from "vitest";
import { PROGRAM } from "./server-process.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";

const hasTerminals = spawnSync("script", ["--version"]).status === 0;
const UNREACHABLE = "'doctor' '--url' 'http://127.0.0.1:9'";
const COLOUR = "\u001b[31m";

/** What the program writes to a terminal of 80 columns. */
function onTerminal(words: string, env: Readonly<Record<string, string>> = {}): string {
  const command = `stty cols 80; '${process.execPath}' '${PROGRAM}' ${words}`;
  return spawnSync("script", ["-qec", command, "/dev/null"], { env: { ...PLAIN, ...env }, encoding: "utf8" }).stdout;
}

function inPipe(words: readonly string[], env: Readonly<Record<string, string>> = {}): string {
  const { stdout, stderr } = spawnSync(process.execPath, [PROGRAM, ...words], {
    env: { ...PLAIN, ...env },
    encoding: "utf8",
  });
  return stdout + stderr;
}

const PLAIN = { PATH: process.env["PATH"] ?? "", TERM: "xterm" };

describe.skipIf(!hasTerminals)("the program on a terminal", () => {
  it("colours what it found and the word error", () => {
    expect(onTerminal(UNREACHABLE)).toContain(`${COLOUR}bad \u001b[0m`);
    expect(onTerminal("'fly'")).toContain(`${COLOUR}error:\u001b[0m unknown command`);
  });

  it("has no colours if NO_COLOR is set", () => {
    expect(onTerminal(UNREACHABLE, { NO_COLOR: "1" })).toMatch(/^bad {2}no answer/);
  });
});

describe.skipIf(!hasTerminals)("init on a terminal", () => {
  it("takes lines that were typed ahead, each as the answer to a question", () => {
    const folder = mkdtempSync(join(tmpdir(), "postrider-terminal-"));
    onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
    const command = `'${process.execPath}' '${resolve(PROGRAM)}' init`;
    const options = { env: PLAIN, cwd: folder, input: "\ncrm\nshop\n8099\n", timeout: CONDITION_WATCHDOG_MS };
    expect(spawnSync("script", ["-qec", command, "/dev/null"], options).status).toBe(0);
    expect(JSON.parse(readFileSync(join(folder, "postrider.json"), "utf8"))).toMatchObject({
      listen: { port: 8099 },
      sources: [{ id: "shop" }],
      destinations: [{ id: "crm" }],
    });
  });
});

describe("the program in a pipe", () => {
  const words = ["doctor", "--url", "http://127.0.0.1:9"];

  it("has no colours, unless FORCE_COLOR is set", () => {
    expect(inPipe(words)).toMatch(/^bad {2}no answer/);
    expect(inPipe(words, { FORCE_COLOR: "1" })).toContain(COLOUR);
  });
});
