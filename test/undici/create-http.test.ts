import { execFile } from "node:child_process";
import { createServer, type Server } from "node:http";
import { type AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { type Clock, type EndpointId, type HttpRequest, type MonoMs, plusMs, type Reply } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import { createSystemClock } from "@postrider/system";
import { createUndiciHttp, type ResolveName, type UndiciHttp, type UndiciHttpOptions } from "@postrider/undici";
import { MAX_RENEWALS } from "../../packages/undici/src/limits.js";
import { afterEach, beforeEach, describe, expect, it } from "vitest";

function post(url: string, timeoutMs = 60_000): HttpRequest {
  return { url: url as EndpointId, headers: [["X-One", "1"]], body: new TextEncoder().encode("{}"), timeoutMs };
}

function faultOf(reply: Reply): string {
  return reply.kind === "silent" ? reply.fault : String(reply.status);
}

const NO_BODY = { "Content-Length": 0 };

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
        else if (request.url === "/late") setTimeout(() => response.writeHead(202).end(), 50);
        else if (request.url === "/late-plain") setTimeout(() => response.writeHead(202, NO_BODY).end(), 50);
        else if (request.url === "/fail") response.writeHead(503).end("no");
        else if (request.url?.startsWith("/say/") === true)
          response.writeHead(503).end(request.url.slice("/say/".length));
        else if (request.url === "/twice") {
          const answer = "HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n";
          request.socket.write(answer);
          setImmediate(() => request.socket.write(answer.replace("200", "299")));
        } else if (request.url !== "/hang") response.writeHead(204).end();
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

  it("reads each answer as it came, whether it is as long as the one before or not", async () => {
    let unasked = 0;
    const http = open({ onUnaskedAnswer: () => (unasked += 1) });
    for (const text of ["one", "two", "", "longer", "four", "five", "longer", "x".repeat(5_000), "six"]) {
      const reply = await http.send(post(`http://127.0.0.1:${port}/say/${text}`));
      const excerpt = reply.kind === "answered" ? Buffer.from(reply.excerpt).toString() : reply.fault;
      expect(excerpt).toBe(text.slice(0, 4_096));
    }
    expect(unasked).toBe(0);
  });

  /** A clock that is ahead of the system's by what is added to it. */
  function createShiftedClock() {
    const system = createSystemClock();
    let shiftMs = 0;
    const clock: Clock = { ...system, monotonic: () => plusMs(system.monotonic(), shiftMs) };
    return { clock, shift: (ms: number) => (shiftMs += ms) };
  }

  it("finds a receiver that has moved once its connections are too old, although they are always in use", async () => {
    const moved = createServer((request, response) => {
      request.resume().on("end", () => response.writeHead(201).end());
    });
    await new Promise<void>((resolve) => moved.listen(port, "127.0.0.2", resolve));
    let address = "127.0.0.1";
    const { clock, shift } = createShiftedClock();
    const network = { allow: ["127.0.0.0/8"], maxConnectionAgeMs: 10_000 };
    const http = open({ clock, network, resolve: async () => [address] });
    const send = () =>
      Promise.all(Array.from({ length: 8 }, () => http.send(post(`http://receiver.example:${port}/`)).then(faultOf)));
    const seen: string[] = [];
    for (const afterMs of [0, 7_900, 2_000, 2_200]) {
      shift(afterMs);
      seen.push(...new Set(await send()));
      if (afterMs === 0) address = "127.0.0.2";
    }
    moved.closeAllConnections();
    await new Promise((resolve) => moved.close(resolve));
    expect(seen.slice(0, 2)).toEqual(["204", "204"]);
    expect(seen.at(-1)).toBe("201");
  });

  it("keeps the process running while a request is under way, on a connection that is used again too, and not after", async () => {
    const program = fileURLToPath(new URL("programs/send-in-turn.js", import.meta.url));
    for (const path of ["/late", "/late-plain"]) {
      const run = promisify(execFile)(process.execPath, [program, `http://127.0.0.1:${port}${path}`, "3"]);
      expect((await run).stdout.split("\n")).toEqual(["202", "202", "202", "open", ""]);
    }
  });

  it("uses a connection no more after a failed answer, up to a number a second", async () => {
    const clock = { ...createSystemClock(), monotonic: () => 0 as MonoMs };
    const http = open({ clock });
    let connections = 0;
    server.on("connection", () => (connections += 1));
    for (let sent = 0; sent < 2 * MAX_RENEWALS; sent += 1) {
      expect(faultOf(await http.send(post(`http://127.0.0.1:${port}/fail`)))).toBe("503");
    }
    expect(connections).toBe(1 + MAX_RENEWALS);
  });

  it("reports an origin that answers twice, once, and uses each connection to it for one request", async () => {
    const reported: string[] = [];
    const http = open({ onUnaskedAnswer: (origin) => reported.push(origin) });
    const origin = `http://127.0.0.1:${port}`;
    const statuses: string[] = [];
    for (let sent = 0; sent < 5; sent += 1) statuses.push(faultOf(await http.send(post(`${origin}/twice`))));
    let connections = 0;
    server.on("connection", () => (connections += 1));
    for (let sent = 0; sent < 5; sent += 1) statuses.push(faultOf(await http.send(post(`${origin}/`))));
    expect(statuses).toEqual([...Array(5).fill("200"), ...Array(5).fill("204")]);
    expect(reported).toEqual([origin]);
    expect(connections).toBe(5);
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
