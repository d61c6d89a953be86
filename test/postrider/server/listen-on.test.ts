import { existsSync, readFileSync } from "node:fs";
import { createServer } from "node:http";
import { connect, type Socket } from "node:net";
import { afterEach, describe, expect, it } from "vitest";
import { listenOn } from "../../../packages/postrider/src/server/listen-on.js";

const servers: ReturnType<typeof createServer>[] = [];

function server(): ReturnType<typeof createServer> {
  const made = createServer((_, response) => response.end("here"));
  servers.push(made);
  return made;
}

function systemHolds(connections: number): boolean {
  const bound = "/proc/sys/net/core/somaxconn";
  return existsSync(bound) && Number(readFileSync(bound, "utf8")) >= connections;
}

afterEach(() => {
  for (const made of servers.splice(0)) made.close();
});

describe("listenOn", () => {
  it("answers the real port if 0 was asked for, with no slash at the end", async () => {
    const listening = await listenOn(server(), { host: "127.0.0.1", port: 0 });
    expect(listening).toMatchObject({
      kind: "ok",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/),
    });
  });

  it.each(["::1", "[::1]"])("brackets IPv6, written as %s", async (host) => {
    const listening = await listenOn(server(), { host, port: 0 });
    if (listening.kind !== "ok") throw new Error(listening.reason);
    expect(listening.url).toMatch(/^http:\/\/\[::1\]:[1-9]\d*$/);
    expect(await (await fetch(listening.url)).text()).toBe("here");
  });

  // If the system queues fewer connections, the test can show nothing.
  it.runIf(systemHolds(1_000))("accepts 800 connections that are dialled at once, each at the first try", async () => {
    const made = server();
    const accepted: (number | undefined)[] = [];
    made.on("connection", (socket: Socket) => accepted.push(socket.remotePort));
    const listening = await listenOn(made, { host: "127.0.0.1", port: 0 });
    if (listening.kind !== "ok") throw new Error(listening.reason);
    const port = Number(new URL(listening.url).port);
    const dial = (): Socket => connect(port, "127.0.0.1").on("error", () => undefined);
    const dialled = Array.from({ length: 800 }, dial);
    // A dropped connection is dialled again a second later, after those that were dialled meanwhile.
    await expect.poll(() => accepted.length, { interval: 1 }).toBeGreaterThan(50);
    const late = dial();
    await expect.poll(() => accepted.length, { timeout: 20_000 }).toBe(801);
    expect(accepted.at(-1)).toBe(late.localPort);
    for (const socket of [...dialled, late]) socket.destroy();
  });

  it("reports that a port is taken, and which", async () => {
    const first = await listenOn(server(), { host: "127.0.0.1", port: 0 });
    if (first.kind !== "ok") throw new Error(first.reason);
    const second = await listenOn(server(), { host: "127.0.0.1", port: Number(new URL(first.url).port) });
    expect(second).toEqual({
      kind: "refused",
      code: "port-taken",
      reason: `cannot listen on ${first.url}: another program has the port`,
    });
  });

  it("reports any other fault by its name", async () => {
    // TEST-NET-1, an address that no machine has (RFC 5737).
    const listening = await listenOn(server(), { host: "192.0.2.1", port: 0 });
    expect(listening).toMatchObject({
      kind: "refused",
      code: "cannot-listen",
      reason: expect.stringContaining("EADDRNOTAVAIL"),
    });
  });
});
