// Hosts that are CommonJS: no "type" in their package.json, and TypeScript that becomes `require`. They have the packed tarballs of
// postrider or of the client, compile strictly with their library files checked, and run in plain Node.

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

/** Interfaces as types, and each entry of the client. */
const CALLER = `import { createClient } from "@postrider/client";
import { createDurableClient, type CallStorage } from "@postrider/client/durable";
import { createIndexedDbCallStorage } from "@postrider/client/indexeddb";

interface Traits {
  readonly plan: string;
}

const traits: Traits = { plan: "pro" };
const storage: CallStorage = { maxCalls: 10, load: () => Promise.resolve({ calls: [], next: undefined, stored: 0 }), change: () => Promise.resolve(0) };
const options = { endpoint: "http://127.0.0.1:9", closeTimeoutMs: 100 };
const ofBrowser = createIndexedDbCallStorage({ name: "wk" });
const durable = [storage, ofBrowser].map((one) => createDurableClient("wk", { ...options, storage: one }));
for (const client of [createClient("wk", options), ...durable]) {
  const made = client.identify({ userId: "u1", traits, context: traits, integrations: traits });
  console.log(made.kind, client.track({ userId: "u1", event: "" }).kind);
  void client.close();
}
`;

const hosts: Stranger[] = [];

async function createHost(name: string, program: string): Promise<Stranger> {
  const needed = installedWith(name);
  const ours = needed.filter((one) => folderOf(one) !== undefined);
  const others = needed.filter((one) => folderOf(one) === undefined);
  const host = await createStranger(packedOnce(), ours, [...others, "@types/node"]);
  hosts.push(host);
  host.write("package.json", JSON.stringify({ private: true }));
  host.write("index.ts", program);
  return host;
}

let host: Stranger;
let caller: Stranger;

beforeAll(async () => {
  host = await createHost("postrider", HOST);
  caller = await createHost("@postrider/client", CALLER);
});

afterAll(() => {
  for (const one of hosts) one.remove();
});

it.each(["nodenext", "node20"])("compiles with module %s, and runs", async (module) => {
  const outDir = `built-${module}`;
  configure(host, { module, outDir });
  expect(await host.compile()).toMatchObject({ code: 0, stdout: "" });
  expect(readFileSync(join(host.folder, outDir, "index.js"), "utf8")).toContain('require("postrider")');
  const ran = await host.run(join(outDir, "index.js"));
  expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "accepted\n", stderr: "" });
});

it.each(["nodenext", "node20", "node16"])(
  "that calls with the client compiles with module %s, and runs",
  async (module) => {
    const outDir = `built-${module}`;
    configure(caller, { module, outDir });
    expect(await caller.compile()).toMatchObject({ code: 0, stdout: "" });
    const ran = await caller.run(join(outDir, "index.js"));
    expect(ran, ran.stderr).toMatchObject({ code: 0, stdout: "ok refused\n".repeat(3), stderr: "" });
  },
);

it("is told by the compiler where another setting is needed, as the README says", async () => {
  configure(host, { module: "node16", noEmit: true });
  expect((await host.compile()).stdout).toContain("error TS1479");
  configure(host, { module: "commonjs", moduleResolution: "node10", ignoreDeprecations: "6.0", noEmit: true });
  expect((await host.compile()).stdout).toContain("error TS2307");
  for (const named of ['`require("postrider")`', "`nodenext`", "`node20`", "`node16`", "`node10`"])
    expect(read("README.md")).toContain(named);
});

function configure(of: Stranger, options: object): void {
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
  of.write("tsconfig.json", JSON.stringify({ compilerOptions, files: ["index.ts"] }));
}
