import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../../packages/postrider/src/config/read-config.js";
import { runProgram } from "../../../../packages/postrider/src/cli/program.js";
import { tempFolder } from "../../config-file.js";
import { receiverOf } from "../../server.js";
import { createTestHost, run, start } from "../../test-host.js";

const NO_ENV = (): undefined => undefined;

async function made(...words: readonly string[]) {
  const folder = tempFolder();
  const file = join(folder, "postrider.json");
  const ran = await run(["init", "--out", file, ...words]);
  return { ...ran, folder, file };
}

/** Answers the questions of `init` with these lines, then ends the input. */
async function asked(...answers: readonly string[]) {
  return askedFor(join(tempFolder(), "postrider.json"), answers);
}

async function askedFor(file: string, answers: readonly string[], words: readonly string[] = []) {
  const questions: string[] = [];
  const left = [...answers];
  const ask = (question: string): Promise<string | undefined> => {
    questions.push(question);
    return Promise.resolve(left.shift());
  };
  const host = { ...createTestHost(), ask };
  const code = await runProgram(host, ["init", "--out", file, ...words]);
  return { code, questions, err: host.lines.err, file };
}

describe("postrider init", () => {
  it.each([
    "https://example.com/hook",
    "http://127.0.0.1:9000/hook",
    "http://localhost:9000",
    "http://[::1]:9000/",
    "http://10.1.2.3/hook",
    "http://[fd00::1]/hook",
  ])("writes a config for %s that check finds good, without a warning", async (url) => {
    const { code, file } = await made("--url", url);
    expect(code).toBe(0);
    expect(await run(["check", "--config", file])).toEqual({ code: 0, out: [`${file} is good`], err: [] });
  });

  it("allows only the address of a receiver that is not public", async () => {
    const allowed = async (url: string): Promise<unknown> =>
      JSON.parse(readFileSync((await made("--url", url)).file, "utf8")).network;
    expect(await allowed("http://10.1.2.3/hook")).toEqual({ allow: ["10.1.2.3/32"] });
    expect(await allowed("http://[fd00::1]/hook")).toEqual({ allow: ["fd00::1/128"] });
    expect(await allowed("http://localhost:1/")).toEqual({ allow: ["127.0.0.0/8", "::1/128"] });
    expect(await allowed("https://example.com/")).toBeUndefined();
  });

  it("writes a config that serve delivers with at once, and the commands that it names work", async () => {
    const receiver = await receiverOf();
    const { file, folder, out } = await made("--url", receiver.url, "--port", "0", "--write-key", "wk_1");
    const { host, url, ended } = await start(["serve", "--config", file]);
    expect(
      (await run(["send", "track", "--url", url, "--write-key", "wk_1", "--user", "u1", "--event", "e"])).code,
    ).toBe(0);
    await receiver.count(1);
    const token = join(folder, "postrider-secrets", "api-token");
    expect((await run(["deliveries", "--url", url, "--token-file", token])).code).toBe(0);
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
    expect(out).toEqual(
      expect.arrayContaining([
        `  postrider serve --config ${file}`,
        expect.stringMatching(/^ {2}curl -u wk_1: -d '\{.*\}' http:\/\/127\.0\.0\.1:0\/v1\/track$/),
        expect.stringMatching(/^ {2}postrider listen --port \d+ --secret-file \S+shared-secret$/),
        expect.stringMatching(/^ {2}postrider deliveries --url \S+ --token-file \S+api-token$/),
      ]),
    );
  });

  it("keeps the secrets out of the config, in files that only the owner can read and git ignores", async () => {
    const { file, folder, out } = await made("--url", "https://example.com/");
    const secrets = join(folder, "postrider-secrets");
    expect(readdirSync(secrets).sort()).toEqual([".gitignore", "api-token", "shared-secret"]);
    expect(statSync(secrets).mode & 0o777).toBe(0o700);
    for (const name of ["api-token", "shared-secret"]) {
      const secret = readFileSync(join(secrets, name), "utf8");
      expect(secret).toMatch(/^[0-9a-f]{64}\n$/);
      expect(statSync(join(secrets, name)).mode & 0o777).toBe(0o600);
      expect(readFileSync(file, "utf8") + out.join("\n")).not.toContain(secret.trim());
    }
    expect(readFileSync(join(secrets, ".gitignore"), "utf8")).toBe("*\n");
    expect(readConfig(file, NO_ENV).kind).toBe("ok");
  });

  it("replaces no config, unless it is forced, and never a secret", async () => {
    const { file, folder } = await made("--url", "https://example.com/one");
    const token = join(folder, "postrider-secrets", "api-token");
    const before = [readFileSync(file, "utf8"), readFileSync(token, "utf8")];
    const again = ["init", "--out", file, "--url", "https://example.com/two"];
    expect(await run(again)).toEqual({
      code: 1,
      out: [],
      err: [`postrider: ${file} exists already: name another file with --out, or add --force`],
    });
    expect([readFileSync(file, "utf8"), readFileSync(token, "utf8")]).toEqual(before);
    expect((await run([...again, "--force"])).code).toBe(0);
    expect(readFileSync(file, "utf8")).toContain("https://example.com/two");
    expect(readFileSync(token, "utf8")).toBe(before[1]);
  });

  it("names the schema beside the config if the package is installed there", async () => {
    const folder = tempFolder();
    mkdirSync(join(folder, "node_modules/postrider"), { recursive: true });
    writeFileSync(join(folder, "node_modules/postrider/postrider.schema.json"), "{}");
    const file = join(folder, "postrider.json");
    await run(["init", "--out", file, "--url", "https://example.com/"]);
    expect(JSON.parse(readFileSync(file, "utf8")).$schema).toBe("./node_modules/postrider/postrider.schema.json");
    const { file: other } = await made("--url", "https://example.com/");
    expect(JSON.parse(readFileSync(other, "utf8")).$schema).toMatch(/^https:\/\/unpkg\.com\/postrider@\d.*\.json$/);
  });

  it("asks on a terminal for what no option says, and takes what it offers for an empty line", async () => {
    const { code, questions, file } = await asked("", "crm", "shop", "");
    expect({ code, questions }).toEqual({
      code: 0,
      questions: [
        "Where to deliver? [http://127.0.0.1:9000/hook] ",
        "The id of the destination? [receiver] ",
        "The id of the source? [website] ",
        "The port of the server? [8080] ",
      ],
    });
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      listen: { port: 8080 },
      sources: [{ id: "shop" }],
      destinations: [{ id: "crm", endpoints: [{ url: "http://127.0.0.1:9000/hook" }] }],
    });
    const other = await asked("", "", "", "http", "9090");
    expect(other).toMatchObject({ code: 0, err: ["expected a whole number from 0 to 65535, such as 8080"] });
    expect(JSON.parse(readFileSync(other.file, "utf8"))).toMatchObject({ listen: { port: 9090 } });
  });

  it("asks for nothing that an option says", async () => {
    const file = join(tempFolder(), "postrider.json");
    const { questions } = await askedFor(file, [""], ["--source", "shop", "--destination", "crm", "--port", "1"]);
    expect(questions).toEqual(["Where to deliver? [http://127.0.0.1:9000/hook] "]);
    expect(JSON.parse(readFileSync(file, "utf8"))).toMatchObject({
      listen: { port: 1 },
      destinations: [{ id: "crm" }],
    });
  });

  it("refuses a file that is there before it asks", async () => {
    const { file } = await made("--url", "https://example.com/");
    expect(await askedFor(file, [])).toMatchObject({
      code: 1,
      questions: [],
      err: [`postrider: ${file} exists already: name another file with --out, or add --force`],
    });
  });

  it("prints commands as the shell finds the program, and a line for git in a repository", async () => {
    const folder = tempFolder();
    const words = ["init", "--out", join(folder, "postrider.json"), "--url", "http://127.0.0.1:9000/hook", "--force"];
    const steps = async (env: Readonly<Record<string, string>>) =>
      (await run(words, env)).out.filter((line) => line.startsWith("  ")).map((line) => line.trim().split(" --")[0]);
    expect(await steps({ npm_command: "exec" })).toEqual([
      "npx postrider listen",
      "npx postrider serve",
      expect.stringMatching(/^curl /),
      "npx postrider deliveries",
    ]);
    mkdirSync(join(folder, ".git"));
    expect(await steps({})).toEqual([
      `echo 'postrider.db*' >> ${join(folder, ".gitignore")}`,
      "postrider listen",
      "postrider serve",
      expect.stringMatching(/^curl /),
      "postrider deliveries",
    ]);
    expect(readdirSync(folder)).not.toContain(".gitignore");
  });

  it("asks again for a wrong URL, three times at most, and writes nothing if the input ends", async () => {
    const wrong = await asked("example.com", "ftp://example.com", "x", "https://example.com/");
    expect({ code: wrong.code, asked: wrong.questions.length }).toEqual({ code: 1, asked: 3 });
    expect(wrong.err).toEqual([
      ...Array.from({ length: 3 }, () => expect.stringMatching(/^expected a full http/)),
      NOTHING,
    ]);
    expect(await asked()).toMatchObject({ code: 1, err: [NOTHING] });
    expect(await asked("https://example.com/")).toMatchObject({ code: 1, err: [NOTHING] });
  });

  it("never waits without a terminal: it names the options that are missing", async () => {
    expect(await run(["init"])).toEqual({
      code: 2,
      out: [],
      err: ["error: there is no terminal to ask on: give --url, and --source if it is not website"],
    });
  });

  it("has status 2 for settings that no config can have, and writes nothing", async () => {
    const { code, err, folder } = await made("--url", "https://example.com/", "--source", "");
    expect({ code, last: err.at(-1) }).toEqual({ code: 2, last: "postrider: the config would have problems" });
    expect(readdirSync(folder)).toEqual([]);
    expect((await made("--url", "example.com")).code).toBe(2);
  });

  it("has status 1 for a folder that does not exist", async () => {
    expect(await run(["init", "--url", "https://example.com/", "--out", "/proc/nowhere/postrider.json"])).toMatchObject(
      {
        code: 1,
        err: [expect.stringMatching(/^postrider: cannot write \/proc\/nowhere\/postrider\.json and its secrets/)],
      },
    );
  });
});

const NOTHING = "postrider: nothing was written";
