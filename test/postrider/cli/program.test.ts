import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { run } from "../test-host.js";

const COMMANDS = ["serve", "check", "listen", "send", "replay", "demo"];

describe("the command line", () => {
  it("lists every command in its help", async () => {
    const { code, out, err } = await run(["--help"]);
    expect({ code, err }).toEqual({ code: 0, err: [] });
    for (const command of COMMANDS) expect(out.join("\n")).toContain(`\n  ${command} `);
  });

  it.each(COMMANDS)("shows examples in the help of %s", async (command) => {
    const { code, out } = await run([command, "--help"]);
    expect(code).toBe(0);
    expect(out.join("\n")).toMatch(/Examples?:\n {2}\$ /);
  });

  it.each([[["help"]], [["help", "help"]], [["help", "send"]], [["audience", "help", "sync"]]])(
    "shows the help that %j asks for",
    async (words) => {
      const { code, out, err } = await run(words);
      expect({ code, err }).toEqual({ code: 0, err: [] });
      const command = words.filter((word) => word !== "help").map((word) => `${word} `);
      expect(out[0]).toMatch(new RegExp(`^Usage: postrider ${command.join("")}\\[options\\]`));
    },
  );

  it.each([
    [["help", "nope"], ["error: unknown command 'nope'"]],
    [
      ["help", "lane"],
      ["error: unknown command 'lane'", "(Did you mean lanes?)"],
    ],
    [["audience", "help", "nope"], ["error: unknown command 'nope'"]],
  ])("has status 2 for %j, which asks for the help of no command", async (words, says) => {
    expect(await run(words)).toEqual({ code: 2, out: [], err: says });
  });

  it("takes help for an argument of a command that has no further commands", async () => {
    const { code, err } = await run(["check", "help", "nope"]);
    expect({ code, err }).toEqual({ code: 2, err: [expect.stringContaining("got 2")] });
  });

  it("prints its version", async () => {
    const { version } = JSON.parse(readFileSync("packages/postrider/package.json", "utf8"));
    for (const option of ["--version", "-v"]) {
      expect(await run([option])).toEqual({ code: 0, out: [version], err: [] });
    }
  });

  it.each([
    ["an unknown command", ["fly"]],
    ["an unknown option", ["serve", "--fly"]],
    ["a missing option", ["replay", "1"]],
    ["a bad value", ["serve", "--config", "x", "--port", "many"]],
    ["a word too many", ["check", "--config", "x", "y"]],
  ])("has status 2 for %s, and reports it in one line", async (_, words) => {
    const { code, out, err } = await run(words);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err).toEqual([expect.stringMatching(/^error: /)]);
  });

  it.each([
    [["serve", "--confg", "x"], "--confg", "--config"],
    [["replay", "--tokn", "x"], "--tokn", "--token"],
    [["audience", "create", "--destnation", "crm"], "--destnation", "--destination"],
  ])("names an unknown option of %j before a missing one, and what was probably meant", async (words, given, meant) => {
    const { code, err } = await run(words);
    expect({ code, err }).toEqual({ code: 2, err: [`error: unknown option '${given}'`, `(Did you mean ${meant}?)`] });
  });

  it("shows its help, with status 2, if no command is given", async () => {
    const { code, out, err } = await run([]);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    expect(err[0]).toMatch(/^Usage: postrider /);
  });
});
