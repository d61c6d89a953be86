// The tarballs that npm would publish: each is complete and has no other files, every entry loads in plain Node, and the
// types of the portable packages need neither DOM nor @types/node.

import { spawn } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, normalize } from "node:path";
import { publint } from "publint";
import { formatMessage } from "publint/utils";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { filesUnder, folderOf, installedWith, PACKAGES, ROOT, thirdParties } from "./packages.js";
import { expectNone } from "./violations.js";
import { createStranger, packedOnce, run, type Stranger } from "./stranger.js";

// A stranger with these types alone must be able to compile what imports the package.
const tarballs = packedOnce();
const PORTABLE = ["core", "relay", "system", "fetch", "memory", "sqlite", "thread", "client", "simulator", "testkit"];

const entries = PACKAGES.flatMap(({ manifest }) =>
  Object.keys(manifest.exports)
    .filter((path) => !path.endsWith(".json"))
    .map((path) => path.replace(".", manifest.name)),
);
const BUILT = /^(bin\/.+|dist\/.+\.(c?js|d\.c?ts|d\.ts\.map))$/;
const portableNames = PORTABLE.map((folder) => `@postrider/${folder}`);
/** Entries of these packages that run on Node alone. */
const FOR_NODE = ["@postrider/relay/trace", "@postrider/sqlite/file"];
const portableEntries = entries.filter(
  (entry) => !FOR_NODE.includes(entry) && portableNames.some((name) => entry === name || entry.startsWith(`${name}/`)),
);

let stranger: Stranger;

beforeAll(async () => {
  const ours = PACKAGES.map(({ manifest }) => manifest.name);
  stranger = await createStranger(tarballs, ours, ["@types/node", ...thirdParties()]);
});

afterAll(() => {
  stranger.remove();
});

describe("every tarball", () => {
  it.each(PACKAGES)(
    "of $folder has the sources, what is built of them, a licence and a README, and no other files",
    ({ folder, manifest }) => {
      const files = tarballs.files.get(manifest.name)!;
      const sources = filesUnder(`packages/${folder}/src`, ".ts").map((path) =>
        path.replace(`packages/${folder}/`, ""),
      );
      const built = sources
        .filter((path) => !path.endsWith(".d.ts"))
        .map((path) => path.replace("src", "dist").replace(/\.ts$/, ""))
        .flatMap((path) => [`${path}.js`, `${path}.d.ts`, `${path}.d.ts.map`]);
      const schemas = folder === "postrider" ? ["postrider.schema.json"] : [];
      const needed = [...sources, ...built, ...schemas, "LICENSE", "README.md", "package.json"];
      const missing = needed.filter((path) => !files.includes(path));
      const others = files.filter((path) => !needed.includes(path) && !BUILT.test(path));
      expectNone([
        ...missing.map((path) => `packages/${folder}/${path}: publish it: "files" in package.json leaves it out`),
        ...others.map((path) => `packages/${folder}/${path}: do not publish it: "files" in package.json has it`),
      ]);
    },
  );

  it.each(PACKAGES)("of $folder leads from each declaration to its source", ({ manifest }) => {
    const files = tarballs.files.get(manifest.name)!;
    const installed = join(stranger.folder, "node_modules", manifest.name);
    const declarations = files.filter((path) => path.startsWith("dist/") && path.endsWith(".d.ts"));
    for (const path of declarations) {
      const text = readFileSync(join(installed, path), "utf8");
      expect(text, path).toContain(`//# sourceMappingURL=${basename(path)}.map`);
      const map = JSON.parse(readFileSync(join(installed, `${path}.map`), "utf8")) as { readonly sources: string[] };
      const sources = map.sources.map((source) => normalize(join(dirname(path), source)));
      expect(sources).toEqual([path.replace(/^dist(.+)\.d\.ts$/, "src$1.ts")]);
      expect(files, path).toContain(sources[0]);
    }
    expect(declarations).not.toHaveLength(0);
  });

  it.each(PACKAGES)("of $folder passes publint, strictly", async ({ manifest }) => {
    const { messages, pkg } = await publint({
      strict: true,
      pack: { tarball: new Uint8Array(readFileSync(tarballs.paths.get(manifest.name)!)).buffer },
    });
    expectNone(
      messages.map((message) => `${manifest.name}: ${formatMessage(message, pkg, { color: false }) ?? message.code}`),
    );
  });

  it.each(PACKAGES)("of $folder has types where compilers look for them", async ({ manifest }) => {
    const tarball = tarballs.paths.get(manifest.name)!;
    const answer = await stranger.runTool("@arethetypeswrong/cli/dist/index.js", tarball, "--profile", "esm-only");
    expect(answer, answer.stdout).toMatchObject({ code: 0 });
  });
});

describe("an editor", () => {
  it("goes from a name of the packages to the source in which it is defined", async () => {
    stranger.write("definition.ts", 'import { createPostrider } from "postrider";\nvoid createPostrider;\n');
    const file = join(stranger.folder, "definition.ts");
    const requests = [
      { command: "open", arguments: { file } },
      { command: "definition", arguments: { file, line: 2, offset: 10 } },
    ];
    const server = spawn(process.execPath, [join(ROOT, "node_modules/typescript/lib/tsserver.js")]);
    let printed = "";
    server.stdout.on("data", (part: Buffer) => (printed += part.toString()));
    for (const [seq, request] of requests.entries()) {
      server.stdin.write(`${JSON.stringify({ seq, type: "request", ...request })}\n`);
    }
    await expect.poll(() => printed).toContain('"command":"definition"');
    server.kill();
    expect(printed).toContain("node_modules/postrider/src/embed/create-postrider.ts");
  });
});

describe("every entry", () => {
  it.each(entries)("%s loads in plain Node", async (entry) => {
    const answer = await stranger.run("--input-type=module", "--eval", `await import(${JSON.stringify(entry)})`);
    expect(answer).toEqual({ code: 0, stdout: "", stderr: "" });
  });

  it("of the portable packages compiles without DOM, @types/node, io-ts and fp-ts", async () => {
    const purist = await createStranger(tarballs, portableNames, ["@types/node", ...thirdParties()]);
    for (const name of ["@types/node", "io-ts", "fp-ts"]) purist.unlink(name);
    purist.write("index.ts", imports(portableEntries));
    purist.write("tsconfig.json", strictConfig({ lib: ["ES2023"], types: [] }));
    expect(await purist.compile()).toMatchObject({ code: 0, stdout: "" });
    purist.remove();
  });

  it("of all packages compiles with @types/node, library files included", async () => {
    stranger.write("index.ts", imports(entries));
    stranger.write("tsconfig.json", strictConfig({ lib: ["ES2023"], types: ["node"] }));
    expect(await stranger.compile()).toMatchObject({ code: 0, stdout: "" });
  });
});

describe("the command", () => {
  it("exists after an install", async () => {
    const answer = await run(join(stranger.folder, "node_modules/.bin/postrider"), ["--version"], {
      cwd: stranger.folder,
    });
    expect(answer).toMatchObject({ code: 0, stderr: "" });
    expect(answer.stdout).toContain(PACKAGES.find(({ folder }) => folder === "postrider")!.manifest.version);
  });
});

describe("an install of postrider alone", () => {
  let operator: Stranger;

  beforeAll(async () => {
    const needed = installedWith("postrider");
    const ours = needed.filter((name) => folderOf(name) !== undefined);
    const others = needed.filter((name) => folderOf(name) === undefined);
    operator = await createStranger(tarballs, ours, [...others, "@types/node"]);
  });

  afterAll(() => {
    operator.remove();
  });

  it("brings neither contract suites nor fast-check, and no simulator", () => {
    const found = ["postrider", "@postrider/relay", "@postrider/testkit", "@postrider/simulator", "fast-check"].filter(
      (name) => existsSync(join(operator.folder, "node_modules", name)),
    );
    expect(found).toEqual(["postrider", "@postrider/relay"]);
  });

  it("compiles without them, library files included", async () => {
    operator.write("index.ts", imports(["postrider"]));
    operator.write("tsconfig.json", strictConfig({ lib: ["ES2023"], types: ["node"] }));
    expect(await operator.compile()).toMatchObject({ code: 0, stdout: "" });
  });

  it("has a simulate command that names the package to install", async () => {
    const destinations = [{ id: "crm", receivers: [{}] }];
    const load = { callsPerSecond: 1, until: "10:01" };
    operator.write("outage.json", JSON.stringify({ start: "2026-01-31T10:00:00Z", load, destinations }));
    const answer = await run(join(operator.folder, "node_modules/.bin/postrider"), ["simulate", "outage.json"], {
      cwd: operator.folder,
    });
    expect(answer).toMatchObject({ code: 1, stdout: "" });
    expect(answer.stderr).toContain("@postrider/simulator is not installed: run npm install @postrider/simulator@");
  });
});

function imports(names: readonly string[]): string {
  return names.map((name, at) => `export * as e${at} from "${name}";`).join("\n");
}

function strictConfig(options: object): string {
  return JSON.stringify({
    compilerOptions: {
      target: "ES2023",
      module: "NodeNext",
      strict: true,
      exactOptionalPropertyTypes: true,
      noUncheckedIndexedAccess: true,
      skipLibCheck: false,
      noEmit: true,
      ...options,
    },
    files: ["index.ts"],
  });
}
