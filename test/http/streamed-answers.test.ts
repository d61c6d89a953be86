// An answer in pieces: each goes out as it comes, no faster than the caller reads, and it ends when the caller leaves or the
// listener ends its streams. The same behind node:http and on Web-standard runtimes.

import { type AnswerStream, createWebHandler, type Handler } from "@postrider/http";
import { once } from "node:events";
import type { ServerResponse } from "node:http";
import { setTimeout as sleep } from "node:timers/promises";
import { describe, expect, it } from "vitest";
import { receive, serving } from "./serving.js";

const streaming =
  (body: AnswerStream): Handler =>
  () =>
    Promise.resolve({ status: 200, headers: [["Content-Type", "text/plain"]], body });

/** A stream whose pieces are pushed by the test, and which waits between them, whatever happens. */
function pushed() {
  const pieces: string[] = [];
  let wake = (): void => undefined;
  let isOver = false;
  const signals: AbortSignal[] = [];
  const stream: AnswerStream = async function* (signal) {
    signals.push(signal);
    while (!isOver || pieces.length > 0) {
      const next = pieces.shift();
      if (next === undefined) await new Promise<void>((resolve) => (wake = resolve));
      else yield next;
    }
  };
  const push = (...more: readonly string[]): void => {
    pieces.push(...more);
    wake();
  };
  const end = (): void => {
    isOver = true;
    wake();
  };
  return { stream, push, end, signals };
}

describe("an answer in pieces, behind node:http", () => {
  it("reaches the caller piece by piece, and ends with the last", async () => {
    const { stream, push, end } = pushed();
    await serving(streaming(stream), async ({ connect, listener }) => {
      const socket = await connect();
      socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      push("one");
      expect(await receive(socket, "one")).toContain("200 OK");
      expect(listener.held().requests).toBe(1);
      push("two");
      end();
      expect(await receive(socket)).toContain("two");
      await expect.poll(() => listener.held().requests).toBe(0);
    });
  });

  it("leaves nothing behind for each time that its caller was waited for", async () => {
    const PIECES = 400;
    const stream: AnswerStream = async function* () {
      for (let count = 0; count < PIECES; count += 1) yield "x".repeat(65_536);
    };
    await serving(streaming(stream), async ({ connect, server }) => {
      const listeners: number[] = [];
      server.on("request", (_, response) =>
        response.on("drain", () => listeners.push(response.listenerCount("timeout"), response.listenerCount("drain"))),
      );
      const socket = await connect();
      socket.write("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
      await receive(socket);
      expect(listeners.length).toBeGreaterThan(20);
      expect(Math.max(...listeners)).toBeLessThan(4);
    });
  });

  it("may be bytes, in pieces or whole", async () => {
    const bytes = new Uint8Array([0, 255, 10]);
    const whole: Handler = () => Promise.resolve({ status: 200, headers: [], body: bytes });
    for (const handler of [
      whole,
      streaming(async function* () {
        yield bytes;
      }),
    ]) {
      await serving(handler, async ({ url }) => {
        expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
      });
    }
  });

  it("tells the stream that the caller has left, and waits for no further piece", async () => {
    const { stream, push, signals } = pushed();
    await serving(streaming(stream), async ({ connect, listener }) => {
      const socket = await connect();
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      push("one");
      await receive(socket, "one");
      expect(signals.map(({ aborted }) => aborted)).toEqual([false]);
      socket.destroy();
      await expect.poll(() => signals[0]?.aborted).toBe(true);
      await expect.poll(() => listener.held().requests).toBe(0);
    });
  });

  it("ends whole when the listener ends its streams, and so does a later one", async () => {
    const { stream, push } = pushed();
    await serving(streaming(stream), async ({ url, listener }) => {
      const response = await fetch(url);
      push("one");
      listener.endStreams();
      expect(await response.text()).toMatch(/^(one)?$/);
      expect(await (await fetch(url)).text()).toBe("");
    });
  });

  it("is given up when the listener ends its streams, even if its caller does not read", async () => {
    const endless = streaming(async function* () {
      for (;;) yield "x".repeat(65_536);
    });
    await serving(endless, async ({ connect, listener, server }) => {
      const socket = await connect();
      const asked = once(server, "request");
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      const [, response] = (await asked) as [unknown, ServerResponse];
      await expect.poll(() => response.writableNeedDrain).toBe(true);
      expect(listener.held().requests).toBe(1);
      listener.endStreams();
      await expect.poll(() => listener.held().requests).toBe(0);
    });
  });

  it("may come from an iterator that cannot be ended early", async () => {
    const handler = streaming(() => {
      const pieces = ["one", "two"];
      const next = (): Promise<IteratorResult<string, undefined>> => {
        const value = pieces.shift();
        return Promise.resolve(value === undefined ? { done: true, value } : { done: false, value });
      };
      return { [Symbol.asyncIterator]: () => ({ next }) };
    });
    await serving(handler, async ({ url }) => {
      expect(await (await fetch(url)).text()).toBe("onetwo");
    });
  });

  it("cuts the connection if the stream throws, so that the answer does not look whole", async () => {
    const throwing = streaming(async function* () {
      yield "one";
      await sleep(1);
      throw new Error("no more");
    });
    await serving(throwing, async ({ url }) => {
      await expect(fetch(url).then((response) => response.text())).rejects.toThrow("terminated");
    });
  });

  it("asks for no more pieces than the caller and the buffers between take", async () => {
    let asked = 0;
    const endless = streaming(async function* () {
      for (;;) {
        asked += 1;
        yield "x".repeat(65_536);
        await sleep(0);
      }
    });
    await serving(endless, async ({ connect }) => {
      const socket = await connect();
      socket.write("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
      let before = -1;
      await expect
        .poll(
          () => {
            const isStill = asked > 0 && asked === before;
            before = asked;
            return isStill;
          },
          { interval: 300 },
        )
        .toBe(true);
      expect(asked).toBeLessThan(500);
      socket.resume();
      await expect.poll(() => asked).toBeGreaterThan(before);
      socket.destroy();
      await once(socket, "close");
    });
  });
});

describe("an answer in pieces, on a Web-standard runtime", () => {
  it("reaches the caller piece by piece, and ends with the last", async () => {
    const { stream, push, end } = pushed();
    const response = await createWebHandler(streaming(stream))(new Request("https://a.example/"));
    const reader = response.body!.getReader();
    push("one");
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("one");
    push("two");
    end();
    expect(new TextDecoder().decode((await reader.read()).value)).toBe("two");
    expect((await reader.read()).done).toBe(true);
  });

  it("tells the stream that the caller has left: by cancelling, or by the signal of the request", async () => {
    const { stream, signals } = pushed();
    const handle = createWebHandler(streaming(stream));
    const cancelled = await handle(new Request("https://a.example/"));
    await cancelled.body!.cancel();
    const left = new AbortController();
    const aborted = await handle(new Request("https://a.example/", { signal: left.signal }));
    left.abort();
    expect(await aborted.text()).toBe("");
    expect(signals.map((signal) => signal.aborted)).toEqual([true, true]);
  });

  it("ends whole when the handler ends its streams", async () => {
    const { stream } = pushed();
    const handle = createWebHandler(streaming(stream));
    const response = await handle(new Request("https://a.example/"));
    handle.endStreams();
    expect(await response.text()).toBe("");
  });

  it("may be bytes, and fails for the reader if the stream throws", async () => {
    const bytes = new Uint8Array([0, 255]);
    const whole: Handler = () => Promise.resolve({ status: 200, headers: [], body: bytes });
    const got = await createWebHandler(whole)(new Request("https://a.example/"));
    expect(new Uint8Array(await got.arrayBuffer())).toEqual(bytes);
    const throwing = streaming(async function* () {
      await sleep(1);
      throw new Error("no more");
    });
    const response = await createWebHandler(throwing)(new Request("https://a.example/"));
    await expect(response.text()).rejects.toThrow("no more");
  });
});
