// Runs the examples of the README: its config is valid, its commands work as it says, its program runs. Only the ports are
// different, since those in the README may be taken.

import { DEAD_REASONS } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { spawnSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { filesUnder } from "../house/packages.js";
import { readPair } from "../../packages/postrider/src/server/tls/tls-pair.js";
import { tempFolder, writeConfig } from "./config-file.js";
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
  return split.slice(1);
}

/** The folder of secrets that `init` keeps, since receivers may know them. */
async function secretsIn(folder: string): Promise<string> {
  await run(["init", "--out", join(folder, "other.json"), "--url", "https://example.com/"]);
  return join(folder, "postrider-secrets");
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

  it("has commands that work in their order, with the files that its first one writes", async () => {
    const [prepare, receive, serve, ask] = blocks("sh")
      .slice(1)
      .map((block) => block.trim().split("\n"));
    const folder = tempFolder();
    const config = join(folder, "postrider.json");
    const receiver = await start(words(receive![0]!, { "9000": "0", "postrider-secrets": await secretsIn(folder) }));
    const inFolder = ["--config", config];
    const [init, check] = prepare!;
    const made = await run([
      ...words(init!, { "http://127.0.0.1:9000": receiver.url }),
      "--out",
      config,
      "--port",
      "0",
    ]);
    expect(made.code).toBe(0);
    expect(await run([...words(check!, {}), ...inFolder])).toMatchObject({ code: 0, err: [] });
    const server = await start([...words(serve![0]!, {}), ...inFolder]);
    const [exported, token, ...lines] = ask!;
    expect(token).toBe('export POSTRIDER_TOKEN="$(cat postrider-secrets/api-token)"');
    const env: Record<string, string> = {
      ...Object.fromEntries([...exported!.matchAll(/(\w+)=(\S+)/g)].map(([, name, value]) => [name!, value!])),
      POSTRIDER_TOKEN: readFileSync(join(folder, "postrider-secrets/api-token"), "utf8").trim(),
    };
    expect(env["POSTRIDER_URL"]).toBe("http://127.0.0.1:8080");
    env["POSTRIDER_URL"] = server.url;
    const [
      send,
      tail,
      deliveries,
      show,
      explain,
      lanes,
      pause,
      resume,
      test,
      replay,
      jobs,
      doctor,
      reload,
      settings,
      backup,
    ] = lines;
    expect((await run(words(send!, {}), env)).code).toBe(0);
    expect(await receiver.host.line(/ track /)).toContain("signature ok");
    expect((await run(words(tail!, {}), env)).out.join("\n")).toMatch(/ accepted +website .* 1 delivery$/);
    expect((await run(words(deliveries!, {}), env)).code).toBe(0);
    expect((await run(words(show!, {}), env)).out.join("\n")).toContain("crm");
    expect((await run(words(explain!, {}), env)).out.join("\n")).toMatch(/^delivery 1 to crm: /);
    expect((await run(words(lanes!, {}), env)).out.join("\n")).toMatch(/^crm +open /m);
    expect((await run(words(pause!, {}), env)).out.join("\n")).toMatch(/^crm +paused .* paused by operator$/m);
    expect((await run(words(resume!, {}), env)).out.join("\n")).toMatch(/^crm +open /m);
    expect((await run(words(test!, {}), env)).out.join("\n")).toMatch(/hook +200 /m);
    expect((await run(words(replay!, {}), env)).out).toEqual(["replayed 0"]);
    expect((await run(words(jobs!, {}), env)).out).toEqual(["0 deliveries can be replayed"]);
    expect((await run(words(doctor!, {}), env)).code).toBe(0);
    expect((await run(words(reload!, {}), env)).code).toBe(0);
    expect((await run(words(settings!, {}), env)).code).toBe(0);
    expect((await run([...words(backup!, { "copy.db": join(folder, "copy.db") }), ...inFolder])).code).toBe(0);
    expect(lines).toHaveLength(15);
    for (const { host, ended } of [server, receiver]) {
      host.signal("SIGTERM");
      expect(await ended).toBe(0);
    }
  });

  it("has a config that is good, apart from its variables", async () => {
    const config = writeConfig(blocks("json")[0]!);
    expect(await run(["check", "--config", config], ENV)).toMatchObject({ code: 0, err: [] });
  });

  it("makes a certificate with which a server starts, and which its commands trust", () => {
    const line = blocks("sh")
      .flatMap((block) => block.split("\n"))
      .find((one) => one.startsWith("openssl"));
    const cwd = tempFolder();
    expect(
      spawnSync(
        "sh",
        [
          "-c",
          blocks("sh")
            .find((block) => block.includes(line!))!
            .split("postrider")[0]!,
        ],
        { cwd },
      ).status,
    ).toBe(0);
    const files = { certFile: join(cwd, "tls.crt"), keyFile: join(cwd, "tls.key") };
    expect(readPair(files, createSystemClock().wall()).kind).toBe("ok");
    expect(new X509Certificate(readFileSync(files.certFile)).checkIP("127.0.0.1")).toBe("127.0.0.1");
    expect(statSync(files.keyFile).mode & 0o077).toBe(0);
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
