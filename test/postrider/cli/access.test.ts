import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { TOKEN, WRITE_KEY } from "../../canary.js";
import { configJson, tempFolder } from "../config-file.js";
import { serverOf } from "../server.js";
import { run } from "../test-host.js";

/** Every command that shows a token, with the words that it needs. */
const TOKEN_COMMANDS: readonly (readonly string[])[] = [
  ["replay", "--destination", "crm"],
  ["audience", "list"],
  ["audience", "create", "Big Spenders", "--destination", "crm"],
  ["audience", "sync", "big_spenders", "-"],
  ["delete-user", "u1"],
  ["suppress", "u1"],
  ["unsuppress", "u1"],
];
const REPLAY = ["replay", "--destination", "crm"];
const DONE = { code: 0, out: ["replayed 0"], err: [] };

async function serverUrl(): Promise<string> {
  return (await serverOf(configJson({ apiToken: TOKEN }))).server.url;
}

function tokenFile(text: string, mode = 0o600): string {
  const file = join(tempFolder(), "api.secret");
  writeFileSync(file, text);
  chmodSync(file, mode);
  return file;
}

describe("the server and the token of a command", () => {
  it.each(TOKEN_COMMANDS)("come from the environment if they are not named, for %s %s", async (...words) => {
    const env = { POSTRIDER_URL: await serverUrl(), POSTRIDER_TOKEN: TOKEN };
    const { err } = await run(words, env);
    expect(err.filter((line) => /error:|401|403/.test(line))).toEqual([]);
  });

  it.each([...TOKEN_COMMANDS, ["doctor"], ["send", "track"]])("are named in the help of %s %s", async (...words) => {
    const isNested = words[0] === "audience";
    const { out } = await run([...words.slice(0, isNested ? 2 : 1), "--help"], { POSTRIDER_TOKEN: TOKEN });
    const help = out.join(" ").replace(/\s+/g, " ");
    expect(help).toContain("POSTRIDER_URL");
    expect(help).toContain(words[0] === "send" ? "POSTRIDER_WRITE_KEY" : "POSTRIDER_TOKEN");
    expect(help).not.toContain(TOKEN);
  });

  it.each(TOKEN_COMMANDS)("are asked for, the server first, if %s %s finds none", async (...words) => {
    expect(await run(words, { POSTRIDER_URL: "" })).toMatchObject({
      code: 2,
      err: ["error: no server is given: use --url, or set POSTRIDER_URL"],
    });
    expect(await run(words, { POSTRIDER_URL: "http://127.0.0.1:9", POSTRIDER_TOKEN: "" })).toMatchObject({
      code: 2,
      err: ["error: no token is given: use --token-file or --token, or set POSTRIDER_TOKEN"],
    });
  });

  it("come from the option before the file, and from the file before the environment", async () => {
    const url = await serverUrl();
    const right = tokenFile(`${TOKEN}\nmore\n`);
    const wrong = tokenFile("wrong\n");
    const dead = "http://127.0.0.1:9";
    expect(
      await run([...REPLAY, "--url", url, "--token", TOKEN, "--token-file", wrong], { POSTRIDER_URL: dead }),
    ).toEqual(DONE);
    expect(await run([...REPLAY, "--token-file", right], { POSTRIDER_URL: url, POSTRIDER_TOKEN: "wrong" })).toEqual(
      DONE,
    );
    expect((await run([...REPLAY, "--token-file", wrong], { POSTRIDER_URL: url, POSTRIDER_TOKEN: TOKEN })).code).toBe(
      1,
    );
  });

  it.each([
    [
      "of the environment that is no URL",
      { POSTRIDER_URL: "127.0.0.1:8080" },
      [],
      "the variable POSTRIDER_URL is wrong. Expected a URL such as http://127.0.0.1:8080.",
    ],
    [
      "in a file that does not exist",
      {},
      ["--token-file", "/nowhere/token"],
      "the token file /nowhere/token: expected a file that exists",
    ],
  ])("are refused %s", async (_, env, words, expected) => {
    const server = "POSTRIDER_URL" in env ? [] : ["--url", "http://127.0.0.1:9"];
    expect(await run([...REPLAY, ...server, ...words], env)).toEqual({ code: 2, out: [], err: [`error: ${expected}`] });
  });

  it.each([
    ["is empty", ""],
    ["begins with an empty line", `\n${TOKEN}`],
    ["begins with blanks", "  \r\n"],
  ])("are refused in a file that %s", async (_, text) => {
    const { code, err } = await run([...REPLAY, "--url", "http://127.0.0.1:9", "--token-file", tokenFile(text)]);
    expect({ code, err }).toEqual({
      code: 2,
      err: [expect.stringMatching(/^error: the token file \S+ has an empty first line/)],
    });
  });

  it("are refused in a folder", async () => {
    const folder = join(tempFolder(), "token");
    mkdirSync(folder);
    expect((await run([...REPLAY, "--url", "http://127.0.0.1:9", "--token-file", folder])).code).toBe(2);
  });

  it("cause a warning on a terminal if every user can read the file", async () => {
    const file = tokenFile(TOKEN, 0o644);
    expect(await run([...REPLAY, "--url", await serverUrl(), "--token-file", file])).toMatchObject({
      code: 0,
      err: [`warning: every user of this machine can read ${file}; chmod 600 ${file} ends that`],
    });
  });
});

describe("postrider doctor and send without options", () => {
  it("use the variables", async () => {
    const env = { POSTRIDER_URL: await serverUrl(), POSTRIDER_TOKEN: TOKEN, POSTRIDER_WRITE_KEY: WRITE_KEY };
    expect((await run(["send", "track", "--user", "u1", "--event", "Signed Up"], env)).code).toBe(0);
    expect(await run(["doctor"], env)).toMatchObject({ out: expect.arrayContaining(["ok   the write key is known"]) });
    expect((await run(["send", "track", "--write-key", "wrong"], env)).code).toBe(1);
  });

  it("ask for the write key that send needs", async () => {
    expect(await run(["send", "track", "--url", "http://127.0.0.1:9"])).toMatchObject({
      code: 2,
      err: ["error: no write key is given: use --write-key, or set POSTRIDER_WRITE_KEY"],
    });
  });
});

describe("an option that is given an empty text", () => {
  it.each([
    ["--token", ["deliveries", "--url", "http://127.0.0.1:3"]],
    ["--write-key", ["send", "track", "--url", "http://127.0.0.1:3"]],
  ])("is refused: %s", async (option, words) => {
    const { code, err } = await run([...words, option, ""], { POSTRIDER_TOKEN: "t", POSTRIDER_WRITE_KEY: "wk" });
    expect({ code, err }).toEqual({ code: 2, err: [expect.stringContaining("Expected a text that is not empty")] });
  });
});
