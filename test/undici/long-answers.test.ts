// Answers that exceed the bound of a reply, but are not endless: each is read up to the bound and then cut, whatever its
// status. Because of the buffers of two sockets, the receiver does not see how much was read. It sees the connection: it is
// used again after an answer that was read to its end, and not after one that was cut.

import { once } from "node:events";
import { createServer, type Server } from "node:http";
import { type EndpointId, type HttpRequest, MAX_REPLY_BYTES, type MonoMs } from "@postrider/core";
import { createSystemClock } from "@postrider/system";
import { createUndiciHttp, type UndiciHttp } from "@postrider/undici";
import { afterEach, describe, expect, it } from "vitest";
import { MAX_RENEWALS } from "../../packages/undici/src/limits.js";
import { close, listen } from "../loopback.js";

const REQUESTS = 20;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

describe("an answer that is longer than a reply may be", () => {
  const servers: Server[] = [];
  const opened: UndiciHttp[] = [];

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((http) => http.close()));
    await Promise.all(servers.splice(0).map(close));
  });

  /** How many connections a receiver sees for requests that come one after the other, each after the last answer has gone. */
  async function connections(status: number, bytes: number): Promise<number> {
    let connected = 0;
    let gone: Promise<unknown> = Promise.resolve();
    const server = createServer((request, response) => {
      gone = once(response, "close");
      request.resume().on("end", () => response.writeHead(status).end(new Uint8Array(bytes)));
    }).on("connection", () => (connected += 1));
    servers.push(server);
    const url = `http://127.0.0.1:${String(await listen(server))}/` as EndpointId;
    // Time stands still: after failed answers, no more connections are closed than the limit says.
    const clock = { ...createSystemClock(), monotonic: () => 0 as MonoMs };
    const http = createUndiciHttp({ clock, network: { allow: ["127.0.0.0/8"] } });
    opened.push(http);
    const post: HttpRequest = { url, headers: [], body: new TextEncoder().encode("{}"), timeoutMs: 60_000 };
    for (let sent = 0; sent < REQUESTS; sent += 1) {
      expect(await http.send(post)).toMatchObject({ kind: "answered", status });
      await gone;
      for (let turns = 0; turns < REQUESTS; turns += 1) await turn();
    }
    return connected;
  }

  it.each([200, 404, 500])("with a %i is cut at the bound", async (status) => {
    expect(await connections(status, 2 * MAX_REPLY_BYTES)).toBe(REQUESTS);
  });

  it.each([200, 404, 500])("and one with a %i below it is read to its end", async (status) => {
    expect(await connections(status, MAX_REPLY_BYTES / 8)).toBe(status === 200 ? 1 : 1 + MAX_RENEWALS);
  });
});
