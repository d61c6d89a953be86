import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createAfterPoll, type PostConnection, createPostConnection } from "../../packages/undici/src/connection.js";
import type { AnswerEvents } from "../../packages/undici/src/answer.js";
import { KEEP_ALIVE_MS, MAX_WIRE_BYTES } from "../../packages/undici/src/limits.js";
import { createMemoryDialler, type MemorySocket, turns } from "./memory-socket.js";

const PLAIN = "HTTP/1.1 202 OK\r\nContent-Length: 2\r\n\r\nok";
const CHUNKED = "HTTP/1.1 203 X\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n0\r\n\r\n";
const STALE = "HTTP/1.1 299 Stale\r\nContent-Length: 0\r\n\r\n";
const TURNS = 5;
const AGE_MS = 30_000;

interface Opened {
  readonly connection: PostConnection;
  readonly sockets: readonly MemorySocket[];
  /** The socket that was dialled last. */
  readonly socket: () => MemorySocket;
  /** What the connection has reported. */
  readonly told: readonly (string | number)[];
  /** How many unasked answers it has reported. */
  readonly unasked: () => number;
  readonly clock: ReturnType<typeof createManualClock>;
  readonly send: (request: string, waitMs?: number) => void;
  readonly answer: (text: string) => Promise<void>;
}

function open(): Opened {
  const { target, dialler, sockets } = createMemoryDialler();
  const clock = createManualClock();
  let unasked = 0;
  const connection = createPostConnection({
    ...{ target, dialler, clock, afterPoll: createAfterPoll() },
    nextAgeMs: () => AGE_MS,
    onUnasked: () => (unasked += 1),
  });
  const told: (string | number)[] = [];
  const socket = (): MemorySocket => sockets.at(-1)!;
  const events: AnswerEvents = {
    onHead: ({ status }) => void told.push(status),
    onBody: (chunk) => void told.push(Buffer.from(chunk).toString("latin1")),
    onEnd: () => void told.push("end"),
    onFault: (fault) => void told.push(fault),
  };
  return {
    connection,
    sockets,
    told,
    socket,
    clock,
    unasked: () => unasked,
    send: (request, waitMs = 0) => connection.send(Buffer.from(request), events, waitMs),
    answer: async (text) => {
      await turns(TURNS);
      socket().push(Buffer.from(text));
      await turns(TURNS);
    },
  };
}

describe("a connection", () => {
  it("sends a request in one write, and the next one on the same socket", async () => {
    const { send, answer, sockets, told } = open();
    send("one");
    await answer(PLAIN);
    send("two");
    await answer(PLAIN);
    expect(sockets.map(({ written }) => written)).toEqual([["one", "two"]]);
    expect(told).toEqual([202, "ok", "end", 202, "ok", "end"]);
  });

  it("sends as before, in one write, after an answer that was not plain", async () => {
    const { send, answer, sockets, told } = open();
    send("one");
    await answer(CHUNKED);
    send("two");
    await answer(CHUNKED);
    send("three");
    await answer(PLAIN);
    expect(sockets.map(({ written }) => written)).toEqual([["one", "two", "three"]]);
    expect(told).toEqual([203, "ok", "end", 203, "ok", "end", 202, "ok", "end"]);
  });

  it("sends nothing in the turn in which bytes came that were not asked for, but dials anew", async () => {
    for (const first of [PLAIN, CHUNKED]) {
      const { send, answer, socket, sockets, told } = open();
      send("one");
      await answer(first);
      send("two");
      socket().push(Buffer.from(STALE));
      await answer(PLAIN);
      expect(sockets.map(({ written }) => written)).toEqual([["one"], ["two"]]);
      expect(told.slice(3)).toEqual([202, "ok", "end"]);
    }
  });

  it("closes a socket on which anything comes while it is idle, also an end", async () => {
    for (const unasked of [STALE, "\r\n", "x", null]) {
      const { send, answer, socket } = open();
      send("one");
      await answer(PLAIN);
      socket().push(unasked === null ? null : Buffer.from(unasked));
      await turns(TURNS);
      expect(socket().destroyed).toBe(true);
    }
  });

  it("closes a socket that is idle for its time, and none that has a request under way", async () => {
    const { send, answer, socket } = open();
    send("one");
    await turns(TURNS);
    socket().emit("timeout");
    expect(socket().destroyed).toBe(false);
    await answer(PLAIN);
    expect(socket().timeouts.at(-1)).toBe(KEEP_ALIVE_MS);
    socket().emit("timeout");
    expect(socket().destroyed).toBe(true);
  });

  it("takes the time that the receiver says, less a margin, and closes at once where none is left", async () => {
    const { send, answer, socket, told } = open();
    send("one");
    await answer("HTTP/1.1 204 X\r\nKeep-Alive: timeout=30\r\n\r\n");
    expect(socket().timeouts.at(-1)).toBe(28_000);
    send("two");
    await answer("HTTP/1.1 204 X\r\n\r\n");
    expect(socket().timeouts.at(-1)).toBe(KEEP_ALIVE_MS);
    send("three");
    await answer("HTTP/1.1 204 X\r\nKeep-Alive: timeout=2\r\n\r\n");
    expect(socket().destroyed).toBe(true);
    expect(told).toEqual([204, "end", 204, "end", 204, "end"]);
  });

  it("does not keep the process running while it is idle", async () => {
    for (const text of [PLAIN, CHUNKED]) {
      const { send, answer, socket } = open();
      for (const request of ["one", "two"]) {
        send(request);
        await answer(text);
        expect(socket().isRef).toBe(false);
      }
    }
  });

  it("reports how a socket failed before an answer, or in one, and sends that request no more", async () => {
    const reset = Object.assign(new Error("reset"), { code: "ECONNRESET" });
    for (const before of ["", "HTTP/1.1 2", "HTTP/1.1 200 OK\r", "HTTP/1.1 500 X\r\n"]) {
      for (const [error, fault] of [[reset, "connection-reset"] as const, [undefined, "connection-closed"] as const]) {
        const { send, socket, sockets, told } = open();
        send("one");
        await turns(TURNS);
        if (before !== "") socket().push(Buffer.from(before));
        socket().destroy(error);
        await turns(TURNS);
        expect(told).toEqual([fault]);
        expect(sockets.map(({ written }) => written)).toEqual([["one"]]);
      }
    }
  });

  it("reports a success at its status line, in any pieces, and then how its connection ended", async () => {
    for (const pieces of [
      ["HTTP/1.1 200 OK\r\n"],
      ["HTTP/1.1 100 X\r\n\r\nHTT", "P/1.0 2", "00\nX"],
      ["HTTP/1.2 2", "00 X\r\n"],
    ]) {
      const { send, answer, socket, told } = open();
      send("one");
      for (const piece of pieces) await answer(piece);
      const isRefused = told.length > 1;
      socket().destroy();
      await turns(TURNS);
      expect(told).toEqual([200, isRefused ? "bad-response" : "connection-closed"]);
    }
  });

  it("reports a failure with a broken head as no answer, as before", async () => {
    const { send, answer, told } = open();
    send("one");
    await answer("HTTP/1.1 500 X\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\nab");
    expect(told).toEqual(["bad-response"]);
  });

  it("waits for its time before it sends on a socket that rests, and dials anew if anything comes until then", async () => {
    for (const first of [PLAIN, CHUNKED]) {
      const { send, answer, socket, sockets, clock, told } = open();
      send("one");
      await answer(first);
      send("two", 10);
      await clock.advance(9);
      await turns(TURNS);
      expect(socket().written).toEqual(["one"]);
      await clock.advance(1);
      await answer(PLAIN);
      send("three", 10);
      socket().push(Buffer.from(STALE));
      await turns(TURNS);
      await clock.advance(10);
      await answer(PLAIN);
      expect(sockets.map(({ written }) => written)).toEqual([["one", "two"], ["three"]]);
      expect(told.slice(3)).toEqual([202, "ok", "end", 202, "ok", "end"]);
    }
  });

  it("reports what comes unasked, but no line ends and no 408, by which a receiver closes", async () => {
    for (const first of [PLAIN, CHUNKED]) {
      for (const [text, count] of [
        [STALE, 1],
        ["\r\n\r\nHTTP", 1],
        ["more", 1],
        ["\r\n", 0],
        ["HTTP/1.1 408 Request Timeout\r\n\r\n", 0],
      ] as const) {
        const { send, answer, socket, unasked } = open();
        send("one");
        await answer(first);
        socket().push(Buffer.from(text));
        await turns(TURNS);
        expect([unasked(), socket().destroyed]).toEqual([count, true]);
      }
    }
  });

  it("reports what comes unasked in the same piece as an answer", async () => {
    for (const first of [PLAIN, CHUNKED]) {
      for (const more of [STALE, "more"]) {
        const { send, answer, socket, told, unasked } = open();
        send("one");
        await answer(first + more);
        expect(told.at(-1)).toBe("end");
        expect([unasked(), socket().destroyed]).toEqual([1, true]);
      }
    }
  });

  it("may be used until it is too old, counted from its dial, and while it is open", async () => {
    const { connection, send, answer, socket, clock } = open();
    const isUsable = (): boolean => connection.isUsable(clock.monotonic());
    expect(isUsable()).toBe(false);
    send("one");
    await answer(PLAIN);
    await clock.advance(AGE_MS - 1);
    expect(isUsable()).toBe(true);
    send("two");
    await answer(PLAIN);
    await clock.advance(1);
    expect(isUsable()).toBe(false);
    const other = open();
    other.send("one");
    await other.answer(PLAIN);
    other.socket().destroy();
    expect(other.connection.isUsable(other.clock.monotonic())).toBe(false);
    expect(socket().destroyed).toBe(false);
  });

  it("uses no socket again whose answer came before its request had gone out", async () => {
    const { send, answer, socket, sockets } = open();
    send("one");
    await turns(TURNS);
    Object.defineProperty(socket(), "writableLength", { value: 1 });
    await answer(PLAIN);
    expect(socket().destroyed).toBe(false);
    send("two");
    await answer(PLAIN);
    expect(sockets.map(({ written, destroyed }) => [written, destroyed])).toEqual([
      [["one"], true],
      [["two"], false],
    ]);
  });

  it("dials anew after a socket that was handed over has closed, and reads in place again", async () => {
    const { send, answer, sockets, socket, told } = open();
    send("one");
    await answer("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
    expect(socket().destroyed).toBe(true);
    send("two");
    await answer(PLAIN);
    send("three");
    await answer(CHUNKED);
    expect(sockets.map(({ written }) => written)).toEqual([["one"], ["two", "three"]]);
    expect(told).toEqual([200, "end", 202, "ok", "end", 203, "ok", "end"]);
  });

  it("reads no more of an answer than the limit, whatever it says", async () => {
    const { send, answer, socket, told } = open();
    send("one");
    await answer("HTTP/1.1 103 X\r\n\r\n");
    const piece = "HTTP/1.1 103 X\r\n\r\n".repeat(1_000);
    for (let sent = 0; sent <= MAX_WIRE_BYTES + 2 * piece.length && !socket().destroyed; sent += piece.length) {
      await answer(piece);
    }
    expect(socket().destroyed).toBe(true);
    expect(told).toEqual(["bad-response"]);
  });

  it("says `local` of a request that is under way when it is closed", async () => {
    for (const before of [undefined, "HTTP/1.1 2"]) {
      const { connection, send, answer, socket, told } = open();
      send("one");
      if (before !== undefined) await answer(before);
      await connection.close();
      await turns(TURNS);
      expect(new Set(told)).toEqual(new Set(["local"]));
      expect(before === undefined || socket().destroyed).toBe(true);
    }
  });
});
