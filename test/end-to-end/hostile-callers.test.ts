// The answers of the whole server to requests that are too large or broken, over bare sockets; nothing of them is stored.
// Slow callers, and too many of them, are in slow-callers.test.ts; the memory that all of them use, in
// hostile-memory.test.ts.

import { gzipSync } from "node:zlib";
import { describe, expect, it } from "vitest";
import type { HttpLimits } from "../../packages/postrider/src/server/http-limits.js";
import { TOKEN } from "../canary.js";
import { configJson } from "../postrider/config-file.js";
import { api, serverOf, type ServerUnderTest, track } from "../postrider/server.js";
import { BASIC, CALL, callRaw, chunked, CLOSE, exchange, post, QUICK, statusesIn } from "./raw-caller.js";
import { pause } from "./receiver.js";

function started(limits: Partial<HttpLimits> = {}): Promise<ServerUnderTest> {
  return serverOf(configJson({ apiToken: TOKEN }), limits);
}

/** Counts calls, those refused too. */
async function counted(url: string): Promise<{ readonly accepted: number; readonly refused: number }> {
  return (await (await api(url, "stats", TOKEN)).json()) as { accepted: number; refused: number };
}

describe("a head", () => {
  const headers = (count: number): string =>
    Array.from({ length: count }, (_, index) => `X-${String(index)}: 1\r\n`).join("");

  it("of a hundred fields is accepted, and of more is refused rather than cut", async () => {
    const { server } = await started();
    // Host, Authorization, Content-Length and Connection are four further fields.
    expect(await exchange(server.url, post(CALL, { headers: headers(96) + CLOSE }))).toEqual([200]);
    expect(await exchange(server.url, post(CALL, { headers: headers(97) + CLOSE }))).toEqual([431]);
    expect(await exchange(server.url, post(CALL, { headers: headers(2_000) + CLOSE }))).toEqual([431]);
  });

  it("of more than 16 KiB is refused", async () => {
    const { server } = await started();
    const long = (length: number): string => `X-Long: ${"x".repeat(length)}\r\n${CLOSE}`;
    expect(await exchange(server.url, post(CALL, { headers: long(15_000) }))).toEqual([200]);
    expect(await exchange(server.url, post(CALL, { headers: long(17_000) }))).toEqual([431]);
  });

  it.each([
    ["two Hosts", `POST /v1/track HTTP/1.1\r\nHost: a\r\nhost: b\r\n${BASIC}Content-Length: 2\r\n\r\n{}`],
    ["no Host", `POST /v1/track HTTP/1.1\r\n${BASIC}${CLOSE}Content-Length: ${String(CALL.length)}\r\n\r\n${CALL}`],
    ["a space before the colon", "POST /v1/track HTTP/1.1\r\nHost: a\r\nX-A : 1\r\n\r\n"],
    ["a folded line", "POST /v1/track HTTP/1.1\r\nHost: a\r\nX-A: 1\r\n 2: 3\r\nContent-Length: x\r\n\r\n"],
    ["a bare NUL", "POST /v1/track HTTP/1.1\r\nHost: a\r\nX-A: \u0000\r\n\r\n"],
    ["no HTTP", "\u0016\u0003\u0001\u0002\u0000\u0001\u0000\r\n\r\n"],
    ["HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
  ])("with %s is refused, and the connection closed", async (_, text) => {
    const { server } = await started();
    const statuses = await exchange(server.url, text);
    expect(statuses.length).toBeLessThanOrEqual(1);
    expect(statuses.filter((status) => status !== 400)).toEqual([]);
  });

  it("with two keys is read with the first of them", async () => {
    const { server } = await started();
    const wrong = `Authorization: Basic ${Buffer.from("wrong:").toString("base64")}\r\n`;
    expect(await exchange(server.url, post(CALL, { headers: wrong + CLOSE }))).toEqual([200]);
    const wrongFirst = `POST /v1/track HTTP/1.1\r\nHost: a\r\n${wrong}${BASIC}${CLOSE}Content-Length: 2\r\n\r\n{}`;
    expect(await exchange(server.url, wrongFirst)).toEqual([401]);
  });
});

describe("a body", () => {
  it.each([
    [
      "a call of 32,769 bytes",
      "/v1/track",
      JSON.stringify({ userId: "u1", event: "e", properties: { x: "" } }),
      32_769,
    ],
    ["a request of 512,001 bytes", "/v1/batch", '{"batch":[{"type":"track","userId":"u1","event":"e"}]}', 512_001],
  ])("is one byte too long: %s", async (_, path, text, bytes) => {
    const { server } = await started();
    const sized = (size: number): string =>
      path === "/v1/track" ? text.replace('""', `"${"x".repeat(size - text.length)}"`) : text.padEnd(size);
    const send = (body: string | Uint8Array): Promise<readonly number[]> =>
      exchange(server.url, post(body, { path, headers: CLOSE }));
    const inPieces = (body: string): Promise<readonly number[]> =>
      exchange(
        server.url,
        post(`${chunked(body)}0\r\n\r\n`, { path, headers: `Transfer-Encoding: chunked\r\n${CLOSE}` }),
      );
    for (const size of [bytes - 1, bytes]) {
      const body = sized(size);
      expect(body).toHaveLength(size);
      const status = size === bytes ? 413 : 200;
      expect([await send(body), await send(gzipSync(body)), await inPieces(body)]).toEqual([
        [status],
        [status],
        [status],
      ]);
    }
    expect(await counted(server.url)).toMatchObject({ accepted: 3 });
  });

  it("with a wrong length is refused, or waits for the missing bytes, and nothing of it is stored", async () => {
    const { server } = await started(QUICK);
    const length = (value: string): string => `Content-Length: ${value}\r\n${CLOSE}`;
    const send = (headers: string, body = CALL): Promise<readonly number[]> =>
      exchange(server.url, post(body, { headers }));
    expect(await send(length(String(CALL.length + 1)))).toEqual([408]);
    expect(await send(length("500000"))).toEqual([408]);
    for (const value of ["-1", "+5", "0x23", "1e1", "5, 6", "", "99999999999999999999999"]) {
      expect([[400], [413]]).toContainEqual(await send(length(value)));
    }
    expect(await send(`Content-Length: 2\r\nContent-Length: 2\r\n${CLOSE}`)).toEqual([400]);
    expect(await send(`Content-Length: 35\r\nTransfer-Encoding: chunked\r\n${CLOSE}`)).toEqual([400]);
    expect(await send(`Transfer-Encoding: chunked, identity\r\n${CLOSE}`)).toEqual([400]);
    expect(await counted(server.url)).toEqual(expect.objectContaining({ accepted: 0, refused: 0 }));
  });

  it("that is longer than declared leaves a rest that is not a valid request", async () => {
    const { server } = await started();
    const short = post(CALL, { headers: `Content-Length: ${String(CALL.length - 1)}\r\n` });
    expect(new Set(await exchange(server.url, short))).toEqual(new Set([400]));
    expect(await counted(server.url)).toMatchObject({ accepted: 0 });
  });

  it("whose chunks are broken is refused", async () => {
    const { server } = await started();
    const broken = [
      "zz\r\n{}\r\n0\r\n\r\n",
      "-2\r\n{}\r\n0\r\n\r\n",
      "2\r\n{}x\r\n0\r\n\r\n",
      "fffffffffffffffff\r\n{}",
    ];
    for (const body of broken) {
      const headers = `Transfer-Encoding: chunked\r\n${CLOSE}`;
      expect(await exchange(server.url, post(body, { headers }))).toEqual([400]);
    }
    expect(await counted(server.url)).toMatchObject({ accepted: 0 });
  });

  it("whose sender leaves is discarded, even if it has complete calls", async () => {
    const { server } = await started();
    const batch = JSON.stringify({ batch: [{ type: "track", userId: "u1", event: "e" }] });
    for (let turn = 0; turn < 50; turn += 1) {
      const caller = await callRaw(server.url);
      const headers =
        turn % 2 === 0 ? `Content-Length: ${String(batch.length + 1)}\r\n` : "Transfer-Encoding: chunked\r\n";
      caller.write(post(turn % 2 === 0 ? batch : chunked(batch), { path: "/v1/batch", headers }));
      if (turn % 5 === 0) await pause(5);
      caller.leave();
    }
    expect((await track(server.url)).status).toBe(200);
    expect(await counted(server.url)).toMatchObject({ accepted: 1, refused: 0 });
  });

  it("that is zipped may have several parts, and is refused if it is incomplete or unzips to too much", async () => {
    const { server } = await started();
    const zipped = gzipSync(CALL);
    const send = (body: Uint8Array): Promise<readonly number[]> => exchange(server.url, post(body, { headers: CLOSE }));
    expect(await send(Buffer.concat([gzipSync(CALL.slice(0, 9)), gzipSync(CALL.slice(9))]))).toEqual([200]);
    expect(await send(zipped.subarray(0, -1))).toEqual([400]);
    expect(await send(zipped.subarray(0, 12))).toEqual([400]);
    expect(await send(Buffer.concat([zipped.subarray(0, -8), Buffer.alloc(8)]))).toEqual([400]);
    expect(await send(Buffer.concat([zipped, gzipSync(Buffer.alloc(600_000))]))).toEqual([413]);
    expect(await send(gzipSync(zipped))).toEqual([400]);
    expect(await send(gzipSync(Buffer.alloc(50_000_000, 0x20)))).toEqual([413]);
    expect(await counted(server.url)).toMatchObject({ accepted: 1 });
  });
});

describe("pipelined requests", () => {
  it("are each answered, in their order", async () => {
    const { server } = await started();
    const requests = ["/v1/track", "/v1/nothing", "/v1/identify", "/healthz"].map((path) => post(CALL, { path }));
    const last = post("{", { headers: CLOSE });
    expect(await exchange(server.url, Buffer.concat([...requests, last]))).toEqual([200, 404, 200, 405, 400]);
    expect(await counted(server.url)).toMatchObject({ accepted: 2 });
  });

  it("may be 64 in one turn of the loop: a connection with more is closed", async () => {
    const { server } = await started();
    const caller = await callRaw(server.url);
    caller.write(Buffer.concat(Array.from({ length: 2_000 }, () => post(CALL))));
    await caller.closed();
    const { accepted } = await counted(server.url);
    expect(accepted).toBeLessThan(1_000);
    expect((await track(server.url)).status).toBe(200);
  });

  it("may be any number, a few at a time", async () => {
    const { server } = await started();
    const caller = await callRaw(server.url);
    for (let turn = 1; turn <= 5; turn += 1) {
      caller.write(Buffer.concat(Array.from({ length: 50 }, () => post(CALL))));
      await expect.poll(() => statusesIn(caller.received()).length).toBe(50 * turn);
    }
    expect(await counted(server.url)).toMatchObject({ accepted: 250 });
  });

  it("are not read after one that is refused unread", async () => {
    const { server } = await started();
    const long = post("x".repeat(600_000), { path: "/v1/batch" });
    expect(await exchange(server.url, Buffer.concat([long, post(CALL)]))).toEqual([413]);
    expect(await counted(server.url)).toMatchObject({ accepted: 0 });
  });
});
