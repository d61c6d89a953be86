import { once } from "node:events";
import type { IncomingMessage, ServerResponse } from "node:http";
import {
  type Answer,
  type Handler,
  type IncomingHead,
  type IncomingRequest,
  jsonAnswer,
  type ListenerOptions,
} from "@postrider/http";
import { describe, expect, it } from "vitest";
import { receive, serving, type Serving } from "./serving.js";

interface Recorded {
  readonly handler: Handler;
  readonly requests: readonly IncomingRequest[];
}

function recording(answer: Answer = jsonAnswer(200, { success: true })): Recorded {
  const requests: IncomingRequest[] = [];
  return {
    requests,
    handler: (request) => {
      requests.push(request);
      return Promise.resolve(request.body.kind === "too-large" ? jsonAnswer(413, { success: false }) : answer);
    },
  };
}

/** Answers when told to, oldest first. */
interface Holding {
  readonly handler: Handler;
  readonly requests: readonly IncomingRequest[];
  readonly answer: () => void;
}

function holding(): Holding {
  const requests: IncomingRequest[] = [];
  const waiting: ((answer: Answer) => void)[] = [];
  return {
    requests,
    handler: (request) => {
      requests.push(request);
      if (request.body.kind !== "read") return Promise.resolve(jsonAnswer(503, {}));
      return new Promise((resolve) => waiting.push(resolve));
    },
    answer: () => waiting.shift()?.(jsonAnswer(200, {})),
  };
}

function textOf(request: IncomingRequest | undefined): string | undefined {
  return request?.body.kind === "read" ? Buffer.from(request.body.bytes).toString() : undefined;
}

function closing(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    response.on("close", resolve);
  });
}

describe("createNodeListener", () => {
  it("hands the request over as plain data and writes the answer as it is", async () => {
    const { handler, requests } = recording({
      status: 202,
      headers: [
        ["X-One", "1"],
        ["X-Two", "a"],
        ["X-Two", "b"],
      ],
      body: "é",
    });
    await serving(handler, async ({ url }) => {
      const response = await fetch(`${url}/v1/track?a=1&b=2?`, {
        method: "POST",
        body: "héllo",
        headers: { "X-Any": "x" },
      });
      expect(response.status).toBe(202);
      expect(response.headers.get("x-one")).toBe("1");
      expect(response.headers.get("x-two")).toBe("a, b");
      expect(response.headers.get("content-length")).toBe("2");
      expect(await response.text()).toBe("é");
    });
    expect(requests[0]).toMatchObject({ method: "POST", path: "/v1/track", query: "a=1&b=2?" });
    expect(requests[0]?.headers.get("x-any")).toBe("x");
    expect(textOf(requests[0])).toBe("héllo");
  });

  it("hands over an empty query if there is none", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ url }) => {
      for (const target of ["/v1/track", "/v1/track?"]) await fetch(url + target);
    });
    expect(requests.map(({ path, query }) => [path, query])).toEqual([
      ["/v1/track", ""],
      ["/v1/track", ""],
    ]);
  });

  it("cuts its base path, which the handler is told, and hands over no path elsewhere", async () => {
    const { handler, requests } = recording();
    const use = async ({ url }: Serving): Promise<void> => {
      for (const path of ["/segment/v1/track", "/segmentation/v1/track", "/v1/track"]) await fetch(url + path);
    };
    await serving(handler, use, { basePath: "/segment" });
    await serving(handler, use);
    expect(requests.map(({ path, mountPath }) => [path, mountPath])).toEqual([
      ["/v1/track", "/segment"],
      ["", "/segment"],
      ["", "/segment"],
      ["/segment/v1/track", undefined],
      ["/segmentation/v1/track", undefined],
      ["/v1/track", undefined],
    ]);
  });

  it("tells the handler the path that a host has cut before", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ url, server }) => {
      server.prependListener("request", (request: IncomingMessage) => {
        Object.assign(request, { originalUrl: request.url, url: request.url?.replace("/admin", "") });
      });
      for (const path of ["/admin/v1/track", "/v1/track"]) await fetch(url + path);
    });
    expect(requests.map(({ path, mountPath }) => [path, mountPath])).toEqual([
      ["/v1/track", "/admin"],
      ["/v1/track", undefined],
    ]);
  });

  it("joins repeated headers and reads a request line with a whole URL", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ connect }) => {
      const socket = await connect();
      socket.write(
        "GET http://example.com/v1/x?q HTTP/1.1\r\nHost: a\r\nX-A: 1\r\nX-A: 2\r\nSet-Cookie: 1\r\nSet-Cookie: 2\r\nConnection: close\r\n\r\n",
      );
      expect(await receive(socket)).toMatch(/^HTTP\/1.1 200 /);
    });
    expect(requests[0]).toMatchObject({ path: "/v1/x", query: "q" });
    expect(requests[0]?.headers.get("x-a")).toBe("1, 2");
    expect(requests[0]?.headers.get("set-cookie")).toBe("1, 2");
  });

  it("keeps a connection for several requests, also pipelined ones", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ connect }) => {
      const socket = await connect();
      const one = "POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 2\r\n\r\n{}";
      socket.write(one + one.replace("Host: a", "Host: a\r\nConnection: close"));
      const received = await receive(socket);
      expect(received.match(/HTTP\/1.1 200 /g)).toHaveLength(2);
    });
    expect(requests).toHaveLength(2);
  });

  it("waits for a slow sender, chunk by chunk", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ connect }) => {
      const socket = await connect();
      socket.write("POST /v1/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\n");
      for (const part of ["{", "}"]) {
        await new Promise((resolve) => setTimeout(resolve, 20));
        socket.write(`1\r\n${part}\r\n`);
      }
      expect(requests).toHaveLength(0);
      socket.write("0\r\n\r\n");
      await receive(socket);
    });
    expect(textOf(requests[0])).toBe("{}");
  });

  it("does not call the handler for a caller who left before the end", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ connect, server }) => {
      const socket = await connect();
      const left = once(server, "request").then(([, response]) => closing(response));
      socket.write("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n{");
      setTimeout(() => socket.destroy(), 20);
      await left;
    });
    expect(requests).toHaveLength(0);
  });

  it("drops the answer for a caller who left while it was made", async () => {
    const answers: ((answer: Answer) => void)[] = [];
    const slow: Handler = () => new Promise((resolve) => answers.push(resolve));
    await serving(slow, async ({ connect, server, url }) => {
      const socket = await connect();
      const left = once(server, "request").then(([, response]) => closing(response));
      socket.write("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 0\r\n\r\n");
      await expect.poll(() => answers).toHaveLength(1);
      socket.destroy();
      await left;
      answers[0]?.(jsonAnswer(200, {}));
      const next = fetch(url);
      await expect.poll(() => answers).toHaveLength(2);
      answers[1]?.(jsonAnswer(200, {}));
      expect((await next).status).toBe(200);
    });
  });

  it("takes a body of 512,000 bytes", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ url }) => {
      expect((await fetch(url, { method: "POST", body: "x".repeat(512_000) })).status).toBe(200);
    });
    expect(textOf(requests[0])).toHaveLength(512_000);
  });

  it("answers a body that is declared to be longer without reading any of it, and closes", async () => {
    const { handler, requests } = recording();
    await serving(handler, async ({ connect }) => {
      const socket = await connect();
      socket.write("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 512001\r\n\r\n");
      const received = await receive(socket);
      expect(received).toMatch(/^HTTP\/1.1 413 /);
      expect(received).toMatch(/\r\nConnection: close\r\n/i);
      expect(received).toContain('{"success":false}');
    });
    expect(requests[0]?.body).toEqual({ kind: "too-large" });
  });

  it("stops reading an endless body at the bound, answers, and closes", async () => {
    const { handler } = recording();
    await serving(handler, async ({ connect, server }) => {
      const socket = await connect();
      const accepted = once(server, "request").then(([request]) => request.socket);
      socket.write("POST /v1/track HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
      const chunk = `10000\r\n${"x".repeat(65_536)}\r\n`;
      const pump = (): void => {
        while (!socket.destroyed && socket.write(chunk));
      };
      socket.on("drain", pump);
      pump();
      const received = await receive(socket);
      expect(received).toMatch(/^HTTP\/1.1 413 /);
      expect((await accepted).bytesRead).toBeLessThan(512_000 + 4 * 65_536);
    });
  });

  it("lets a caller that sends too much read the reason", async () => {
    const { handler } = recording();
    await serving(handler, async ({ url }) => {
      for (let turn = 0; turn < 20; turn += 1) {
        const response = await fetch(url, { method: "POST", body: "x".repeat(3_000_000) });
        expect(response.status).toBe(413);
        expect(await response.json()).toEqual({ success: false });
      }
    });
  });

  it("lets a caller that goes on sending read the reason", async () => {
    const { handler } = recording();
    await serving(handler, async ({ connect }) => {
      const socket = await connect();
      const received = receive(socket);
      socket.write("POST /v1/track HTTP/1.1\r\nHost: a\r\nContent-Length: 5000000\r\n\r\n");
      for (let sent = 0; sent < 5_000_000; sent += 100_000) {
        socket.write(Buffer.alloc(100_000));
        await new Promise((resolve) => setImmediate(resolve));
      }
      expect(await received).toMatch(/^HTTP\/1.1 413 /);
    });
  });

  describe("finds where a request comes from", () => {
    const addressWith = async (trustedProxies: ListenerOptions["trustedProxies"]): Promise<string | undefined> => {
      const { handler, requests } = recording();
      const use = async ({ url }: Serving): Promise<void> => {
        await fetch(url, { headers: { "x-forwarded-for": "198.51.100.1, 203.0.113.7" } });
      };
      await serving(handler, use, trustedProxies === undefined ? {} : { trustedProxies });
      return requests[0]?.remoteAddress;
    };

    it("by its socket, except for loopback addresses", async () => {
      expect(await addressWith(undefined)).toBeUndefined();
      expect(await addressWith([])).toBe("127.0.0.1");
    });

    it("by the headers of a trusted proxy", async () => {
      expect(await addressWith(["127.0.0.0/8"])).toBe("203.0.113.7");
      expect(await addressWith(["127.0.0.0/8", "203.0.113.7"])).toBe("198.51.100.1");
    });

    it("by the list of trusted proxies at that moment", async () => {
      const { handler, requests } = recording();
      let trusted: readonly string[] | undefined;
      const use = async ({ url }: Serving): Promise<void> => {
        for (const list of [undefined, ["127.0.0.1"], []]) {
          trusted = list;
          await fetch(url, { headers: { "x-forwarded-for": "203.0.113.7" } });
        }
      };
      await serving(handler, use, { trustedProxies: () => trusted });
      expect(requests.map(({ remoteAddress }) => remoteAddress)).toEqual([undefined, "203.0.113.7", "127.0.0.1"]);
    });
  });

  describe("reads bodies without a known key", () => {
    /** Knows those that have any key at all. */
    const knowing = (made: Handler): Handler =>
      Object.assign((request: IncomingRequest) => made(request), {
        knows: ({ headers }: IncomingHead) => headers.has("authorization"),
      });
    const heads: boolean[] = [];
    const options: ListenerOptions = {
      heldBytes: 100,
      keylessBytes: 60,
      keylessBytesPerAddress: 40,
      trustedProxies: ["127.0.0.1"],
      onHead: (_, isKeyed) => void heads.push(isKeyed),
    };

    it("within smaller budgets, for all of them and for each address", async () => {
      const { handler, requests, answer } = holding();
      const use = async ({ url, listener }: Serving): Promise<void> => {
        const send = (bytes: number, headers: Record<string, string>): Promise<Response> =>
          fetch(url, { method: "POST", body: "x".repeat(bytes), headers });
        const from = (address: string): Record<string, string> => ({ "x-forwarded-for": address });
        const keyed = { ...from("203.0.113.1"), authorization: "Basic a" };
        const under: Promise<Response>[] = [];
        const start = async (bytes: number, headers: Record<string, string>): Promise<void> => {
          under.push(send(bytes, headers));
          await expect.poll(() => listener.held().requests).toBe(under.length);
        };
        await start(40, from("203.0.113.1"));
        expect((await send(1, from("203.0.113.1"))).status).toBe(503);
        await start(20, from("203.0.113.2"));
        expect((await send(1, from("203.0.113.3"))).status).toBe(503);
        await start(100, keyed);
        expect((await send(1, keyed)).status).toBe(503);
        expect(listener.held()).toEqual({ requests: 3, reading: 0, bytes: 160, keylessBytes: 60 });
        await expect.poll(() => requests).toHaveLength(6);
        for (const one of under) {
          answer();
          expect((await one).status).toBe(200);
        }
        expect(listener.held()).toEqual({ requests: 0, reading: 0, bytes: 0, keylessBytes: 0 });
      };
      await serving(knowing(handler), use, options);
      expect(heads).toEqual([false, false, false, false, true, true]);
    });
  });

  describe("with a small byte budget", () => {
    const post = (url: string, bytes: number): Promise<Response> =>
      fetch(url, { method: "POST", body: "x".repeat(bytes) });

    it("reads no body that does not fit, and reads again after an answer", async () => {
      const { handler, requests, answer } = holding();
      const use = async ({ url, connect }: Serving): Promise<void> => {
        const first = post(url, 60);
        await expect.poll(() => requests).toHaveLength(1);
        const socket = await connect();
        socket.write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 41\r\n\r\n");
        expect(await receive(socket)).toMatch(/^HTTP\/1.1 503 /);
        expect(requests[1]?.body).toEqual({ kind: "no-room" });
        const second = post(url, 40);
        await expect.poll(() => requests).toHaveLength(3);
        expect((await fetch(`${url}/`, { method: "POST", body: "x" })).status).toBe(503);
        answer();
        expect((await first).status).toBe(200);
        const third = post(url, 60);
        await expect.poll(() => requests).toHaveLength(5);
        answer();
        answer();
        expect([(await second).status, (await third).status]).toEqual([200, 200]);
      };
      await serving(handler, use, { heldBytes: 100 });
    });

    it("counts the bytes that arrive, not those that are declared", async () => {
      const { handler, requests, answer } = holding();
      const use = async ({ url, connect }: Serving): Promise<void> => {
        for (let index = 0; index < 20; index += 1) {
          (await connect()).write("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 50\r\n\r\nx");
        }
        const sent = post(url, 70);
        await expect.poll(() => requests).toHaveLength(1);
        answer();
        expect((await sent).status).toBe(200);
      };
      await serving(handler, use, { heldBytes: 100 });
    });

    it("stops reading a body of unknown length when it no longer fits", async () => {
      const { handler, requests } = holding();
      const use = async ({ connect }: Serving): Promise<void> => {
        const socket = await connect();
        socket.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
        socket.write(`40\r\n${"x".repeat(64)}\r\n`);
        setTimeout(() => socket.write(`40\r\n${"x".repeat(64)}\r\n40\r\n${"x".repeat(64)}\r\n`), 20);
        expect(await receive(socket)).toMatch(/^HTTP\/1.1 503 /);
      };
      await serving(handler, use, { heldBytes: 100 });
      expect(requests.map(({ body }) => body.kind)).toEqual(["no-room"]);
    });

    it("releases the bytes of callers who left, sent too much, or were refused", async () => {
      const { handler, requests, answer } = holding();
      const use = async ({ url, connect, server }: Serving): Promise<void> => {
        for (let turn = 0; turn < 5; turn += 1) {
          const socket = await connect();
          const left = once(server, "request").then(([, response]) => closing(response));
          socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 100\r\n\r\n${"x".repeat(90)}`);
          setTimeout(() => socket.destroy(), 20);
          await left;
          const chunked = await connect();
          chunked.write("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n");
          const pieces = turn % 2 === 0 ? 2 : 5;
          for (let piece = 0; piece < pieces; piece += 1) chunked.write(`40\r\n${"x".repeat(64)}\r\n`);
          expect(await receive(chunked, "\r\n\r\n{}")).toMatch(/^HTTP\/1.1 503 /);
        }
        const before = requests.length;
        const sent = post(url, 100);
        await expect.poll(() => requests).toHaveLength(before + 1);
        answer();
        expect((await sent).status).toBe(200);
      };
      await serving(handler, use, { heldBytes: 100, limitBytes: 150 });
    });
  });

  it("answers 500 for a handler that breaks, without showing the reason", async () => {
    await serving(
      () => Promise.reject(new Error("secret")),
      async ({ url }) => {
        const response = await fetch(url);
        expect(response.status).toBe(500);
        expect(await response.json()).toMatchObject({ success: false, error: { code: "internal" } });
      },
    );
  });

  it("answers 500 for a handler that throws at once", async () => {
    const throwing: Handler = () => {
      throw new Error("secret");
    };
    await serving(throwing, async ({ url }) => {
      expect((await fetch(url)).status).toBe(500);
    });
  });

  it("closes on an answer that HTTP cannot carry, and goes on serving", async () => {
    let bad = true;
    const handler: Handler = () => {
      const headers: Answer["headers"] = bad ? [["X-Bad", "a\r\nb"]] : [];
      bad = false;
      return Promise.resolve({ status: 200, headers, body: "" });
    };
    await serving(handler, async ({ url }) => {
      await expect(fetch(url)).rejects.toThrow();
      expect((await fetch(url)).status).toBe(200);
    });
  });

  it("adds its headers to those that a host has set before", async () => {
    const answer = { status: 200, headers: [["Vary", "Origin"]], body: "text" } as const;
    await serving(recording(answer).handler, async ({ url, server }) => {
      server.prependListener("request", (_request, response: ServerResponse) => response.setHeader("Vary", "Accept"));
      expect((await fetch(url)).headers.get("vary")).toBe("Accept, Origin");
    });
  });

  it("sets each header on the response if a host watches when the head is written, as middleware that compresses does", async () => {
    const seen: unknown[] = [];
    await serving(recording().handler, async ({ url, server }) => {
      server.prependListener("request", (_request, response: ServerResponse) => {
        const write = response.writeHead.bind(response);
        const watch = (status: number): ServerResponse => {
          seen.push(response.getHeader("content-type"));
          return write(status);
        };
        Object.assign(response, { writeHead: watch });
      });
      expect((await fetch(url)).headers.get("content-type")).toBe("application/json");
    });
    expect(seen).toEqual(["application/json"]);
  });

  it("writes no body for HEAD and for 204", async () => {
    await serving(recording().handler, async ({ connect }) => {
      const socket = await connect();
      socket.write("HEAD / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      expect(await receive(socket)).toMatch(/\r\n\r\n$/);
    });
    await serving(recording({ status: 204, headers: [], body: "" }).handler, async ({ connect }) => {
      const socket = await connect();
      socket.write("OPTIONS / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      expect(await receive(socket)).toMatch(/^HTTP\/1.1 204 [\s\S]*\r\n\r\n$/);
    });
  });
});
