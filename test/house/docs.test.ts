// Checks the examples in our documents: TypeScript compiles against the tarballs and runs in plain Node, JSON parses, config
// files are accepted, and commands exist. Links are followed in links.test.ts.

import { existsSync } from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { decodeConfig, expandReferences } from "@postrider/relay/settings";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { type Block, blocksIn, BLOCKS } from "./markdown.js";
import { PACKAGES, read, ROOT, thirdParties } from "./packages.js";
import { expectNone } from "./violations.js";
import { createStranger, packedOnce, type Ran, run, type Stranger } from "./stranger.js";

// The js and python of a guide are run by the test of the guide, as all programs of the guide to embedding are.
const tarballs = packedOnce();
const LANGUAGES = ["ts", "json", "sh", "text", "mermaid", "http", "js", "python"];
// Programs in documents call this address; here it is a receiver on this machine.
const EXAMPLE = "https://example.com/hook";

const scripts = new Set(Object.keys((JSON.parse(read("package.json")) as { scripts: object }).scripts));
const programs = blocksIn("ts")
  .filter(({ place }) => !place.startsWith("docs/guides/embed.md"))
  .map((block, index) => ({ ...block, file: fileOf(block, index) }));

describe("documents", () => {
  it("name a language for every code block", () => {
    const others = BLOCKS.filter(({ language }) => !LANGUAGES.includes(language));
    expectNone(others.map(({ place }) => `${place}: begin the block with one of ${LANGUAGES.join(", ")}`));
  });

  it("of the packages begin with their name and a sentence", () => {
    const others = PACKAGES.filter(({ folder, manifest }) => {
      return !new RegExp(`^# ${manifest.name}\n\n[A-Z[]`).test(read(`packages/${folder}/README.md`));
    });
    expectNone(
      others.map(
        ({ folder, manifest }) => `packages/${folder}/README.md:1: begin with "# ${manifest.name}" and a sentence`,
      ),
    );
  });

  it("list every package in the table of the README", () => {
    const rows = PACKAGES.map(({ folder }) => `| [\`${folder}\`](packages/${folder})`);
    expectNone(
      rows.filter((row) => !read("README.md").includes(row)).map((row) => `README.md: add the row ${row} | … |`),
    );
  });
});

describe("JSON", () => {
  it.each(blocksIn("json"))("of $place parses", ({ text }) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
  });

  it.each(blocksIn("json").filter(({ text }) => text.includes('"destinations"') && text.includes('"writeKey"')))(
    "of $place is a valid config",
    ({ text }) => {
      const reader = { env: () => "a value from outside", file: () => "a value from outside" };
      const expanded = expandReferences(settingsIn(JSON.parse(text) as object), reader);
      expect(expanded.kind).toBe("ok");
      expect(decodeConfig(expanded.kind === "ok" ? expanded.value : undefined)).toMatchObject({ kind: "ok" });
    },
  );
});

describe("commands", () => {
  const lines = blocksIn("sh").flatMap(({ place, text }) => commandsIn(text).map((command) => ({ place, command })));

  it.each(lines)("$place: $command exists", async ({ command }) => {
    expect(await exists(command.split(" "))).toBe(true);
  });
});

describe("TypeScript", () => {
  let stranger: Stranger;
  let receiver: Server;
  let received = 0;

  beforeAll(async () => {
    receiver = createServer((request, response) => {
      request.resume().on("end", () => {
        received += 1;
        response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => receiver.listen(0, "127.0.0.1", resolve));
    const url = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;

    const ours = PACKAGES.map(({ manifest }) => manifest.name);
    stranger = await createStranger(tarballs, ours, ["@types/node", "vitest", ...thirdParties()]);
    for (const { file, text } of programs) stranger.write(file, allowed(text.replaceAll(EXAMPLE, url)));
    stranger.write("postrider.json", configOfTheProgram());
    stranger.write("tsconfig.json", JSON.stringify({ compilerOptions: STRICT, include: ["*.ts"] }));
  });

  afterAll(() => {
    receiver.close();
    stranger.remove();
  });

  it("of all documents compiles for a stranger, strictly", async () => {
    const compiled = await stranger.compile();
    expect(compiled, compiled.stdout).toMatchObject({ code: 0, stdout: "" });
  });

  it.each(programs.filter(({ text }) => !NEEDS_A_SERVER.test(text)))(
    "of $place runs in plain Node",
    async ({ file, text }) => {
      const before = received;
      const answer = await play(stranger, { file, text, hasDelivered: () => received > before });
      expect(answer, answer.stdout + answer.stderr).toMatchObject({ code: 0 });
      expect(received - before, "what arrived").toBe(/relay\.start\(\)|createPostrider\(/.test(text) ? 1 : 0);
    },
  );
});

/** A program that takes its database as given. */
const NEEDS_A_SERVER = /^declare const pool:/m;

/** The config, or the settings within an answer of the API. */
function settingsIn(json: object): unknown {
  return "document" in json ? json.document : json;
}

const STRICT = {
  target: "ES2023",
  module: "NodeNext",
  lib: ["ES2023", "DOM", "ESNext.Disposable"],
  types: ["node"],
  strict: true,
  exactOptionalPropertyTypes: true,
  noUncheckedIndexedAccess: true,
  skipLibCheck: false,
  outDir: "built",
};

interface Played {
  readonly file: string;
  readonly text: string;
  readonly hasDelivered: () => boolean;
}

/** A program that delivers by undici, with leave to call this machine. */
function allowed(text: string): string {
  return text.replace("createPostrider({", '$&\n  network: { allow: ["127.0.0.0/8"] },');
}

/** Programs that keep running get a signal to end once they have delivered. */
function play(stranger: Stranger, { file, text, hasDelivered }: Played): Promise<Ran> {
  if (text.includes('from "vitest"')) return stranger.runTool("vitest/vitest.mjs", "run", file);
  const env = { ...process.env, API_TOKEN: "t0ken-of-16-and-more", CRM_SECRET: "secret" };
  const script = join("built", file.replace(/\.ts$/, ".js"));
  return run("node", [script], {
    cwd: stranger.folder,
    env,
    ...(text.includes('"SIGTERM"') ? { endsAfter: hasDelivered } : {}),
  });
}

/** Under the name in its first line where it has one, since the programs of a guide may import one another. */
function fileOf({ text }: Block, index: number): string {
  const [, name] = /^\/\/ ([\w.-]+\.ts)\n/.exec(text) ?? [];
  if (name !== undefined) return name;
  return `program-${index}${text.includes('from "vitest"') ? ".test" : ""}.ts`;
}

/** The config that a program in the README of postrider reads, on any free port. */
function configOfTheProgram(): string {
  const [config] = blocksIn("json").filter(({ place }) => place.startsWith("packages/postrider/README.md"));
  return config!.text.replace("8080", "0");
}

/** One command per line or `&&`, without comments and without the variables set before a command. */
function commandsIn(text: string): readonly string[] {
  return text
    .replaceAll("\\\n", " ")
    .split(/\n|&&/)
    .map((line) => line.trim().replace(/^(\w+=\S+ )+/, ""))
    .filter((line) => line !== "" && !line.startsWith("#"));
}

async function exists(command: readonly string[]): Promise<boolean> {
  const [program = "", ...words] = command;
  switch (program) {
    case "curl":
    case "export":
    case "openssl":
      return true;
    case "npm":
      return ["ci", "install"].includes(words[0]!) || scripts.has(words[0] === "run" ? words[1]! : words[0]!);
    case "npx":
      return words[0] === "postrider" ? exists(words) : existsSync(join(ROOT, "node_modules/.bin", words[0]!));
    case "node": {
      const file = words.find((word) => !word.startsWith("-"))!;
      return existsSync(join(ROOT, file)) || BLOCKS.some(({ text }) => text.startsWith(`// ${file}\n`));
    }
    case "postrider":
      return knows(words);
    default:
      return false;
  }
}

/** Commands that have commands below them. */
const GROUPS: ReadonlySet<string> = new Set(["audience", "replay-jobs", "settings"]);

/** Whether the program has this command, with all of these options. */
async function knows([first = "", ...words]: readonly string[]): Promise<boolean> {
  const path = GROUPS.has(first) ? [first, ...words.slice(0, 1)] : [first];
  const command = path.join(" ");
  const stdout = await helpOf(command);
  const options = words.filter((word) => word.startsWith("--")).map((word) => word.split("=")[0]!);
  return (
    stdout.startsWith(`Usage: postrider ${command} `) && options.every((option) => stdout.includes(`  ${option} `))
  );
}

const helps = new Map<string, Promise<string>>();

/** What a command says to `--help`, asked once. */
function helpOf(command: string): Promise<string> {
  const program = join(ROOT, "packages/postrider/bin/postrider.js");
  const asked =
    helps.get(command) ??
    run("node", [program, ...command.split(" "), "--help"], { cwd: ROOT }).then(({ stdout }) => stdout);
  helps.set(command, asked);
  return asked;
}
