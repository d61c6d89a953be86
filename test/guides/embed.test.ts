// Runs each program of docs/guides/embed.md: calls of Segment's libraries under its path, calls of the routes beside it, what both
// deliver, bad requests, and its end by a signal. What is written in TypeScript is compiled as by a host.

import { Analytics } from "@segment/analytics-node";
import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { look, SECRET, WRITE_KEY } from "../canary.js";
import { blocksIn, programsIn } from "../house/markdown.js";
import { ROOT } from "../house/packages.js";
import { portForRestarts } from "../loopback.js";
import { CONDITION_WATCHDOG_MS } from "../watchdogs.js";
import { guideFolder, listening } from "./receivers.js";
import { keptBodies, type KeptBodies } from "./kept-bodies.js";

const GUIDE = programsIn("docs/guides/embed.md", "js", "ts");

/** Route handlers, which are functions of a Request, with the program that serves each of them, and how it calls it. */
const ROUTES = [
  { file: "app/segment/[...path]/route.js", program: "with-next.js", call: "route[request.method](request)" },
  {
    file: "src/routes/segment/[...path]/+server.js",
    program: "with-sveltekit.js",
    call: "route.fallback({ request })",
  },
  { file: "app/routes/segment.$.js", program: "with-react-router.js", call: "route.action({ request })" },
];
const serveRoute = (file: string, call: string): string => `import { serve } from "@hono/node-server";
import "./close-on-signals.js";
import { placeOrder } from "./place-order.js";
import * as route from "./${file}";
const fetch = async (request) => {
  const { pathname } = new URL(request.url);
  if (pathname.startsWith("/segment/")) return ${call};
  return new Response(null, { status: await placeOrder(pathname.split("/").at(-1), "u1") });
};
serve({ fetch, port: Number(process.env.PORT) });
`;
/** Serves the object with a \`fetch\` as Bun would. */
const SERVE_FETCH = `import { serve } from "@hono/node-server";
import server from "./with-fetch.js";
serve(server);
`;
const COMPILED = {
  target: "ES2023",
  module: "NodeNext",
  types: ["node"],
  strict: true,
  skipLibCheck: true,
  allowJs: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
  outDir: "built",
};
/** The program for Express with its body parser before the mount. */
const behindParser = (text: string): string => {
  const [mount, parser] = ['app.use("/segment", postrider.nodeListener);', "app.use(express.json());"];
  return text.replace(parser, "").replace(mount, `${parser}\n${mount}`);
};
/** The program for Koa with a body parser before the mount. */
const behindKoaParser = (text: string): string =>
  text.replace("new Koa();", '$&\napp.use((await import("@koa/bodyparser")).bodyParser());');

const FILES: ReadonlyMap<string, string> = new Map([
  ...GUIDE,
  ["package.json", '{ "type": "module" }'],
  ["tsconfig.json", JSON.stringify({ compilerOptions: COMPILED, include: ["*.ts"] })],
  ["serve-fetch.js", SERVE_FETCH],
  ["with-express-4.js", GUIDE.get("with-express.js")!],
  ["with-express-behind-its-parser.js", behindParser(GUIDE.get("with-express.js")!)],
  ["with-koa-behind-a-parser.js", behindKoaParser(GUIDE.get("with-koa.js")!)],
  ...ROUTES.map(({ program, file, call }): [string, string] => [program, serveRoute(file, call)]),
]);
const PROGRAMS = [...FILES.keys()].filter((file) => file.startsWith("with-"));
const FRAMEWORKS = join(ROOT, "test/programs/frameworks/node_modules");
/** The programs whose frameworks are not in the root's install. */
const OF_FRAMEWORKS = /^with-(express-4|koa|nest)/;
/** What is started for a program, if it is not the program. */
const STARTED: Readonly<Record<string, string>> = {
  "with-fetch.js": "serve-fetch.js",
  "with-nest.ts": "built/with-nest.js",
};

const BASIC = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;

interface Embedded {
  readonly url: string;
  readonly file: string;
  /** Ends it by SIGTERM; resolves with its exit status. */
  end(): Promise<number | null>;
}

/** A new folder with all programs of the guide. It finds the packages at `third` before those of the root. */
function writeGuide(third?: string): string {
  const outside = guideFolder();
  const folder = join(outside, "program");
  mkdirSync(folder);
  symlinkSync(join(ROOT, "node_modules"), join(outside, "node_modules"));
  if (third !== undefined) symlinkSync(third, join(folder, "node_modules"));
  for (const [path, text] of FILES) {
    mkdirSync(dirname(join(folder, path)), { recursive: true });
    writeFileSync(join(folder, path), text);
  }
  return folder;
}

async function startEmbedded(program: string, crmUrl: string): Promise<Embedded> {
  const folder = writeGuide(OF_FRAMEWORKS.test(program) ? FRAMEWORKS : undefined);
  if (program.endsWith(".ts")) compile(folder);
  const port = await portForRestarts();
  const env = { ...process.env, PORT: String(port), WRITE_KEY, CRM_URL: crmUrl, CRM_SECRET: SECRET };
  const child: ChildProcess = spawn(process.execPath, [STARTED[program] ?? program], {
    cwd: folder,
    env,
    stdio: ["ignore", "pipe", "pipe"],
  });
  for (const stream of [child.stdout, child.stderr]) stream?.on("data", (part) => void look("a host's output", part));
  await listening(port, child);
  return {
    url: `http://127.0.0.1:${String(port)}`,
    file: join(folder, "postrider.db"),
    end: async () => {
      if (child.exitCode !== null) return child.exitCode;
      child.kill("SIGTERM");
      const [code] = (await once(child, "close")) as [number | null];
      return code;
    },
  };
}

function compile(folder: string): void {
  const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
  expect(spawnSync(process.execPath, [tsc], { cwd: folder, encoding: "utf8" })).toMatchObject({
    status: 0,
    stdout: "",
  });
}

function post(url: string, body: string, headers: Readonly<Record<string, string>> = {}): Promise<Response> {
  return fetch(url, { method: "POST", body, headers: { "content-type": "application/json", ...headers } });
}

it("every program of the guide is run here", () => {
  const run = [...PROGRAMS.filter((program) => GUIDE.has(program)), ...ROUTES.map(({ file }) => file)];
  const modules = [
    "globals.d.ts",
    "postrider.js",
    "place-order.js",
    "close-on-signals.js",
    "function.js",
    "spans.js",
    "what-waits.js",
  ];
  expect([...GUIDE.keys()].toSorted()).toEqual([...run, ...modules].toSorted());
});

it("a module that is loaded again has the same Postrider, and opens the file once", async () => {
  const folder = writeGuide();
  const text = `const [one, other] = await Promise.all([import("./postrider.js?1"), import("./postrider.js?2")]);
    console.log(one.postrider === other.postrider && one !== other);
    await one.postrider.close();`;
  writeFileSync(join(folder, "twice.js"), text);
  const env = { ...process.env, WRITE_KEY, CRM_URL: "http://127.0.0.1:9/hook", CRM_SECRET: SECRET };
  const ran = spawnSync(process.execPath, ["twice.js"], { cwd: folder, env, encoding: "utf8" });
  expect(ran).toMatchObject({ status: 0, stdout: "true\n", stderr: "" });
});

it("a host in TypeScript declares the global as the guide says, and not otherwise", () => {
  const folder = writeGuide();
  const wanted = { ...COMPILED, allowJs: false, noEmit: true };
  const files = ["globals.d.ts", "postrider.ts"];
  writeFileSync(join(folder, "postrider.ts"), GUIDE.get("postrider.js")!);
  const compiledWith = (some: readonly string[]): unknown => {
    writeFileSync(join(folder, "tsconfig.json"), JSON.stringify({ compilerOptions: wanted, files: some }));
    const tsc = join(ROOT, "node_modules/typescript/bin/tsc");
    return spawnSync(process.execPath, [tsc], { cwd: folder, encoding: "utf8" }).stdout;
  };
  expect(compiledWith(files)).toBe("");
  expect(compiledWith(files.slice(1))).toContain("TS7017");
});

it("the commands of the first delivery show both calls, with a signature that is right", async () => {
  const folder = writeGuide();
  const [commands] = blocksIn("sh").filter(({ place }) => place.startsWith("docs/guides/embed.md"));
  const [port, receiver] = [String(await portForRestarts()), String(await portForRestarts())];
  const asGuided = commands!.text
    .replaceAll("9000", receiver)
    .replaceAll("3000", port)
    .replaceAll("wk_website", WRITE_KEY)
    .replace("npx postrider", `node ${join(ROOT, "packages/postrider/bin/postrider.js")}`)
    .replace('"$CRM_SECRET" &', '"$CRM_SECRET" > printed &')
    // Who types them sees when the programs are up, and when a line comes.
    .replaceAll("curl", "curl -s --retry 30 --retry-delay 1 --retry-connrefused")
    .concat("\nuntil [ $(grep -c 'signature ok' printed) = 2 ]; do sleep 0.2; done\nkill $(jobs -p)\nwait\n");
  const ran = spawnSync("bash", ["-c", asGuided], { cwd: folder, encoding: "utf8", timeout: CONDITION_WATCHDOG_MS });
  expect(ran.stdout).toMatch(/^Created[{]"success":true/);
  const lines = readFileSync(join(folder, "printed"), "utf8").split("\n");
  const delivered = lines.filter((line) => line.includes("signature ok"));
  expect(delivered).toHaveLength(2);
  for (const call of ["order-17", "Signed Up"]) expect(delivered.join(" ")).toContain(call);
});

it("what waits is counted and listed", async () => {
  const folder = writeGuide();
  const text = `const { postrider } = await import("./postrider.js");
    const { whatWaits } = await import("./what-waits.js");
    await postrider.track("website", { userId: "u1", event: "Signed Up" });
    for (let tries = 0; tries < 100 && (await whatWaits()).waiting === 0; tries += 1) await new Promise((done) => setTimeout(done, 50));
    const { waiting, deliveries } = await whatWaits();
    console.log(waiting, deliveries.length, deliveries[0].state);
    await postrider.close();`;
  writeFileSync(join(folder, "waits.js"), text);
  const env = { ...process.env, WRITE_KEY, CRM_URL: "http://127.0.0.1:9/hook", CRM_SECRET: SECRET };
  expect(spawnSync(process.execPath, ["waits.js"], { cwd: folder, env, encoding: "utf8" }).stdout).toBe(
    "1 1 waiting\n",
  );
});

it("the spans of a call and its delivery are exported by the provider of the program", async () => {
  const crm = await keptBodies();
  const folder = writeGuide(join(ROOT, "test/programs/opentelemetry/node_modules"));
  const traced = GUIDE.get("postrider.js")!.replace('basePath: "/segment"', "$&, opentelemetry");
  writeFileSync(join(folder, "postrider.js"), `import * as opentelemetry from "@opentelemetry/api";\n${traced}`);
  writeFileSync(join(folder, "spans.js"), GUIDE.get("spans.js")!.replace("0.01", "1"));
  const text = `const { provider } = await import("./spans.js");
    const { postrider } = await import("./postrider.js");
    const delivered = new Promise((resolve) => postrider.observe(({ kind }) => kind === "delivered" && resolve()));
    await postrider.track("website", { userId: "u1", event: "Signed Up" });
    await delivered;
    await postrider.close();
    await provider.shutdown();`;
  writeFileSync(join(folder, "calling.js"), text);
  const env = { ...process.env, WRITE_KEY, CRM_URL: `${crm.url}/hook`, CRM_SECRET: SECRET };
  const child = spawn(process.execPath, ["calling.js"], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  let printed = "";
  child.stdout.on("data", (part) => void (printed += String(part)));
  expect(await once(child, "close")).toEqual([0, null]);
  await crm.close();
  expect(printed.match(/name: '(send postrider|process crm|POST)'/g)).toHaveLength(3);
});

it("a serverless function hands its call to the server, and says so if it could not", async () => {
  const crm = await keptBodies();
  const host = await startEmbedded("with-node.js", `${crm.url}/hook`);
  const folder = writeGuide();
  const text = `const { handle } = await import("./function.js");
    const body = JSON.stringify({ id: 8, userId: "u1" });
    console.log((await handle(new Request("http://a/", { method: "POST", body }))).status);
    process.exit();`;
  writeFileSync(join(folder, "invoke.js"), text);
  const invoke = (url: string): unknown => {
    const env = { ...process.env, WRITE_KEY, POSTRIDER_URL: url };
    return spawnSync(process.execPath, ["invoke.js"], { cwd: folder, env, encoding: "utf8" }).stdout;
  };
  expect(invoke(`${host.url}/segment`)).toBe("201\n");
  await expect.poll(() => crm.messages().map(({ messageId }) => messageId)).toEqual(["order-8"]);
  expect(await host.end()).toBe(0);
  expect(invoke(`${host.url}/segment`)).toBe("503\n");
  await crm.close();
});

describe.each(PROGRAMS)("%s", (program) => {
  let crm: KeptBodies;
  let host: Embedded;

  beforeAll(async () => {
    crm = await keptBodies();
    host = await startEmbedded(program, `${crm.url}/hook`);
  });
  afterAll(async () => {
    await host.end();
    await crm.close();
  });

  it("takes the calls of a Segment library under its path, and delivers them", async () => {
    const call = JSON.stringify({ userId: "u1", event: "Signed Up", messageId: "m1" });
    const answer = await post(`${host.url}/segment/v1/track`, call, { authorization: BASIC });
    expect(answer.status).toBe(200);
    await expect.poll(() => crm.messages().map(({ messageId }) => messageId)).toContain("m1");
  });

  it("is found by Segment's libraries as the guide says: by a path on a server, by its settings in a browser", async () => {
    const analytics = new Analytics({ writeKey: WRITE_KEY, host: host.url, path: "/segment/v1/batch", maxRetries: 0 });
    analytics.track({ userId: "u1", event: "Signed Up", messageId: "m2" });
    await analytics.closeAndFlush();
    await expect.poll(() => crm.messages().map(({ messageId }) => messageId)).toContain("m2");
    const settings = await (await fetch(`${host.url}/segment/v1/projects/${WRITE_KEY}/settings`)).text();
    expect(settings).toContain(`"apiHost":"${host.url.replace("http://", "")}/segment/v1"`);
  });

  it("stores and delivers the calls of the routes beside it, and a repeated one once", async () => {
    expect((await post(`${host.url}/orders/7`, "{}")).status).toBe(201);
    expect((await post(`${host.url}/orders/7`, "{}")).status).toBe(201);
    await expect.poll(() => crm.messages().filter(({ messageId }) => messageId === "order-7")).toHaveLength(1);
  });

  it("answers bad requests itself, and nothing under other paths", async () => {
    const track = `${host.url}/segment/v1/track`;
    expect((await post(track, '{"userId":"u1"', { authorization: BASIC })).status).toBe(400);
    expect((await post(track, '{"userId":"u1"}', { authorization: BASIC })).status).toBe(400);
    expect((await post(track, '{"userId":"u1","event":"e"}', { authorization: "Basic bm86" })).status).toBe(401);
    expect((await post(`${host.url}/segment/v2/nothing`, "{}")).status).toBe(404);
    expect((await fetch(track, { method: "OPTIONS" })).status).toBeLessThan(300);
  });

  it("ends by a signal with its file closed", async () => {
    expect(await host.end()).toBe(0);
    expect(existsSync(host.file)).toBe(true);
    expect(existsSync(`${host.file}-wal`)).toBe(false);
  });
});
