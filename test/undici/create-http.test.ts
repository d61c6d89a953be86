import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import type { EndpointId, HttpRequest, Reply } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { createSystemClock } from "@postrider/system";
import { createUndiciHttp, type ResolveName, type UndiciHttp, type UndiciHttpOptions } from "@postrider/undici";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

function post(url: string, timeoutMs = 60_000): HttpRequest {
  return { url: url as EndpointId, headers: [["X-One", "1"]], body: new TextEncoder().encode("{}"), timeoutMs };
}

function faultOf(reply: Reply): string {
  return reply.kind === "silent" ? reply.fault : String(reply.status);
}

describe("an HTTP port over undici", () => {
  let server: Server;
  let port: number;
  const opened: UndiciHttp[] = [];

  function open(options: Partial<UndiciHttpOptions> = {}): UndiciHttp {
    const http = createUndiciHttp({ clock: createSystemClock(), network: { allow: ["127.0.0.0/8"] }, ...options });
    opened.push(http);
    return http;
  }

  beforeEach(async () => {
    server = createServer((request, response) => {
      request.resume().on("end", () => {
        if (request.url === "/long") response.writeHead(200).end("x".repeat(60_000));
        else if (request.url !== "/hang") response.writeHead(204).end();
      });
    });
    await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
    port = (server.address() as AddressInfo).port;
  });

  afterEach(async () => {
    await Promise.all(opened.splice(0).map((http) => http.close()));
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  it("tries the next address of a name when one does not answer the call", async () => {
    const http = open({ resolve: async () => ["127.0.0.2", "127.0.0.1"] });
    expect(faultOf(await http.send(post(`http://receiver.example:${port}/`)))).toBe("204");
  });

  it("counts the bytes of each answer separately: a connection may serve any number", async () => {
    const http = open();
    let connections = 0;
    server.on("connection", () => (connections += 1));
    for (let turn = 0; turn < 10; turn += 1) {
      expect(faultOf(await http.send(post(`http://127.0.0.1:${port}/long`)))).toBe("200");
      // Its body ends after its status line; in each turn of the loop, what has come is read.
      for (let wait = 0; wait < 20; wait += 1) await new Promise((resolved) => setTimeout(resolved, 1));
    }
    expect(connections).toBe(1);
  });

  it("resolves the name for each connection, and dials no address of an earlier answer", async () => {
    const answers = [["127.0.0.1"], ["10.0.0.1"]];
    const http = open({ resolve: async () => answers.shift() ?? [] });
    const faults: string[] = [];
    for (const [path, timeoutMs] of [["/hang", 200], ["/"], ["/"]] as const) {
      faults.push(faultOf(await http.send(post(`http://receiver.example:${port}${path}`, timeoutMs))));
    }
    expect(faults).toEqual(["timeout", "forbidden-address", "dns"]);
  });

  it("never asks the resolver about an address", async () => {
    const asked: string[] = [];
    const http = open({
      resolve: async (host) => {
        asked.push(host);
        return [];
      },
    });
    expect(faultOf(await http.send(post(`http://127.0.0.1:${port}/`)))).toBe("204");
    expect(asked).toEqual([]);
  });

  it.each([
    ["EAI_AGAIN", "local"],
    ["ENOTFOUND", "dns"],
  ])("says of a resolver that fails with %s: %s", async (code, fault) => {
    const http = open({ resolve: () => Promise.reject(Object.assign(new Error("resolver"), { code })) });
    expect(faultOf(await http.send(post("http://receiver.example/")))).toBe(fault);
  });

  it("ends at the timeout when a resolver does not answer, and dials nothing if it answers later", async () => {
    const clock = createManualClock();
    let answer: (addresses: readonly string[]) => void = () => undefined;
    const resolve: ResolveName = () => new Promise((resolved) => (answer = resolved));
    let connections = 0;
    server.on("connection", () => (connections += 1));
    const sent = open({ clock, resolve }).send(post(`http://receiver.example:${port}/`));
    await clock.advance(59_999);
    expect(await Promise.race([sent, Promise.resolve("pending")])).toBe("pending");
    await clock.advance(1);
    expect(await sent).toEqual({ kind: "silent", fault: "timeout", afterMs: 60_000 });
    answer(["127.0.0.1"]);
    await new Promise((resolved) => setTimeout(resolved, 50));
    expect(connections).toBe(0);
  });

  it("decides by the time of the answer, not by a timer that fires late", async () => {
    const clock = createManualClock();
    const lateTimers = { ...clock, after: () => () => undefined };
    let now = 0;
    const http = open({ clock: { ...lateTimers, monotonic: () => (now += 3_000) as never } });
    expect(faultOf(await http.send(post(`http://127.0.0.1:${port}/`, 2_999)))).toBe("timeout");
  });

  it.each(["nonsense", "", "ftp://example.com/", "file:///etc/passwd", "unix:/run/x.sock", "data:,x"])(
    "has no address for %j",
    async (url) => {
      expect(await open().send(post(url))).toEqual({ kind: "silent", fault: "forbidden-address", afterMs: 0 });
    },
  );

  it("may be closed twice, and before anything was sent", async () => {
    const http = open();
    await http.close();
    await http.close();
    expect(faultOf(await http.send(post(`http://127.0.0.1:${port}/`)))).toBe("local");
  });
});
