import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { MAX_STEPS_PER_SLICE } from "../../../../packages/postrider/src/timing/run-in-slices.js";
import { runProgram } from "../../../../packages/postrider/src/cli/program.js";
import { configJson, writeConfig } from "../../config-file.js";
import { track } from "../../server.js";
import { AUTHORITY, HOSTS, pairFiles } from "../../server/tls/pair-files.js";
import { createTestHost, run, start } from "../../test-host.js";

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
      { level: "error", code: "port-taken", detail: expect.stringContaining(`:${port}`) },
    ]);
    taken.host.signal("SIGTERM");
    await taken.ended;
  });

  it("has status 1 when the store cannot be used", async () => {
    const config = writeConfig(configJson({ store: "sqlite:/proc/none/postrider.db" }));
    const { code, err } = await run(["serve", "--config", config]);
    expect(code).toBe(1);
    expect(JSON.parse(err[0]!)).toMatchObject({ code: "store-unusable" });
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
