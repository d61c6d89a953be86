import { createSystemClock } from "@postrider/system";
import { dirname } from "node:path";
import { describe, expect, it } from "vitest";
import { MAX_STEPS_PER_SLICE } from "../../../packages/postrider/src/timing/run-in-slices.js";
import { createReloader } from "../../../packages/postrider/src/server/reload.js";
import type { ConfigureResult } from "../../../packages/postrider/src/assembly/reconfigure.js";
import { SHOP_KEY, TOKEN } from "../../canary.js";
import { type ConfigJson, configJson, tempFolder, writeConfig } from "../config-file.js";
import { api, configOf, type Logged, receiverOf, serverOf, type ServerUnderTest, track } from "../server.js";
import { AUTHORITY, HOSTS, pairFiles } from "./tls/pair-files.js";
import { createStepClock } from "../step-clock.js";

const NO_ENV = (): undefined => undefined;
const SILENT = { log: () => undefined };

/** Reads a new config into a running server; answers what was logged about it. */
async function reloadWith({ server, log }: ServerUnderTest, content: ConfigJson | string): Promise<readonly Logged[]> {
  const before = log.length;
  const file = writeConfig(content);
  const logger = { log: (level: string, entry: object) => void (log as Logged[]).push({ level, ...entry } as Logged) };
  const reloads = createReloader({ server, file, env: NO_ENV, clock: createSystemClock(), logger });
  reloads.request();
  await reloads.idle();
  return log.slice(before);
}

describe("a config that is read again", () => {
  it("brings new sources and destinations into force", async () => {
    const receiver = await receiverOf();
    const running = await serverOf(configJson());
    const logged = await reloadWith(
      running,
      configJson({
        sources: [{ id: "shop", writeKey: SHOP_KEY }],
        destinations: [{ id: "new", sources: ["shop"], endpoints: [{ url: receiver.url }] }],
      }),
    );
    expect(logged.map(({ code }) => code)).toEqual(["configured"]);
    expect((await track(running.server.url)).status).toBe(401);
    expect((await track(running.server.url, {}, SHOP_KEY)).status).toBe(200);
    await receiver.count(1);
  });

  it("brings a new API token into force", async () => {
    const running = await serverOf(configJson({ apiToken: "the-old-api-token" }));
    await reloadWith(running, configJson({ apiToken: "the-new-api-token" }));
    expect((await api(running.server.url, "stats", "the-old-api-token")).status).toBe(401);
    expect((await api(running.server.url, "stats", "the-new-api-token")).status).toBe(200);
    await reloadWith(running, configJson());
    expect((await api(running.server.url, "stats", "the-new-api-token")).status).toBe(403);
  });

  it("brings a new network into force", async () => {
    const receiver = await receiverOf();
    const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
    const running = await serverOf(configJson({ destinations, apiToken: TOKEN }));
    await track(running.server.url);
    await receiver.count(1);
    const logged = await reloadWith(running, configJson({ destinations, network: {}, apiToken: TOKEN }));
    expect(logged.map(({ code }) => code)).toContain("forbidden-address");
    await track(running.server.url);
    await expect
      .poll(async () => (await (await api(running.server.url, "deliveries?state=waiting", TOKEN)).json()).deliveries)
      .toMatchObject([{ state: "waiting", detail: "forbidden-address", attemptCount: 0 }]);
    expect(receiver.messages).toHaveLength(1);
    await reloadWith(running, configJson({ destinations, apiToken: TOKEN }));
    await receiver.count(2);
  });

  it.each([
    ["no JSON", "{"],
    ["a bad one", configJson({ sources: [{ id: "shop", writeKey: "" }] })],
  ])("changes nothing when it is %s, and reports what is wrong", async (_, content) => {
    const running = await serverOf(configJson());
    const before = running.server.config();
    const logged = await reloadWith(running, content);
    expect(new Set(logged.map(({ level, code }) => `${level} ${code}`))).toEqual(new Set(["error config-refused"]));
    expect(running.server.config()).toBe(before);
    expect((await track(running.server.url)).status).toBe(200);
  });

  it("is read beside the certificate, which comes into force even if the config is bad", async () => {
    const pair = pairFiles(AUTHORITY.issue(HOSTS));
    const running = await serverOf(configJson(), {}, undefined, pair.files);
    pair.write(AUTHORITY.issue(HOSTS));
    const before = running.log.length;
    await reloadWith(running, "{");
    expect(running.log.slice(before).map(({ code }) => code)).toEqual(["certificate-replaced", "config-refused"]);
  });

  it("warns of changes that need a restart, and continues with the old values", async () => {
    const running = await serverOf(configJson());
    const changes = { listen: { host: "127.0.0.1", port: 1 }, store: "sqlite:./other.db" };
    const logged = await reloadWith(running, configJson(changes));
    const warned = logged.filter(({ code }) => code === "needs-restart");
    expect(warned.map(({ detail }) => detail?.split(" ")[0])).toEqual(["listen", "store"]);
    expect((await track(running.server.url)).status).toBe(200);
  });
});

describe("a config that needs a restart", () => {
  const listening = (port: number): ConfigJson => configJson({ listen: { host: "127.0.0.1", port } });

  it("is compared with what the server has started with, at each reload", async () => {
    const { server } = await serverOf(listening(0));
    const file = writeConfig(listening(1));
    const reloads = createReloader({ server, file, env: NO_ENV, clock: createSystemClock(), logger: SILENT });
    const needs = async (content: ConfigJson) => {
      writeConfig(content, dirname(file));
      const outcome = await reloads.run();
      return outcome.kind === "configured" ? outcome.needsRestart : outcome;
    };
    expect(await needs(listening(1))).toEqual(["listen"]);
    expect(await needs(listening(1))).toEqual(["listen"]);
    expect(await needs({ ...listening(1), store: "sqlite:./other.db" })).toEqual(["listen", "store"]);
    expect(await needs(listening(0))).toEqual([]);
  });

  it("is none if only a port has changed that the command line replaces", async () => {
    const { server } = await serverOf(listening(0));
    const options = {
      server,
      file: writeConfig(listening(1)),
      env: NO_ENV,
      clock: createSystemClock(),
      logger: SILENT,
    };
    expect(await createReloader({ ...options, port: 0 }).run()).toMatchObject({ needsRestart: [] });
    const host = { listen: { host: "::1", port: 1 } };
    expect(await createReloader({ ...options, port: 0, file: writeConfig(configJson(host)) }).run()).toMatchObject({
      needsRestart: ["listen"],
    });
  });
});

describe("a certificate that is read again", () => {
  it("is told as replaced, unchanged or refused, also beside a config with problems, and as none without TLS", async () => {
    const pair = pairFiles(AUTHORITY.issue(HOSTS));
    const { server } = await serverOf(configJson(), {}, undefined, pair.files);
    const file = writeConfig(configJson());
    const reloads = createReloader({ server, file, env: NO_ENV, clock: createSystemClock(), logger: SILENT });
    expect(await reloads.run()).toMatchObject({ kind: "configured", certificate: "unchanged" });
    pair.write(AUTHORITY.issue(HOSTS));
    expect(await reloads.run()).toMatchObject({ kind: "configured", certificate: "replaced" });
    pair.write({ ...AUTHORITY.issue(HOSTS), key: "none" });
    const refused = { refused: `${pair.files.keyFile} has no private key as PEM text` };
    expect(await reloads.run()).toMatchObject({ kind: "configured", certificate: refused });
    writeConfig("{", dirname(file));
    expect(await reloads.run()).toMatchObject({ kind: "refused", certificate: refused });
    const { server: plain } = await serverOf(configJson());
    const without = { server: plain, file: writeConfig(configJson()), env: NO_ENV, clock: createSystemClock() };
    const outcome = await createReloader({ ...without, logger: SILENT }).run();
    expect(outcome).toMatchObject({ kind: "configured" });
    expect(outcome).not.toHaveProperty("certificate");
  });
});

/**
 * Reloads of a config file into a server that only notes what it is given; each return to the event loop ends when it is
 * told to go on.
 */
function rigOf(content: ConfigJson) {
  const folder = tempFolder();
  const file = writeConfig(content, folder);
  const clock = createStepClock();
  const given: string[] = [];
  const logged: string[] = [];
  let answer: ConfigureResult = { kind: "configured" };
  const reloads = createReloader({
    server: {
      config: () => configOf(configJson()),
      rereadCertificate: () => undefined,
      configureInSlices: ({ workspace }) => {
        given.push(workspace.sources[0]?.id ?? "");
        return Promise.resolve(answer);
      },
    },
    file,
    env: NO_ENV,
    clock,
    logger: { log: (_, { code }) => void logged.push(code) },
  });
  return {
    reloads,
    given,
    logged,
    rewrite: (next: ConfigJson) => void writeConfig(next, folder),
    answer: (next: ConfigureResult) => (answer = next),
    goOn: clock.goOn,
  };
}

function sourceNamed(id: string, destinations = 0): ConfigJson {
  const sources = [{ id, writeKey: "wk" }];
  const ids = Array.from({ length: destinations }, (_, index) => `destination-${index}`);
  const endpoints = [{ url: "http://127.0.0.1:9/" }];
  return configJson({ sources, destinations: ids.map((one) => ({ id: one, sources: [id], endpoints })) });
}

describe("reloads that are asked for while one is under way", () => {
  it("cause one further reload, which reads the file again", async () => {
    const { reloads, given, rewrite, goOn } = rigOf(sourceNamed("first", 2 * MAX_STEPS_PER_SLICE));
    reloads.request();
    await goOn();
    for (let times = 0; times < 3; times += 1) reloads.request();
    rewrite(sourceNamed("second"));
    expect(given).toEqual([]);
    while (given.length < 2) await goOn();
    await reloads.idle();
    expect(given).toEqual(["first", "second"]);
  });

  it("start again once all are done", async () => {
    const { reloads, given, goOn } = rigOf(sourceNamed("first"));
    for (const times of [1, 2]) {
      reloads.request();
      while (given.length < times) await goOn();
      await reloads.idle();
    }
    expect(given).toEqual(["first", "first"]);
  });

  it("are dropped when they are ended, in the middle of a file", async () => {
    const { reloads, given, logged, goOn } = rigOf(sourceNamed("first", 2 * MAX_STEPS_PER_SLICE));
    reloads.request();
    await goOn();
    reloads.request();
    const ended = reloads.end();
    await goOn();
    await ended;
    reloads.request();
    await goOn();
    expect({ given, logged }).toEqual({ given: [], logged: [] });
  });

  it.each<ConfigureResult["kind"]>(["superseded", "stopped"])(
    "log nothing about a config that was %s",
    async (kind) => {
      const { reloads, given, logged, answer, goOn } = rigOf(configJson({ listen: { host: "127.0.0.1", port: 1 } }));
      answer({ kind } as ConfigureResult);
      reloads.request();
      while (given.length < 1) await goOn();
      await reloads.idle();
      expect(logged).toEqual([]);
    },
  );

  it("log the problems for which a server refuses a config", async () => {
    const { reloads, given, logged, answer, goOn } = rigOf(configJson());
    answer({ kind: "refused", problems: [{ code: "empty-id", path: "sources[0].id", expected: "an id" }] });
    reloads.request();
    while (given.length < 1) await goOn();
    await reloads.idle();
    expect(logged).toEqual(["config-refused"]);
  });

  it("tells each caller what became of a reload that began after the call", async () => {
    const { server } = await serverOf(configJson());
    const file = writeConfig(configJson({ destinations: [] }));
    const reloads = createReloader({
      server,
      file,
      env: NO_ENV,
      clock: createSystemClock(),
      logger: { log: () => undefined },
    });
    const first = reloads.run();
    writeConfig("{", dirname(file));
    const [second, third] = [reloads.run(), reloads.run()];
    expect((await Promise.all([second, third])).map(({ kind }) => kind)).toEqual(["refused", "refused"]);
    expect(["configured", "refused"]).toContain((await first).kind);
    await reloads.end();
    expect(await reloads.run()).toEqual({ kind: "stopped" });
  });
});
