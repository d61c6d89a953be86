// Runs the examples of the README: its config is valid, its commands work as it says, its program runs. Only the ports are
// different, since those in the README may be taken.

import { DEAD_REASONS } from "@postrider/core";
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder } from "../house/packages.js";
import { writeConfig } from "./config-file.js";
import { run, start } from "./test-host.js";

const README = readFileSync("packages/postrider/README.md", "utf8");
const ENV = { API_TOKEN: "t0ken-of-16-and-more", CRM_SECRET: "s3cret-of-16-and-more" };

/** The code blocks of a language. */
function blocks(language: string): readonly string[] {
  return [...README.matchAll(new RegExp(`^\`\`\`${language}\n(.*?)^\`\`\``, "gms"))].map(([, code]) => code!);
}

/** The words of a command line, as a shell would take them, with other ports and files. */
function words(line: string, replaced: Readonly<Record<string, string>>): readonly string[] {
  const text = Object.entries(replaced).reduce((left, [from, to]) => left.replaceAll(from, to), line);
  const split = [...text.matchAll(/"([^"]*)"|(\S+)/g)].map(([, quoted, plain]) => quoted ?? plain!);
  return split.slice(1).map((word) => word.replace(/^\$(\w+)$/, (_, name: keyof typeof ENV) => ENV[name]));
}

/** The codes of the relay's log lines, of which each is a literal, or the kind of its event. */
function codesOfEvents(): readonly string[] {
  const source = readFileSync("packages/relay/src/log-events.ts", "utf8");
  const lines = [...source.matchAll(/((?:case "[a-z-]+":\s*)+)return line\((.*?)\);/gs)];
  return lines.flatMap(([, cases = "", line = ""]) => [
    ...(line.includes("code: event.kind") ? [...cases.matchAll(/"([a-z-]+)"/g)].map(([, kind]) => kind!) : []),
    ...[...line.matchAll(/code: "([a-z-]+)"/g)].map(([, code]) => code!),
  ]);
}

/** The codes that the server logs itself. */
function codesOfServer(): readonly string[] {
  const files = filesUnder("packages/postrider/src", ".ts");
  const logged = /log\("(?:info|warning|error)", \{\s*code: "([a-z-]+)"/g;
  return files.flatMap((file) => [...readFileSync(file, "utf8").matchAll(logged)].map(([, code]) => code!));
}

describe("the README", () => {
  it("names each code of the log", () => {
    const codes = [...codesOfEvents(), ...codesOfServer(), ...DEAD_REASONS.map((reason) => `dead-${reason}`)];
    expect(codes.length).toBeGreaterThan(20);
    const table = README.split("\n").filter((line) => line.startsWith("| `"));
    expect(codes.filter((code) => !table.some((line) => line.includes(`\`${code}\``)))).toEqual([]);
  });

  it("has a config and commands that work together as it says", async () => {
    const [json] = blocks("json");
    const lines = blocks("sh")[1]!.trim().split("\n");
    // What `init` writes has tests with `init`; here the config of the README is served.
    const [, check, listen, serve, send, deliveries, show, replay, doctor, reload, backup] = lines;
    const receiver = await start(words(listen!, { "9000": "0" }), ENV);
    const config = writeConfig(json!.replace("8080", "0").replace("http://127.0.0.1:9000", receiver.url));
    const inPlace = ["--config", config];
    expect((await run([...words(check!, {}), ...inPlace], ENV)).code).toBe(0);
    const server = await start(words(serve!, { "postrider.json": config }), ENV);
    const env = { POSTRIDER_URL: server.url, POSTRIDER_TOKEN: ENV.API_TOKEN, POSTRIDER_WRITE_KEY: "wk_website" };
    expect((await run(words(send!, {}), env)).code).toBe(0);
    expect(await receiver.host.line(/ track /)).toContain("signature ok");
    expect((await run(words(deliveries!, {}), env)).code).toBe(0);
    const [row] = (await run(["deliveries", "--json"], env)).out;
    const { id } = JSON.parse(row!) as { readonly id: string };
    expect((await run(words(show!, { "42": id }), env)).out.join("\n")).toContain("crm");
    expect((await run(words(replay!, {}), env)).out).toEqual(["replayed 0"]);
    expect((await run(words(doctor!, {}), env)).code).toBe(0);
    expect((await run(words(reload!, {}), env)).code).toBe(0);
    const copy = join(dirname(config), "copy.db");
    expect((await run([...words(backup!, { "copy.db": copy }), ...inPlace], ENV)).code).toBe(0);
    expect(lines).toHaveLength(11);
    for (const { host, ended } of [server, receiver]) {
      host.signal("SIGTERM");
      expect(await ended).toBe(0);
    }
  });

  it("has a program that runs", () => {
    const config = writeConfig(blocks("json")[0]!.replace("8080", "0"));
    const program = blocks("ts").find((block) => block.includes("startServer"));
    const ran = spawnSync(process.execPath, ["--input-type=module", "-e", program!.replace("postrider.json", config)], {
      env: { ...process.env, ...ENV },
      encoding: "utf8",
    });
    expect(ran).toMatchObject({ status: 0, stderr: "" });
    expect(ran.stdout).toMatch(/^http:\/\/127\.0\.0\.1:\d+\n$/);
  });

  it("lists every exit status and every code of the server", () => {
    const own = [
      "config-refused",
      "port-taken",
      "cannot-listen",
      "store-unusable",
      "needs-restart",
      "wrong-api-token",
      "unknown-key",
    ];
    const files = ["no-file-handles", "file-handles-free"];
    const store = ["store-ended", "store-stalled", "store-answers", "store-left"];
    for (const code of [
      ...own,
      ...files,
      ...store,
      "forbidden-address",
      "rounds-left-open",
      "runtime-warning",
      "crash",
    ]) {
      expect(README).toContain(`\`${code}\``);
    }
    for (const status of [0, 1, 2, 130, 143]) expect(README).toMatch(new RegExp(`^\\| ${status} +\\| `, "m"));
  });
});
