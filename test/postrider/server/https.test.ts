// A server with TLS: callers that trust it, callers that do harm, and another certificate while it runs; over real sockets.

import { once } from "node:events";
import { Agent, request } from "node:https";
import { connect as connectPlain, createServer, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { connect, type ConnectionOptions, type TLSSocket } from "node:tls";
import type { TlsIdentity } from "@postrider/testkit/hostile-receivers";
import { describe, expect, it, onTestFinished } from "vitest";
import type { HttpLimits } from "../../../packages/postrider/src/server/http-limits.js";
import { look, TOKEN, WRITE_KEY } from "../../canary.js";
import { listen } from "../../loopback.js";
import { configJson } from "../config-file.js";
import { receiverOf, serverOf } from "../server.js";
import { AUTHORITY, HOSTS, pairFiles } from "./tls/pair-files.js";

const CALL = JSON.stringify({ userId: "u1", event: "Signed Up" });
const BASIC = `Basic ${Buffer.from(`${WRITE_KEY}:`).toString("base64")}`;
/** No test waits for as long, unless it sets another limit. */
const NEVER_MS = 3_600_000;

async function secureServer(limits: Partial<HttpLimits> = {}) {
  const receiver = await receiverOf();
  const pair = pairFiles(AUTHORITY.issue(HOSTS));
  const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
  const config = configJson({ destinations, apiToken: TOKEN });
  const patient = { handshakeTimeoutMs: NEVER_MS, keepAliveMs: NEVER_MS, idleMs: NEVER_MS, ...limits };
  const { server, log } = await serverOf(config, patient, undefined, pair.files);
  const port = Number(new URL(server.url).port);
  return { ...pair, receiver, server, log, port, codes: () => log.map(({ code }) => code) };
}

interface Answer {
  readonly status: number | undefined;
  readonly text: string;
}

/** A call with the website's key, on a new connection unless an agent keeps one. */
function track(url: string, agent: Agent | false = false): Promise<Answer> {
  return send(`${url}/v1/track`, { method: "POST", authorization: BASIC, body: CALL, agent });
}

function send(
  url: string,
  { method = "GET", authorization = "", body = "", agent = false as Agent | false },
): Promise<Answer> {
  const headers = { authorization, "content-length": Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, agent, ca: AUTHORITY.cert }, (response) => {
      void text(response).then((answer) => {
        look("an answer", [response.rawHeaders, answer]);
        resolve({ status: response.statusCode, text: answer });
      }, reject);
    });
    sent.on("error", reject).end(body);
  });
}

async function openConnections(url: string): Promise<number> {
  const answer = await send(`${url}/api/stats`, { authorization: `Bearer ${TOKEN}` });
  return JSON.parse(answer.text).callers.connections;
}

/** A caller that connects and says nothing. */
async function dial(port: number): Promise<Socket> {
  const socket = connectPlain(port, "127.0.0.1");
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined).resume();
  await once(socket, "connect");
  return socket;
}

/** Resolves once a socket is closed, also by a reset. */
function closed(socket: Socket): Promise<void> {
  return new Promise((resolve) => socket.once("close", () => resolve()));
}

async function shake(port: number, options: ConnectionOptions = {}): Promise<TLSSocket> {
  const socket = connect({ port, host: "127.0.0.1", ca: AUTHORITY.cert, ...options });
  onTestFinished(() => void socket.destroy());
  socket.on("error", () => undefined);
  await once(socket, "secureConnect");
  return socket;
}

/** The first bytes that a caller sends. */
async function clientHello(): Promise<Buffer> {
  const server = createServer(
    (socket) => void socket.once("data", (bytes: Buffer) => server.emit("hello", bytes, socket)),
  );
  const port = await listen(server);
  const hello = once(server, "hello");
  connect({ port, host: "127.0.0.1" }).on("error", () => undefined);
  const [bytes, socket] = (await hello) as [Buffer, Socket];
  socket.destroy();
  server.close();
  return bytes;
}

describe("a server with a certificate", () => {
  it("takes calls over https and delivers them", async () => {
    const { server, receiver } = await secureServer();
    expect(server.url).toMatch(/^https:\/\/127\.0\.0\.1:\d+$/);
    expect((await track(server.url)).status).toBe(200);
    await receiver.count(1);
    expect(receiver.messages).toMatchObject([{ userId: "u1", event: "Signed Up" }]);
  });

  it.each(["TLSv1.2", "TLSv1.3"] as const)("speaks %s", async (version) => {
    const { port } = await secureServer();
    const socket = await shake(port, { minVersion: version, maxVersion: version });
    expect(socket.getProtocol()).toBe(version);
  });

  it("speaks no older TLS, and no plain HTTP, and logs that once for a while", async () => {
    const { port, server, codes } = await secureServer();
    const old = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
    await expect(shake(port, old)).rejects.toThrow(/alert protocol version/);
    await expect(fetch(server.url.replace("https:", "http:"))).rejects.toThrow();
    expect((await track(server.url)).status).toBe(200);
    expect(codes().filter((code) => code === "handshake-failed")).toHaveLength(1);
  });

  it("notices that a caller has closed its connection", async () => {
    const { port, server } = await secureServer();
    const socket = await shake(port);
    await expect.poll(() => openConnections(server.url)).toBe(2);
    socket.end();
    await expect.poll(() => openConnections(server.url)).toBe(1);
  });
});

describe("a TLS handshake that does not go on", () => {
  it("counts as an open connection, and is cut off after a limited time", async () => {
    const { port, server } = await secureServer({ handshakeTimeoutMs: 1_000 });
    const silent = await dial(port);
    const end = closed(silent);
    const startedAt = performance.now();
    expect(await openConnections(server.url)).toBe(2);
    await end;
    expect(performance.now() - startedAt).toBeGreaterThan(500);
    expect(await openConnections(server.url)).toBe(1);
  });

  it("is cut off although its bytes keep coming, one by one", async () => {
    const { port } = await secureServer({ handshakeTimeoutMs: 300 });
    const hello = await clientHello();
    const dripping = await dial(port);
    let written = 0;
    const drip = setInterval(() => dripping.write(hello.subarray(written, (written += 1))), 20);
    onTestFinished(() => clearInterval(drip));
    await closed(dripping);
    expect(written).toBeLessThan(hello.length);
  });

  it("makes room for a caller with a key", async () => {
    const { port, server, codes } = await secureServer({ maxConnections: 5 });
    const silent = await Promise.all(Array.from({ length: 5 }, () => dial(port)));
    const end = Promise.race(silent.map(closed));
    expect((await track(server.url)).status).toBe(200);
    await end;
    expect(codes()).toContain("connections-displaced");
  });

  it("does not displace a connection that has shown a key", async () => {
    const { port, server } = await secureServer({ maxConnections: 5 });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const sockets = new Set<Socket>();
    agent.on("free", (socket: Socket) => sockets.add(socket));
    await track(server.url, agent);
    for (let callers = 0; callers < 20; callers += 1) await dial(port);
    expect((await track(server.url, agent)).status).toBe(200);
    expect(sockets.size).toBe(1);
  });

  it("is closed at once when the server stops", async () => {
    const { port, server } = await secureServer();
    const silent = await dial(port);
    const end = closed(silent);
    await expect.poll(() => openConnections(server.url)).toBe(2);
    await Promise.all([server.stop(), end]);
  });
});

describe("a request over TLS that is still arriving", () => {
  it("is answered 503 when its connection must make room", async () => {
    const { port } = await secureServer({ maxConnections: 1 });
    const caller = await shake(port);
    const answer = text(caller);
    caller.write("POST /v1/batch HTTP/1.1\r\nHost: a\r\nContent-Length: 10\r\n\r\n{");
    await expect
      .poll(async () => {
        await dial(port);
        return caller.readableEnded || caller.destroyed;
      })
      .toBe(true);
    expect(await answer).toMatch(/^HTTP\/1\.1 503 /);
  });
});

describe("a certificate that is read again", () => {
  /** The serial number of what a new connection is shown. */
  const shown = async (port: number): Promise<string> => {
    const socket = await shake(port, { rejectUnauthorized: false });
    return socket.getPeerCertificate().fingerprint256;
  };
  const fingerprint = async ({ cert }: TlsIdentity): Promise<string> => {
    const { X509Certificate } = await import("node:crypto");
    return new X509Certificate(cert).fingerprint256;
  };

  it("is shown to new connections, while open ones go on", async () => {
    const { port, server, write, log } = await secureServer();
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const sockets = new Set<Socket>();
    agent.on("free", (socket: Socket) => sockets.add(socket));
    await track(server.url, agent);
    const next = AUTHORITY.issue(HOSTS);
    write(next);
    server.rereadCertificate();
    expect(await shown(port)).toBe(await fingerprint(next));
    expect((await track(server.url, agent)).status).toBe(200);
    expect(sockets.size).toBe(1);
    const detail = expect.stringMatching(/tls\.crt is valid until 2049-01-01T00:00:00\.000Z$/);
    expect(log).toContainEqual({ level: "info", code: "certificate-replaced", detail });
  });

  it("changes nothing when it cannot be served, and the reason is logged", async () => {
    const { port, server, write, log } = await secureServer();
    const before = await shown(port);
    write({ ...AUTHORITY.issue(HOSTS), key: "" });
    server.rereadCertificate();
    expect(await shown(port)).toBe(before);
    expect((await track(server.url)).status).toBe(200);
    const detail = expect.stringMatching(/tls\.key has no private key as PEM text; the one in use stays$/);
    expect(log).toContainEqual({ level: "error", code: "certificate-refused", detail });
  });

  it("is not logged when it is the same", async () => {
    const { server, codes } = await secureServer();
    server.rereadCertificate();
    expect(codes()).toEqual([]);
  });

  it("is warned of when it is about to expire, at the start and at each time it is read", async () => {
    const soon = pairFiles(AUTHORITY.issue({ ...HOSTS, notAfter: new Date(Date.now() + 86_400_000) }));
    const { server, log } = await serverOf(configJson(), {}, undefined, soon.files);
    server.rereadCertificate();
    expect(log).toMatchObject([
      { level: "warning", code: "certificate-expires-soon" },
      { level: "warning", code: "certificate-expires-soon" },
    ]);
  });
});
