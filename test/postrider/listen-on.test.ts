import { createServer } from "node:http";
import { afterEach, describe, expect, it } from "vitest";
import { listenOn } from "../../packages/postrider/src/listen-on.js";

const servers: ReturnType<typeof createServer>[] = [];

function server(): ReturnType<typeof createServer> {
  const made = createServer((_, response) => response.end("here"));
  servers.push(made);
  return made;
}

afterEach(() => {
  for (const made of servers.splice(0)) made.close();
});

describe("listenOn", () => {
  it("says the real port where 0 was asked, with no slash at the end", async () => {
    const listening = await listenOn(server(), { host: "127.0.0.1", port: 0 });
    expect(listening).toMatchObject({
      kind: "listening",
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:[1-9]\d*$/),
    });
  });

  it.each(["::1", "[::1]"])("brackets IPv6, written as %s", async (host) => {
    const listening = await listenOn(server(), { host, port: 0 });
    if (listening.kind !== "listening") throw new Error(listening.reason);
    expect(listening.url).toMatch(/^http:\/\/\[::1\]:[1-9]\d*$/);
    expect(await (await fetch(listening.url)).text()).toBe("here");
  });

  it("says that a port is taken, and which", async () => {
    const first = await listenOn(server(), { host: "127.0.0.1", port: 0 });
    if (first.kind !== "listening") throw new Error(first.reason);
    const second = await listenOn(server(), { host: "127.0.0.1", port: Number(new URL(first.url).port) });
    expect(second).toEqual({
      kind: "failed",
      code: "port-taken",
      reason: `cannot listen on ${first.url}: another program has the port`,
    });
  });

  it("says which fault it was otherwise", async () => {
    // TEST-NET-1, an address that no machine has (RFC 5737).
    const listening = await listenOn(server(), { host: "192.0.2.1", port: 0 });
    expect(listening).toMatchObject({
      kind: "failed",
      code: "cannot-listen",
      reason: expect.stringContaining("EADDRNOTAVAIL"),
    });
  });
});
