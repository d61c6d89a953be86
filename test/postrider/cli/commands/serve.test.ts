import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAX_STEPS_PER_SLICE } from "../../../../packages/postrider/src/timing/run-in-slices.js";
import { runProgram } from "../../../../packages/postrider/src/cli/program.js";
import { TOKEN } from "../../../canary.js";
import { configJson, writeConfig } from "../../config-file.js";
import { track } from "../../server.js";
import { AUTHORITY, HOSTS, pairFiles } from "../../server/tls/pair-files.js";
import { createTestHost, run, start } from "../../test-host.js";

/** A server that has taken one call and ended; answers the lines of its log. */
async function logOf(words: readonly string[], isTerminal = false): Promise<readonly string[]> {
  const host = { ...createTestHost(), errIsTerminal: isTerminal };
  const ended = runProgram(host, ["serve", "--config", writeConfig(configJson()), ...words]);
  const url = (await host.line(/^listening on /)).slice("listening on ".length);
  expect((await track(url)).status).toBe(200);
  host.signal("SIGTERM");
  expect(await ended).toBe(0);
  return host.lines.err;
}

/** An environment that knows a secret, and how often it was asked for it in each turn of the event loop. */
function countedEnv() {
  const perTurn: number[] = [];
  let isSameTurn = false;
  const env = (name: string): string | undefined => {
    if (name !== "SECRET") return undefined;
    if (!isSameTurn) {
      perTurn.push(0);
      setImmediate(() => (isSameTurn = false));
    }
    isSameTurn = true;
    perTurn[perTurn.length - 1]! += 1;
    return "s3cret";
  };
  return { env, perTurn };
}

/** A config whose every destination asks the environment for its secret. */
function askingJson(destinations: number) {
  const ids = Array.from({ length: destinations }, (_, index) => `destination-${index}`);
  const sources = ["website"];
  return configJson({
    destinations: ids.map((id) => ({
      id,
      sources,
      endpoints: [{ url: "http://127.0.0.1:9/" }],
      sharedSecret: "env:SECRET",
    })),
  });
}

describe("postrider serve", () => {
  it("prints its URL on one line of standard output, once it accepts calls", async () => {
    const { host, url, ended } = await start(["serve", "--config", writeConfig(configJson())]);
    expect((await track(url)).status).toBe(200);
    expect(url).toMatch(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/);
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
    expect(host.lines.out).toEqual([`listening on ${url}`]);
  });

  it("listens on the port of the command line rather than the config's", async () => {
    const taken = await start(["serve", "--config", writeConfig(configJson())]);
    const listen = { host: "127.0.0.1", port: Number(new URL(taken.url).port) };
    const other = await start(["serve", "--config", writeConfig(configJson({ listen })), "--port", "0"]);
    expect(other.url).not.toBe(taken.url);
    for (const { host, ended } of [taken, other]) {
      host.signal("SIGINT");
      expect(await ended).toBe(0);
    }
  });

  it("has status 1 when the port is taken, and reports that in a log line", async () => {
    const taken = await start(["serve", "--config", writeConfig(configJson())]);
    const port = new URL(taken.url).port;
    const { code, out, err } = await run(["serve", "--config", writeConfig(configJson()), "--port", port]);
    expect({ code, out }).toEqual({ code: 1, out: [] });
    expect(err.map((line) => JSON.parse(line))).toMatchObject([
      { level: "info", code: "starting" },
      { level: "error", code: "port-taken", detail: expect.stringContaining(`:${port}`) },
    ]);
    taken.host.signal("SIGTERM");
    await taken.ended;
  });

  it("has status 1 when the store cannot be used", async () => {
    const config = writeConfig(configJson({ store: "sqlite:/proc/none/postrider.db" }));
    const { code, err } = await run(["serve", "--config", config]);
    expect(code).toBe(1);
    expect(JSON.parse(err.at(-1)!)).toMatchObject({ code: "store-unusable" });
  });

  it("has status 2 when the config is bad, and logs every problem with its path", async () => {
    const config = writeConfig(configJson({ sources: [{ id: "" }], surprise: 1 }));
    const { code, out, err } = await run(["serve", "--config", config]);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    const details = err.map((line) => JSON.parse(line).detail as string);
    expect(details).toEqual(
      expect.arrayContaining([expect.stringMatching(/^surprise: /), expect.stringMatching(/^sources\[0\]/)]),
    );
  });

  it.each(["--tls-cert", "--tls-key"])("wants %s with its other half", async (option) => {
    const { code, out, err } = await run(["serve", "--config", writeConfig(configJson()), option, "a.pem"]);
    expect({ code, out, err }).toEqual({
      code: 2,
      out: [],
      err: ["error: give both --tls-cert and --tls-key, or neither"],
    });
  });

  it("has status 2 when the certificate cannot be served, and does not open the store", async () => {
    const { files } = pairFiles({ ...AUTHORITY.issue(HOSTS), key: "" });
    const config = writeConfig(configJson({ store: "sqlite:./unopened.db" }));
    const tls = ["--tls-cert", files.certFile, "--tls-key", files.keyFile];
    const { code, out, err } = await run(["serve", "--config", config, ...tls]);
    expect({ code, out }).toEqual({ code: 2, out: [] });
    const detail = `${files.keyFile} has no private key as PEM text`;
    expect(JSON.parse(err.at(-1)!)).toMatchObject({ level: "error", code: "certificate-refused", detail });
    expect(existsSync(config.replace("postrider.json", "unopened.db"))).toBe(false);
  });

  it("reads the config again at SIGHUP", async () => {
    const folder = writeConfig(configJson()).replace(/\/[^/]+$/, "");
    const { host, url, ended } = await start(["serve", "--config", `${folder}/postrider.json`]);
    writeConfig(configJson({ sources: [{ id: "website", writeKey: "wk_other" }] }), folder);
    host.signal("SIGHUP");
    await expect.poll(async () => (await track(url)).status).toBe(401);
    expect((await track(url, {}, "wk_other")).status).toBe(200);
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
  });

  it.each(["start", "reload"])(
    "reads at most a slice of destinations in one turn of the loop at a %s",
    async (when) => {
      const { env, perTurn } = countedEnv();
      const host = { ...createTestHost(), env };
      const folder = writeConfig(when === "start" ? askingJson(1_000) : configJson()).replace(/\/[^/]+$/, "");
      const ended = runProgram(host, ["serve", "--config", `${folder}/postrider.json`]);
      await host.line(/^listening on /);
      if (when === "reload") {
        writeConfig(askingJson(1_000), folder);
        host.signal("SIGHUP");
        await expect.poll(() => host.lines.err).toContainEqual(expect.stringContaining('"configured"'));
      }
      host.signal("SIGTERM");
      expect(await ended).toBe(0);
      expect(Math.max(...perTurn)).toBeLessThanOrEqual(MAX_STEPS_PER_SLICE);
      expect(perTurn.reduce((sum, count) => sum + count)).toBe(1_000);
    },
  );
});

describe("the log of postrider serve", () => {
  it("begins with what the server is, and ends with how long it has run", async () => {
    const log = (await logOf([])).map((line) => JSON.parse(line));
    expect(log[0]).toMatchObject({
      level: "info",
      code: "starting",
      version: expect.stringMatching(/^\d+\.\d+\.\d+/),
      node: process.versions.node,
      store: "memory:",
      sources: 1,
      destinations: 1,
      api: false,
      tls: false,
    });
    expect(log.at(-1)).toMatchObject({ level: "info", code: "stopped", durationMs: expect.any(Number) });
  });

  it("names the file of the store, and says that the API and TLS are on", async () => {
    const { files } = pairFiles(AUTHORITY.issue(HOSTS));
    const config = writeConfig(configJson({ store: "sqlite:./postrider.db", apiToken: TOKEN }));
    const tls = ["--tls-cert", files.certFile, "--tls-key", files.keyFile];
    const { host, ended } = await start(["serve", "--config", config, ...tls]);
    const store = `sqlite:${config.replace("postrider.json", "postrider.db")}`;
    expect(JSON.parse(host.lines.err[0]!)).toMatchObject({ store, api: true, tls: true });
    host.signal("SIGTERM");
    await ended;
  });

  it("is text on a terminal, one line per entry", async () => {
    const [first, ...others] = await logOf([], true);
    expect(first).toMatch(
      /^\S+Z info {4}starting {13}version=\S+ node=\S+ store=memory: sources=1 destinations=1 api=false/,
    );
    for (const line of others) expect(line).toMatch(/^\S+Z (info|warning|error) +[a-z-]+/);
  });

  it("is written in the form that the operator chooses", async () => {
    expect((await logOf(["--log-format", "text"]))[0]).toMatch(/^\S+Z info /);
    expect(JSON.parse((await logOf(["--log-format", "json"], true))[0]!)).toMatchObject({ code: "starting" });
  });

  it.each([
    ["error", []],
    ["warn", ["forbidden-address"]],
    ["info", ["starting", "forbidden-address", "listening", "configured", "stopped"]],
  ])("leaves out what is less important than %s", async (level, codes) => {
    const config = writeConfig(configJson({ network: {} }));
    const { host, ended } = await start(["serve", "--config", config, "--log-level", level]);
    writeConfig(configJson(), config.replace(/\/[^/]+$/, ""));
    host.signal("SIGHUP");
    if (level === "info")
      await expect.poll(() => host.lines.err).toContainEqual(expect.stringContaining('"configured"'));
    host.signal("SIGTERM");
    expect(await ended).toBe(0);
    expect(host.lines.err.map((line) => JSON.parse(line).code)).toEqual(codes);
  });

  it("has each step of a call at level debug", async () => {
    const log = (await logOf(["--log-level", "debug"])).map((line) => JSON.parse(line));
    expect(log).toContainEqual(
      expect.objectContaining({ level: "debug", code: "accepted", source: "website", count: 1 }),
    );
  });

  it("knows no other level and no other form", async () => {
    const config = writeConfig(configJson());
    const level = await run(["serve", "--config", config, "--log-level", "loud"]);
    expect(level).toMatchObject({ code: 2, err: [expect.stringContaining("Expected debug, info, warn or error.")] });
    const format = await run(["serve", "--config", config, "--log-format", "xml"]);
    expect(format).toMatchObject({ code: 2, err: [expect.stringContaining("Allowed choices are json, text.")] });
  });
});
