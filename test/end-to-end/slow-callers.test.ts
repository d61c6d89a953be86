// The answers of the whole server to slow callers, and to too many callers, over bare sockets.

import { describe, expect, it } from "vitest";
import { HTTP_LIMITS, type HttpLimits } from "../../packages/postrider/src/server/http-limits.js";
import { TOKEN } from "../canary.js";
import { configJson } from "../postrider/config-file.js";
import { api, serverOf, type ServerUnderTest, track } from "../postrider/server.js";
import { CALL, callRaw, chunked, CLOSE, exchange, post, QUICK, type RawCaller, statusesIn } from "./raw-caller.js";
import { pause } from "./receiver.js";

function started(limits: Partial<HttpLimits> = {}): Promise<ServerUnderTest> {
  return serverOf(configJson({ apiToken: TOKEN }), limits);
}

async function stats(url: string): Promise<unknown> {
  return (await api(url, "stats", TOKEN)).json();
}

describe("a slow caller", () => {
  it("is cut off while it sends the head slowly, or sends nothing", async () => {
    const { server } = await started({ ...QUICK, requestTimeoutMs: 3_600_000 });
    const head = "POST /v1/track HTTP/1.1\r\n";
    const silent = await callRaw(server.url);
    const dripping = await callRaw(server.url);
    const drip = async (): Promise<void> => {
      dripping.write(head);
      for (let index = 0; index < 100 && dripping.received() === ""; index += 1) {
        dripping.write(`X-${String(index)}: 1\r\n`);
        await pause(30);
      }
    };
    await Promise.all([drip(), silent.closed(), dripping.closed()]);
    expect([silent, dripping].map((caller) => statusesIn(caller.received()))).toEqual([[408], [408]]);
  });

  it("is cut off while it sends the body slowly, and nothing of it is stored", async () => {
    const { server } = await started(QUICK);
    const plain = await callRaw(server.url);
    plain.write(post("", { headers: `Content-Length: ${String(CALL.length)}\r\n` }));
    const pieces = await callRaw(server.url);
    pieces.write(post("", { headers: "Transfer-Encoding: chunked\r\n" }));
    const drip = async (caller: RawCaller, write: (letter: string) => string): Promise<void> => {
      for (const letter of CALL) {
        if (caller.received() !== "") return;
        caller.write(write(letter));
        await pause(30);
      }
    };
    await Promise.all([drip(plain, (letter) => letter), drip(pieces, (letter) => chunked(letter))]);
    await Promise.all([plain.closed(), pieces.closed()]);
    expect([plain, pieces].map((caller) => statusesIn(caller.received()))).toEqual([[408], [408]]);
    expect(await stats(server.url)).toMatchObject({ accepted: 0, refused: 0 });
  });

  it("releases its reservation when it is cut off", async () => {
    const { server } = await started(QUICK);
    const callers = await Promise.all(Array.from({ length: 20 }, () => callRaw(server.url)));
    for (const caller of callers) caller.write(post("x".repeat(5_000), { headers: "Content-Length: 5001\r\n" }));
    await expect.poll(() => stats(server.url)).toMatchObject({ callers: { reading: 20, bytes: 100_000 } });
    await Promise.all(callers.map((caller) => caller.closed()));
    expect(callers.flatMap((caller) => statusesIn(caller.received()))).toEqual(callers.map(() => 408));
    await expect.poll(() => stats(server.url)).toMatchObject({ callers: { requests: 1, reading: 0, bytes: 0 } });
  });

  it("is cut off when it sends nothing any more, long before its time limit", async () => {
    const { server } = await started({ idleMs: 200, requestTimeoutMs: 3_600_000 });
    const caller = await callRaw(server.url);
    caller.write(post("{", { headers: "Content-Length: 100\r\n" }));
    expect(await caller.closed()).toBe("");
  });

  it("may keep a connection for a limited time between requests", async () => {
    const [brief, patient] = [await started({ keepAliveMs: 200 }), await started({ keepAliveMs: 3_600_000 })];
    const callers = [await callRaw(brief.server.url), await callRaw(patient.server.url)] as const;
    for (const caller of callers) {
      caller.write(post(CALL));
      await caller.heard("200 OK");
    }
    await callers[0].closed();
    callers[1].write(post(CALL, { headers: CLOSE }));
    expect([statusesIn(await callers[0].closed()), statusesIn(await callers[1].closed())]).toEqual([[200], [200, 200]]);
  });

  it("delays no other caller, however many slow callers there are", async () => {
    const { server } = await started();
    const callers = await Promise.all(Array.from({ length: 200 }, () => callRaw(server.url)));
    for (const [index, caller] of callers.entries()) {
      caller.write(
        index % 2 === 0 ? "POST /v1/track HTTP/1.1\r\nHost: a" : post("{", { headers: "Content-Length: 500\r\n" }),
      );
    }
    for (let turn = 0; turn < 20; turn += 1) expect((await track(server.url)).status).toBe(200);
    expect(await stats(server.url)).toMatchObject({ accepted: 20 });
  });
});

describe("connections", () => {
  it("with a known key beyond the bound are dropped and logged, and accepted again once others have left", async () => {
    const { server, log } = await started({ maxConnections: 3, keepAliveMs: 3_600_000 });
    const callers = await Promise.all([1, 2, 3].map(() => callRaw(server.url)));
    for (const caller of callers) {
      caller.write(post(CALL));
      await caller.heard("200 OK");
    }
    const dropped = await callRaw(server.url);
    dropped.write(post(CALL, { headers: CLOSE }));
    expect(await dropped.closed()).toBe("");
    expect(log).toContainEqual({
      level: "error",
      code: "too-many-connections",
      detail: "3 are open, no more are accepted",
    });
    expect(log.map(({ code }) => code)).not.toContain("connections-displaced");
    callers[0]?.leave();
    await expect.poll(() => exchange(server.url, post(CALL, { headers: CLOSE }))).toEqual([200]);
  });

  it("without a key are displaced, the oldest first, with an answer if a request is arriving, and are logged", async () => {
    const { server, log } = await started({ maxConnections: 3 });
    const silent = await callRaw(server.url);
    const arriving = await callRaw(server.url);
    const keyless = "POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{";
    arriving.write(keyless);
    const young = await callRaw(server.url);
    await expect.poll(() => stats(server.url)).toMatchObject({ callers: { requests: 2, reading: 1 } });
    expect(await silent.closed()).toBe("");
    expect(await exchange(server.url, post(CALL, { headers: CLOSE }))).toEqual([200]);
    const told = await arriving.closed();
    expect(statusesIn(told)).toEqual([503]);
    expect(told).toMatch(/Retry-After: 1\r\n[\s\S]*"overloaded"/);
    expect(young.received()).toBe("");
    expect(log).toContainEqual({
      level: "warning",
      code: "connections-displaced",
      detail: "3 are open; one that has shown no known key was closed for a new one",
    });
    await expect.poll(() => stats(server.url)).toMatchObject({ callers: { requests: 1, bytes: 0, keylessBytes: 0 } });
  });

  it("are 1,000 at most, and time limits are those of the documents, unless a test sets others", () => {
    expect(HTTP_LIMITS).toMatchObject({
      headersTimeoutMs: 10_000,
      requestTimeoutMs: 30_000,
      keepAliveMs: 5_000,
      idleMs: 60_000,
      maxHeaderBytes: 16_384,
      maxHeaders: 100,
      maxPipelined: 64,
      maxConnections: 1_000,
      maxKeylessPerNetwork: 250,
      maxAcceptedInRow: 16,
      maxPromptPerNetwork: 2,
      maxStartsPerTick: 4,
    });
  });
});
