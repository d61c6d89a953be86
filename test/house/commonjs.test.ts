// A host that is CommonJS: no "type" in its package.json, and TypeScript that becomes `require`. It has the packed tarballs of
// postrider, compiles strictly with its library files checked, and runs in plain Node.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { folderOf, installedWith, read } from "./packages.js";
import { createStranger, packedOnce, type Stranger } from "./stranger.js";

const HOST = `import { createPostrider, type Postrider } from "postrider";

async function main(): Promise<void> {
  const postrider: Postrider<"website"> = await createPostrider({
    store: "sqlite:./postrider.db",
    sources: [{ id: "website", writeKey: "wk_website" }],
    destinations: [{ id: "crm", paused: true, sources: ["website"], endpoints: [{ url: "https://example.com/" }] }],
  });
  const { kind } = await postrider.track("website", { userId: "u1", event: "Signed Up" });
  await postrider.close();
  console.log(kind);
}

void main();
`;

let host: Stranger;

beforeAll(async () => {
  const needed = installedWith("postrider");
  const ours = needed.filter((name) => folderOf(name) !== undefined);
  const others = needed.filter((name) => folderOf(name) === undefined);
  host = await createStranger(packedOnce(), ours, [...others, "@types/node"]);
  host.write("package.json", JSON.stringify({ private: true }));
  host.write("index.ts", HOST);
});

afterAll(() => {
  host.remove();
});

it.each(["nodenext", "node20"])("compiles with module %s, and runs", async (module) => {
  const outDir = `built-${module}`;
  configure({ module, outDir });
  expect(await host.compile()).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(join(host.folder, outDir, "index.js"), "utf8")).toContain('require("postrider")');
  const ran = await host.run(join(outDir, "index.js"));
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "accepted\n", stderr: "" });
});

it("is told by the compiler where another setting is needed, as the README says", async () => {
  configure({ module: "node16", noEmit: true });
  expect((await host.compile()).stdout).toContain("error TS1479");
  configure({ module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0", noEmit: true });
  expect((await host.compile()).stdout).toContain("error TS2307");
  for (const named of ['`require("postrider")`', "`nodenext`", "`node20`", "`node16`", "`node10`"])
    expect(read("README.md")).toContain(named);
});

function configure(options: object): void {
  const compilerOptions = {
    target: "ES2023",
    lib: ["ES2023"],
    types: ["node"],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: false,
    ...options,
  };
  host.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["index.ts"] }));
}
