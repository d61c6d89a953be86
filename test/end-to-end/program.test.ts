import { readdirSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import { tempFolder } from "../postrider/config-file.js";
import { createReceiver } from "./receiver.js";
import { createScene, deliveries, destination, FAST, SHORT_LEASE, track } from "./scene.js";
import { runProcess, serve } from "./server-process.js";

/** A port that another program uses. */
async function takenPort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => void server.close());
  return (server.address() as AddressInfo).port;
}

async function isListening(url: string): Promise<boolean> {
  return fetch(`${url}/healthz`).then(
    () => true,
    () => false,
  );
}

describe("the server as a process", () => {
  it.each(["SIGTERM", "SIGINT"] as const)(
    "ends with status 0 after %s, and has written its addresses to stdout",
    async (signal) => {
      const receiver = await createReceiver(404);
      const server = await serve(createScene([destination([receiver.url])]).config);
      await track(server.url);
      await receiver.count(1);
      server.signal(signal);
      expect(await server.exit).toEqual({ code: 0, signal: null });
      const login = expect.stringMatching(
        `^console ${server.url}/console/#login=\\S+ logs in once, within 10 minutes$`,
      ) as string;
      expect(server.out).toEqual([`listening on ${server.url}`, login]);
      expect(server.log().length).toBeGreaterThan(0);
      for (const line of server.log()) {
        expect(Object.keys(line).slice(0, 7)).toEqual([
          "time",
          "level",
          "code",
          "delivery",
          "destination",
          "endpoint",
          "detail",
        ]);
      }
    },
  );

  it("lets the rounds under way settle before it ends", async () => {
    const receiver = await createReceiver("silent");
    const { config } = createScene([destination([receiver.url])], SHORT_LEASE);
    const server = await serve(config);
    await track(server.url);
    await receiver.count(1);
    expect((await server.end()).code).toBe(0);
    receiver.behave(200);
    const again = await serve(config);
    await receiver.count(2);
    const [delivery] = await deliveries(again.url);
    expect(delivery?.attempts[0]).toMatchObject({ fault: "timeout", verdict: "retry" });
  });

  it("ends at once, with status 130, at a second signal", async () => {
    const receiver = await createReceiver("silent");
    const { config } = createScene([destination([receiver.url])], {
      ...FAST,
      timeoutMs: 3_600_000,
      leaseMs: 7_200_000,
    });
    const server = await serve(config);
    await track(server.url);
    await receiver.count(1);
    server.signal("SIGTERM");
    await expect.poll(() => isListening(server.url)).toBe(false);
    server.signal("SIGTERM");
    expect((await server.exit).code).toBe(130);
  });

  it("ends with status 1 and a clear line when its port is taken", async () => {
    const port = await takenPort();
    const { config } = createScene([]);
    const program = runProcess(["serve", "--config", config, "--port", String(port)]);
    expect((await program.exit).code).toBe(1);
    expect(program.out).toEqual([]);
    expect(program.err.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", code: "starting" },
      { level: "error", code: "port-taken" },
    ]);
  });

  it("ends with status 1 and a clear line when its store is not a database", async () => {
    const { config } = createScene([]);
    writeFileSync(config.replace(/json$/, "db"), "not a database, but long enough to be read as one".repeat(100));
    const program = runProcess(["serve", "--config", config]);
    expect((await program.exit).code).toBe(1);
    expect(program.err.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", code: "starting" },
      { level: "error", code: "store-unusable" },
    ]);
  });

  it.each([
    ["a bad config", ["serve", "--config", "package.json"]],
    ["no such file", ["serve", "--config", "/nowhere.json"]],
    ["a wrong command line", ["serve", "--fly"]],
  ])("ends with status 2 for %s, without a stack", async (_, words) => {
    const program = runProcess(words);
    expect((await program.exit).code).toBe(2);
    expect(program.out).toEqual([]);
    expect(program.err.length).toBeGreaterThan(0);
    expect(program.err.join("\n")).not.toMatch(/^\s+at /m);
  });

  it("logs warnings of the runtime in lines of the usual form", async () => {
    const env = { NODE_TLS_REJECT_UNAUTHORIZED: "0" };
    // The connection has to be accepted for a handshake to begin, at which Node warns.
    const { url } = await createReceiver(200);
    const server = await serve(createScene([destination([url.replace("http:", "https:")])]).config, { env });
    await track(server.url);
    const warning = { level: "warning", code: "runtime-warning", detail: expect.stringContaining("NODE_TLS") };
    await expect.poll(() => server.log()).toContainEqual(expect.objectContaining(warning));
  });

  it("continues unchanged when the config that it reads at SIGHUP is bad", async () => {
    const receiver = await createReceiver(200);
    const { config } = createScene([destination([receiver.url])]);
    const server = await serve(config);
    writeFileSync(config, "{");
    server.signal("SIGHUP");
    await expect.poll(() => server.log().map(({ code }) => code)).toContain("config-refused");
    expect(await track(server.url)).toBe(200);
    await receiver.count(1);
  });
});

describe("the demo as a process", () => {
  it.each(["SIGINT", "SIGTERM"] as const)(
    "shows the arrival of every kind, keeps running, and leaves no files behind after %s",
    async (signal) => {
      const folder = tempFolder();
      const demo = runProcess(["demo"], { env: { PORT: "0", TMPDIR: folder } });
      await demo.line(/^Ctrl-C ends/);
      const rows = demo.out.filter((line) => / ok +[\d.]+ ms$/.test(line)).map((line) => line.trim().split(" ")[0]);
      expect(rows).toEqual(["identify", "track", "page", "screen", "group", "alias"]);
      expect(readdirSync(folder)).toHaveLength(1);
      const url = /http:\S+/.exec(demo.out.find((line) => line.startsWith("server"))!)![0];
      const sent = runProcess([
        "send",
        "--url",
        url,
        "--write-key",
        "wk_demo",
        "track",
        "--user",
        "u9",
        "--event",
        "Mine",
      ]);
      expect((await sent.exit).code).toBe(0);
      expect(await demo.line(/"event":"Mine"/)).toContain("signature ok");
      demo.signal(signal);
      expect((await demo.exit).code).toBe(0);
      expect(readdirSync(folder)).toEqual([]);
      expect(demo.err).toEqual([]);
    },
  );

  it("reports that its port is taken, and uses a free one", async () => {
    const port = await takenPort();
    const demo = runProcess(["demo"], { env: { PORT: String(port), TMPDIR: tempFolder() } });
    await demo.line(/^Ctrl-C ends/);
    expect(demo.out[0]).toBe(`port ${port} is taken by another program, so the demo uses a free one`);
    demo.signal("SIGINT");
    expect((await demo.exit).code).toBe(0);
  });

  it("has status 2 if PORT is not a port", async () => {
    const demo = runProcess(["demo"], { env: { PORT: "many" } });
    expect((await demo.exit).code).toBe(2);
    expect(demo.err[0]).toMatch(/^error: .*PORT/);
  });
});
