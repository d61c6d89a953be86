import { createManualClock } from "@postrider/memory";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import { connect } from "node:net";
import { describe, expect, it } from "vitest";
import { startServer } from "../../../packages/postrider/src/server/start-server.js";
import { TOKEN, WRITE_KEY } from "../../canary.js";
import { type ConfigJson, configJson, tempFolder } from "../config-file.js";
import { createSkippingClock } from "../skipping-clock.js";
import { api, configOf, receiverOf, serverOf, track } from "../server.js";

function toReceiver(url: string, changes: object = {}) {
  return configJson({
    destinations: [{ id: "crm", sources: ["website"], endpoints: [{ url }], ...changes }],
  });
}

function startWith(json: object, port?: number) {
  return startServer({
    config: configOf(json as never),
    logger: { log: () => undefined },
    clock: createSystemClock(),
    random: createSystemRandom(),
    ...(port === undefined ? {} : { port }),
  });
}

describe("a server", () => {
  it.each(["memory:", "sqlite:./postrider.db"])("on %s accepts a call and delivers it", async (store) => {
    const receiver = await receiverOf();
    const { server } = await serverOf({ ...toReceiver(receiver.url), store });
    expect((await track(server.url)).status).toBe(200);
    await receiver.count(1);
    expect(receiver.messages[0]).toMatchObject({ type: "track", event: "Signed Up", userId: "u1" });
  });

  it("takes calls of its host as well, and hands out its relay and its health", async () => {
    const receiver = await receiverOf();
    const { server } = await serverOf(toReceiver(receiver.url));
    expect(await server.track("website", { userId: "u1", event: "e" })).toMatchObject({ kind: "accepted" });
    await receiver.count(1);
    expect((await server.relay.stats())._unsafeUnwrap()).toMatchObject({ accepted: 1 });
    expect(server.health()).toEqual({ kind: "healthy" });
  });

  it("delivers nothing to itself, though its address is allowed", async () => {
    const receiver = await receiverOf();
    const { server, log } = await serverOf(toReceiver(receiver.url));
    const changed = configOf(toReceiver(`${server.url}/v1/track`));
    expect(server.configure(changed)).toEqual([]);
    expect((await track(server.url)).status).toBe(200);
    await expect
      .poll(() => log.find(({ code }) => code === "lane-blocked"))
      .toMatchObject({ level: "warning", destination: "crm" });
    expect(receiver.messages).toEqual([]);
  });

  it("answers requests to ingest, the API and its health, and 404 to all others", async () => {
    const { server } = await serverOf(configJson({ apiToken: TOKEN }));
    const statusOf = async (path: string) => (await fetch(`${server.url}${path}`)).status;
    expect((await api(server.url, "stats", TOKEN)).status).toBe(200);
    expect(await statusOf("/api/stats")).toBe(401);
    expect(await statusOf("/healthz")).toBe(200);
    expect(await statusOf("/v1/track")).toBe(405);
    expect(await statusOf("/nothing")).toBe(404);
  });

  it("logs calls with an unknown key once in a while, with their count and never with the key", async () => {
    const clock = createSkippingClock();
    const { server, log } = await serverOf(configJson(), {}, clock);
    const unknown = () => log.filter(({ code }) => code === "unknown-key");
    for (let turn = 0; turn < 4; turn += 1) expect((await track(server.url, {}, "wk_mistyped")).status).toBe(401);
    expect((await track(server.url)).status).toBe(200);
    const detail = "a request to /v1 showed no write key, or one that no source of the config has";
    expect(unknown()).toEqual([{ level: "warning", code: "unknown-key", detail }]);
    clock.skip(10_000);
    await track(server.url, {}, "wk_mistyped");
    expect(unknown()[1]).toEqual({ level: "warning", code: "unknown-key", detail, suppressed: 3 });
    expect(JSON.stringify(log)).not.toContain("wk_mistyped");
  });

  it("warns of an endpoint at an address that delivery will refuse, its query hidden", async () => {
    const { log } = await serverOf({ ...toReceiver("http://10.0.0.1/hook?key=CANARY"), network: {} });
    expect(log).toContainEqual(
      expect.objectContaining({
        level: "warning",
        code: "forbidden-address",
        destination: "crm",
        endpoint: "http://10.0.0.1/hook?key=***",
      }),
    );
  });

  it("does not warn of addresses that the network allows", async () => {
    const { log } = await serverOf(configJson());
    expect(log).toEqual([]);
  });
});

describe("a server that cannot start", () => {
  it("reports that its port is taken", async () => {
    const { server } = await serverOf(configJson());
    const port = Number(new URL(server.url).port);
    expect(await startWith(configJson(), port)).toMatchObject({ kind: "refused", code: "port-taken" });
  });

  it("reports that its store cannot be used", async () => {
    const store = `sqlite:${tempFolder()}/no/such/folder/postrider.db`;
    expect(await startWith(configJson({ store }))).toMatchObject({
      kind: "refused",
      code: "store-unusable",
      reason: expect.stringContaining("no/such/folder/postrider.db"),
    });
  });
});

describe("the end of a server", () => {
  /** Its clock moves only when the test moves it; the time limits of its sockets use the real one. */
  async function byManualClock(json: ConfigJson) {
    const clock = createManualClock();
    const { server } = await serverOf(json, {}, clock);
    return { server, clock };
  }

  it("lets the round under way settle", async () => {
    const receiver = await receiverOf({ isHeld: true });
    const folder = tempFolder();
    const json = { ...toReceiver(receiver.url), store: `sqlite:${folder}/p.db`, apiToken: TOKEN };
    const { server } = await serverOf(json);
    await track(server.url);
    await receiver.count(1);
    const stopped = server.stop();
    receiver.answer();
    await stopped;
    const again = await serverOf(json);
    expect(await (await api(again.server.url, "stats", TOKEN)).json()).toMatchObject({
      delivered: 1,
      waiting: 0,
      claimed: 0,
    });
    expect(receiver.messages).toHaveLength(1);
  });

  it("takes at most the timeout of a receiver and a second, whatever the receiver does", async () => {
    const receiver = await receiverOf({ isHeld: true });
    const delivery = { timeoutMs: 60_000, leaseMs: 120_000 };
    const { server, clock } = await byManualClock({ ...toReceiver(receiver.url), delivery });
    const called = track(server.url);
    await receiver.count(1);
    await called;
    const stopped = server.stop();
    await clock.advance(delivery.timeoutMs + 1_000);
    await stopped;
  });

  it("does not wait for a caller who never ends its request", async () => {
    const { server, clock } = await byManualClock(configJson());
    const { hostname, port } = new URL(server.url);
    const socket = connect(Number(port), hostname);
    socket.on("error", () => undefined);
    socket.write("POST /v1/track HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{");
    await fetch(`${server.url}/healthz`);
    const stopped = server.stop();
    await clock.advance(1_000);
    await stopped;
    socket.destroy();
  });

  it("accepts no further connection", async () => {
    const { server } = await serverOf(configJson());
    await server.stop();
    await expect(track(server.url)).rejects.toThrow();
  });
});

/** Writes a head that asks for permission to send its body; answers all that comes back until the server closes. */
function askLeave(url: string, head: string, body = ""): Promise<string> {
  const { hostname, port } = new URL(url);
  const key = Buffer.from(`${WRITE_KEY}:`).toString("base64");
  return new Promise((resolve) => {
    let heard = "";
    const socket = connect(Number(port), hostname, () => {
      socket.write(
        `POST /v1/track HTTP/1.1\r\nHost: a\r\nAuthorization: Basic ${key}\r\n${head}Connection: close\r\n\r\n`,
      );
    });
    socket.on("data", (chunk: Buffer) => {
      heard += chunk.toString();
      if (heard.endsWith("100 Continue\r\n\r\n")) socket.write(body);
    });
    socket.on("error", () => undefined);
    socket.on("close", () => resolve(heard));
  });
}

describe("a body that waits for permission to be sent", () => {
  it("gets it, and is accepted", async () => {
    const { server } = await serverOf(configJson());
    const body = JSON.stringify({ userId: "u1", event: "Signed Up" });
    const head = `Expect: 100-continue\r\nContent-Length: ${String(body.length)}\r\n`;
    expect(await askLeave(server.url, head, body)).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200 /);
  });

  it.each([
    ["is too long by what it declares", "Content-Length: 500000000\r\n", 413],
    ["comes under two Hosts", "Host: b\r\nContent-Length: 2\r\n", 400],
  ])("gets none if it %s", async (_, head, status) => {
    const { server } = await serverOf(configJson());
    const heard = await askLeave(server.url, `Expect: 100-continue\r\n${head}`);
    expect(heard).toMatch(new RegExp(`^HTTP/1\\.1 ${String(status)} `));
    expect(heard).not.toContain("100 Continue");
  });
});
