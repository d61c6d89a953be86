// The real program with --record: a trace at SIGUSR2 and at the end, which replay-trace replays, or finds to differ from what
// another config does.

import { existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { gunzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { createReceiver } from "./receiver.js";
import { createScene, deliveries, destination, FAST, track } from "./scene.js";
import { runProcess, serve } from "./server-process.js";

async function incident(path: (folder: string) => string, words: readonly string[] = []) {
  const [bad, good] = [await createReceiver(503), await createReceiver(200)];
  const settings = [
    destination([`${bad.url}/a?key=of-the-query`], { id: "crm", sharedSecret: "a-secret-for-the-signature" }),
    destination([good.url], { id: "mail" }),
  ];
  const scene = createScene(settings);
  const folder = dirname(scene.config);
  const trace = path(folder);
  const server = await serve(scene.config, { words: ["--record", trace, ...words] });
  for (let call = 0; call < 10; call += 1) await track(server.url, { userId: "jane.doe@example.org" });
  await good.count(10);
  await bad.count(12);
  return { server, scene, settings, folder, trace };
}

async function replayed(...words: readonly string[]) {
  const program = runProcess(["replay-trace", ...words]);
  const { code } = await program.exit;
  return { code, out: program.out.join("\n"), err: program.err.join("\n") };
}

describe("serve --record", () => {
  it("writes a trace at the end that replay-trace replays, and that shows no secret and no user", async () => {
    const { server, trace } = await incident((folder) => join(folder, "incident.trace"));
    const [delivery] = await deliveries(server.url);
    expect((await server.end()).code).toBe(0);
    expect(server.log().filter(({ code }) => code === "trace-saved")).toMatchObject([{ detail: trace }]);
    expect(statSync(trace).mode & 0o777).toBe(0o600);
    const text = gunzipSync(readFileSync(trace)).toString();
    const hidden = [
      TOKEN,
      WRITE_KEY,
      "a-secret-for-the-signature",
      "of-the-query",
      "jane.doe@example.org",
      "Signed Up",
    ];
    for (const one of hidden) expect(text).not.toContain(one);
    const { code, out, err } = await replayed(trace, "--delivery", delivery!.id);
    expect(err).toBe("");
    expect(out).toMatch(/Z accepted .*\n(.*\n)*\d+ of \d+ turns in 1 segment, \d+ happenings[.]\nThe run did all/);
    expect(out).toContain(delivery!.id);
    expect(code).toBe(0);
    const json = await replayed(trace, "--json");
    expect(JSON.parse(json.out)).toMatchObject({ segments: 1, isCut: false, unplayed: [] });
  });

  it("says where another config departs, which begins with the first number that matters", async () => {
    const { server, scene, settings, trace } = await incident((folder) => join(folder, "incident.trace"));
    await server.end();
    expect((await replayed(trace, "--config", scene.config)).out).toContain("The run did all");
    scene.rewrite(settings, { ...FAST, timeoutMs: 9_000 });
    const other = await replayed(trace, "--config", scene.config);
    expect(other.out).toMatch(
      /The run departs[.] At .*the incident set a timer of 11000 ms; this run set a timer of 10000 ms/,
    );
    expect(other.code).toBe(1);
    writeFileSync(scene.config, "{");
    expect((await replayed(trace, "--config", scene.config)).code).toBe(2);
  });

  it("writes a further file into a folder at each SIGUSR2, while it goes on", async () => {
    const { server, trace } = await incident((folder) => {
      const into = join(folder, "traces");
      mkdirSync(into);
      return into;
    });
    server.signal("SIGUSR2");
    await expect.poll(() => readdirSync(trace).filter((name) => name.endsWith(".trace")).length).toBe(1);
    expect(await track(server.url)).toBe(200);
    await server.end();
    const files = readdirSync(trace);
    expect(files).toHaveLength(2);
    for (const file of files) expect((await replayed(join(trace, file))).code).toBe(0);
  });

  it("logs that a trace could not be written, and ends as it would without", async () => {
    const { server, trace } = await incident((folder) => join(folder, "no", "such", "folder.trace"));
    expect((await server.end()).code).toBe(0);
    expect(server.log().map(({ code }) => code)).toContain("trace-not-saved");
    expect(existsSync(trace)).toBe(false);
  });
});

describe("replay-trace", () => {
  it("refuses what is no trace", async () => {
    const { folder } = { folder: dirname(createScene([]).config) };
    const file = join(folder, "other");
    writeFileSync(file, "hello");
    expect(await replayed(file)).toMatchObject({ code: 1, err: expect.stringContaining("no trace of Postrider") });
  });
});
