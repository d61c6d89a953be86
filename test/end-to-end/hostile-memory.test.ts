// Hostile callers leave no memory in use in a server. The server runs in a separate process that is measured, in which the
// shared prototypes are frozen. Needs `tsc -b` first.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HttpLimits } from "../../packages/postrider/src/server/http-limits.js";
import { TOKEN } from "../canary.js";
import { configJson, writeConfig } from "../postrider/config-file.js";
import { api, receiverOf, track } from "../postrider/server.js";
import { measuredServer } from "./measured-server.js";
import { CALL, callRaw, CLOSE, exchange, post, statusesIn } from "./raw-caller.js";
import { pause, until } from "./receiver.js";

describe("a server in a separate process", () => {
  const RUNS = 20;

  interface Played {
    readonly limits?: Partial<HttpLimits>;
    readonly growthBytes?: number;
  }

  /** Plays `run` twenty times and expects that nothing has grown, and that no connection is left. */
  async function expectFlat(
    run: (url: string) => Promise<void>,
    { limits = {}, growthBytes = 5_000_000 }: Played = {},
  ): Promise<void> {
    const server = await measuredServer(writeConfig(configJson({ apiToken: TOKEN, destinations: [] })), limits);
    const playAndMeasure = async (runs: number): Promise<number> => {
      for (let turn = 0; turn < runs; turn += 1) await run(server.url);
      await expect.poll(async () => (await server.measure()).sockets).toBe(0);
      return (await server.measure()).bytes;
    };
    // Code that is loaded and compiled at first use is not growth.
    const before = await playAndMeasure(3);
    expect((await playAndMeasure(RUNS)) - before).toBeLessThan(growthBytes);
    expect(await exchange(server.url, post(CALL, { headers: CLOSE }))).toEqual([200]);
  }

  /** Sends the same from many callers at once; each leaves when it has an answer. */
  async function playAll(url: string, count: number, request: Uint8Array): Promise<readonly number[]> {
    const callers = await Promise.all(Array.from({ length: count }, () => callRaw(url)));
    for (const caller of callers) caller.write(request);
    await Promise.all(callers.map((caller) => caller.heard("HTTP/1.1 ")));
    for (const caller of callers) caller.leave();
    return callers.flatMap((caller) => statusesIn(caller.received()));
  }

  it("does not grow by bombs: 48 KB that unzip to 50 MB", async () => {
    const bomb = gzipSync(Buffer.alloc(50_000_000, 0x20));
    expect(bomb.length).toBeLessThan(50_000);
    await expectFlat(async (url) => {
      const statuses = await playAll(url, 10, post(bomb, { path: "/v1/batch", headers: CLOSE }));
      expect(new Set(statuses)).toEqual(new Set([413]));
    });
  });

  it("does not grow by bodies that are too long or never end", async () => {
    const long = "x".repeat(511_999);
    await expectFlat(async (url) => {
      const tooLong = await playAll(url, 5, post("x".repeat(512_001), { headers: CLOSE }));
      expect(new Set(tooLong)).toEqual(new Set([413]));
      const cut = await Promise.all(Array.from({ length: 5 }, () => callRaw(url)));
      for (const caller of cut) caller.write(post(long, { headers: "Content-Length: 512000\r\n" }));
      await pause(20);
      for (const caller of cut) caller.leave();
    });
  });

  it("does not grow by slow callers", async () => {
    await expectFlat(
      async (url) => {
        const head = playAll(url, 25, Buffer.from("POST /v1/track HTTP/1.1\r\nHost: a\r\n"));
        const body = playAll(url, 25, post("{".padEnd(20_000), { headers: "Content-Length: 500000\r\n" }));
        expect(new Set((await Promise.all([head, body])).flat())).toEqual(new Set([408]));
      },
      { limits: { headersTimeoutMs: 150, requestTimeoutMs: 200, checkIntervalMs: 30 } },
    );
  });

  it("does not grow by 10,000 wrong keys", async () => {
    let guesses = 0;
    const wrong = (): string => {
      guesses += 1;
      const key = Buffer.from(`wrong-${String(guesses)}:`).toString("base64");
      return `POST /v1/track HTTP/1.1\r\nHost: a\r\nAuthorization: Basic ${key}\r\nContent-Length: 2\r\n\r\n{}`;
    };
    await expectFlat(
      async (url) => {
        const callers = await Promise.all(Array.from({ length: 10 }, () => callRaw(url)));
        for (const caller of callers) caller.write(Array.from({ length: 50 }, wrong).join(""));
        await until(() => callers.every((caller) => statusesIn(caller.received()).length === 50), "answers");
        expect(new Set(callers.flatMap((caller) => statusesIn(caller.received())))).toEqual(new Set([401]));
        for (const caller of callers) caller.leave();
      },
      { growthBytes: 1_000_000 },
    );
    expect(guesses).toBeGreaterThanOrEqual(10_000);
  });

  it("treats keys that all objects inherit, such as __proto__, as ordinary keys", async () => {
    const receiver = await receiverOf();
    const destinations = [{ id: "crm", sources: ["website"], endpoints: [{ url: receiver.url }] }];
    const server = await measuredServer(writeConfig(configJson({ apiToken: TOKEN, destinations })));
    const nasty =
      '{"__proto__":{"isAdmin":true},"constructor":{"prototype":{"isAdmin":true}},"prototype":1,"toString":2,"hasOwnProperty":3,"toJSON":4,"valueOf":5,"then":6,"length":7,"1":8,"01":9}';
    const fields = `"userId":"u1","event":"e","context":${nasty},"integrations":${nasty}`;
    const call = `{"type":"track",${fields},"properties":${nasty},"__proto__":${nasty},"constructor":${nasty}}`;
    const batch = `{"__proto__":{"batch":[]},"context":${nasty},"integrations":${nasty},"batch":[${call}]}`;
    const answers = [];
    for (const [path, body] of [
      ["/v1/track", call],
      ["/v1/batch", batch],
    ] as const) {
      const caller = await callRaw(server.url);
      caller.write(post(body, { path, headers: CLOSE }));
      answers.push(await caller.closed());
    }
    expect(answers.flatMap(statusesIn)).toEqual([200, 200]);
    await receiver.count(2);
    for (const message of receiver.messages) {
      // Names that look like whole numbers come first, in any JSON that a program has read.
      expect(new Set(Object.keys(message["properties"] as object))).toEqual(
        new Set(Object.keys(JSON.parse(nasty) as object)),
      );
      expect(Object.keys(message["context"] as object)).toContain("__proto__");
      expect(Object.keys(message)).not.toContain("__proto__");
      expect(message["isAdmin"]).toBeUndefined();
    }

    // Such names give no access as keys, paths or filters either.
    const names = ["__proto__", "constructor", "toString"];
    for (const name of names) {
      expect((await track(server.url, {}, name)).status).toBe(401);
      expect((await fetch(`${server.url}/v1/${name}`, { method: "POST" })).status).toBe(404);
      expect((await fetch(`${server.url}/v1/projects/${name}/settings`)).status).toBe(404);
      expect((await api(server.url, name, TOKEN)).status).toBe(404);
      expect((await api(server.url, `deliveries?${name}=1`, TOKEN)).status).toBe(400);
      expect((await api(server.url, `deliveries?state=${name}`, TOKEN)).status).toBe(400);
    }
  });

  const INSIDES =
    /HTTP\/1\.1 5|node:|node_modules|\.[jt]s\b|\bat \S+ \(|[Ss][Ee][Ll][Ee][Cc][Tt] |[Ss][Qq][Ll]ite|[a-z]Error\b/;

  it("shows no internal details in any answer", async () => {
    const server = await measuredServer(writeConfig(configJson({ apiToken: TOKEN })));
    const requests = [
      post("{"),
      post(`{"a":${"[".repeat(100_000)}`),
      post('{"userId":{"toString":1},"event":["e"]}'),
      post(`{"userId":"u1","event":"e","messageId":"'; drop table message; --"}`),
      post("[]", { path: "/v1/batch" }),
      post('{"batch":[null,1,"x",[],{}]}', { path: "/v1/batch" }),
      post(gzipSync("{").subarray(0, 9)),
      post(CALL, { path: "/v1/../../etc/passwd" }),
      post(CALL, { path: "/v1/projects/%00%ff/settings" }),
      post('{"destination":{"x":1}}', { path: "/api/replay", headers: `Authorization: Bearer ${TOKEN}\r\n` }),
      Buffer.from(
        `GET /api/deliveries?limit='%20or%201=1 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`,
      ),
      Buffer.from(`GET /api/deliveries?after=%00 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`),
      Buffer.from(`GET /api/deliveries/1%20or%201 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${TOKEN}\r\n\r\n`),
      Buffer.from("OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"),
      Buffer.from("GET http://[ HTTP/1.1\r\nHost: a\r\n\r\n"),
    ];
    for (const request of requests) {
      const caller = await callRaw(server.url);
      caller.write(request);
      await caller.heard("\r\n\r\n");
      expect(caller.received()).not.toMatch(INSIDES);
      caller.leave();
    }
  });
});
