// One caller that uses as much as possible without a key, and its effect on callers with a key: over real sockets, each from
// a different address.

import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpLimits } from "../../packages/postrider/src/server/http-limits.js";
import { TOKEN, WRITE_KEY } from "../canary.js";
import { type ConfigJson, configJson } from "../postrider/config-file.js";
import { api, serverOf, type ServerUnderTest } from "../postrider/server.js";
import { CALL } from "./raw-caller.js";

const ATTACKER = "127.0.0.66";
const PROXY = "127.0.0.5";
const CALLER = "127.0.0.2";

function started(config: ConfigJson = {}, limits: Partial<HttpLimits> = {}): Promise<ServerUnderTest> {
  return serverOf(configJson({ apiToken: TOKEN, ...config }), limits);
}

interface Held {
  readonly connections: number;
  readonly requests: number;
  readonly bytes: number;
  readonly keylessBytes: number;
}

async function held(url: string): Promise<Held> {
  return ((await (await api(url, "stats", TOKEN)).json()) as { readonly callers: Held }).callers;
}

/** A bare connection from one of the loopback's addresses; it is cut after the test. */
async function dial(url: string, localAddress: string): Promise<Socket> {
  const { hostname, port } = new URL(url);
  const socket = connect({ host: hostname, port: Number(port), localAddress });
  socket.on("error", () => undefined).resume();
  onTestFinished(() => void socket.destroy());
  await new Promise((resolve) => socket.once("connect", resolve).once("close", resolve));
  return socket;
}

interface Call {
  readonly from: string;
  /** The address of the caller, as its proxy writes it. */
  readonly behind?: string;
  readonly key?: "in the head" | "in the body" | "wrong";
  readonly body?: string;
}

/** The status of one call, on a new connection; 0 if it was cut off. */
function call(url: string, { from, behind, key = "in the head", body }: Call): Promise<number> {
  const keyed = JSON.stringify({ ...JSON.parse(CALL), ...(key === "in the body" ? { writeKey: WRITE_KEY } : {}) });
  const shown = { "in the head": WRITE_KEY, "in the body": undefined, wrong: "wrong" }[key];
  const headers = {
    connection: "close",
    ...(shown === undefined ? {} : { authorization: `Basic ${btoa(`${shown}:`)}` }),
    ...(behind === undefined ? {} : { "x-forwarded-for": behind }),
  };
  return new Promise((resolve) => {
    const sent = request(
      `${url}/v1/track`,
      { method: "POST", localAddress: from, headers, agent: false },
      (response) => {
        response.resume().on("close", () => resolve(response.statusCode ?? 0));
      },
    );
    sent.on("error", () => resolve(0));
    sent.end(body ?? keyed);
  });
}

/** Makes `calls` calls, ten at a time, and returns how many had each status. */
async function statusesOf(calls: number, make: (index: number) => Promise<number>): Promise<Record<string, number>> {
  const counts: Record<string, number> = {};
  let next = 0;
  const work = async (): Promise<void> => {
    while (next < calls) {
      const status = String(await make((next += 1)));
      counts[status] = (counts[status] ?? 0) + 1;
    }
  };
  await Promise.all(Array.from({ length: 10 }, work));
  return counts;
}

describe("bodies without a key that would fill 64 MiB to the last bytes", () => {
  /** 64 MiB are 131 bodies of 512,000 bytes, one of 36,990, and 6 bytes more; each lacks its last. */
  const LARGE = 511_999;
  const SMALL = 36_989;

  async function fill(url: string, from: string): Promise<void> {
    const bodyOf = (sent: number): string =>
      `POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: ${String(sent + 1)}\r\n\r\n${"x".repeat(sent)}`;
    const [small, ...others] = await Promise.all(Array.from({ length: 132 }, () => dial(url, from)));
    for (const socket of others) socket.write(bodyOf(LARGE));
    small?.write(bodyOf(SMALL));
  }

  it("use 2 MiB for one address, and do not affect others, with the key in the head or in the body", async () => {
    const { server } = await started({ trustedProxies: [] });
    await fill(server.url, ATTACKER);
    await expect.poll(() => held(server.url)).toMatchObject({ keylessBytes: 4 * LARGE + SMALL });
    expect(await statusesOf(100, () => call(server.url, { from: CALLER }))).toEqual({ 200: 100 });
    expect(await statusesOf(100, () => call(server.url, { from: CALLER, key: "in the body" }))).toEqual({ 200: 100 });
    expect(await statusesOf(20, () => call(server.url, { from: ATTACKER }))).toEqual({ 200: 20 });
  });

  it("use 16 MiB if no address is known, and do not affect calls with a key in the head", async () => {
    const { server } = await started();
    await fill(server.url, ATTACKER);
    await expect.poll(() => held(server.url)).toMatchObject({ keylessBytes: 32 * LARGE + SMALL });
    expect(await statusesOf(100, () => call(server.url, { from: ATTACKER }))).toEqual({ 200: 100 });
  });
});

describe("heads without a body, more than connections are allowed, dialled again whenever they are dropped", () => {
  it.each([
    ["one address", () => ATTACKER],
    ["many addresses", (index: number) => `127.0.1.${String(index)}`],
  ])("from %s, let calls with a key pass", async (_, addressOf) => {
    const { server, log } = await started({ trustedProxies: [] }, { maxConnections: 100, maxKeylessPerNetwork: 25 });
    let isOver = false;
    let dials = 0;
    const hold = async (address: string): Promise<void> => {
      // A limit, so that the attack is bounded however fast it is refused.
      while (!isOver && dials < 20_000) {
        dials += 1;
        const socket = await dial(server.url, address);
        if (socket.destroyed) continue;
        socket.write("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 500\r\n\r\n");
        await new Promise((resolve) => socket.once("close", resolve));
      }
    };
    const attack = Promise.all(Array.from({ length: 110 }, (__, index) => hold(addressOf(index + 1))));
    await expect.poll(() => log.map(({ code }) => code)).toContain("connections-displaced");
    expect(await statusesOf(200, () => call(server.url, { from: CALLER }))).toEqual({ 200: 200 });
    isOver = true;
    await server.stop();
    await attack;
    expect(log.map(({ code }) => code)).not.toContain("too-many-connections");
  });
});

it("a request of another address is answered before most of a burst that was dialled before it", async () => {
  const { server } = await started({ trustedProxies: [] });
  const { hostname, port } = new URL(server.url);
  let answered = 0;
  // Dialled in one turn, so that all are to be accepted when the last one is.
  const burst = Array.from({ length: 200 }, () => {
    const socket = connect({ host: hostname, port: Number(port), localAddress: ATTACKER });
    socket.on("error", () => undefined).once("data", () => (answered += 1));
    socket.write("GET /nothing HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
    onTestFinished(() => void socket.destroy());
    return new Promise((resolve) => socket.once("close", resolve));
  });
  // It needs no store, so that the burst lasts only as long as reading and answering take.
  expect(await call(server.url, { from: CALLER, key: "wrong" })).toBe(401);
  expect(answered).toBeLessThan(100);
  await Promise.all(burst);
  expect(answered).toBe(200);
});

describe("200 callers and one attacker behind the same proxy", () => {
  const ownAddress = (index: number): string => `203.0.113.${String(index)}`;

  /** Guesses keys, and sends bodies that are not calls, until it is told nothing about keys any more. */
  async function attack(url: string, behind?: string): Promise<Record<string, number>> {
    const from = { from: PROXY, ...(behind === undefined ? {} : { behind }) };
    const guesses = await statusesOf(150, () => call(url, { ...from, key: "wrong" }));
    const junk = await statusesOf(150, () => call(url, { ...from, key: "in the body", body: "[[[[" }));
    return { guesses: guesses["429"] ?? 0, junk: junk["429"] ?? 0 };
  }

  it("that is trusted: those with a key pass, also in the body, and the attacker alone is slowed", async () => {
    const { server } = await started({ trustedProxies: [PROXY] });
    const from = { from: PROXY };
    const told = await attack(server.url, "198.51.100.66");
    expect(told["guesses"]).toBeGreaterThan(0);
    expect(told["junk"]).toBeGreaterThan(100);
    const good = (key: "in the head" | "in the body") => (index: number) =>
      call(server.url, { ...from, behind: ownAddress(index), key });
    expect(await statusesOf(200, good("in the head"))).toEqual({ 200: 200 });
    expect(await statusesOf(200, good("in the body"))).toEqual({ 200: 200 });
  });

  it("that is not: those whose key was used from there before pass", async () => {
    const { server } = await started({ trustedProxies: [] });
    const from = { from: PROXY };
    expect(await call(server.url, from)).toBe(200);
    expect((await attack(server.url))["guesses"]).toBeGreaterThan(0);
    expect(await statusesOf(200, (index) => call(server.url, { ...from, behind: ownAddress(index) }))).toEqual({
      200: 200,
    });
    expect(await statusesOf(200, () => call(server.url, { ...from, key: "in the body" }))).toEqual({ 200: 200 });
  });

  it("that is trusted from the next reload on", async () => {
    const json = configJson({ apiToken: TOKEN, trustedProxies: [] });
    const { server } = await serverOf(json);
    await attack(server.url);
    expect(await call(server.url, { from: PROXY, behind: ownAddress(1) })).toBe(429);
    server.configure({ ...server.config(), server: { ...server.config().server, trustedProxies: [PROXY] } });
    expect(await call(server.url, { from: PROXY, behind: ownAddress(1) })).toBe(200);
  });
});

it("junk without a key is slowed from one address, and others are not", async () => {
  const { server } = await started({ trustedProxies: [] });
  const junk = (): Promise<number> => call(server.url, { from: ATTACKER, key: "in the body", body: "[]" });
  const told = await statusesOf(150, junk);
  expect(told["400"]).toBeGreaterThanOrEqual(100);
  expect(told["400"]).toBeLessThan(110);
  expect(await call(server.url, { from: ATTACKER })).toBe(429);
  expect(await call(server.url, { from: CALLER, key: "in the body" })).toBe(200);
});
