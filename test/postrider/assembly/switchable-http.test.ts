import type { HttpRequest, Reply } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { type ClosableHttp, createSwitchableHttp } from "../../../packages/postrider/src/assembly/sender-http.js";

const REQUEST = { url: "http://a.example/" } as HttpRequest;

interface HeldHttp extends ClosableHttp {
  readonly sent: HttpRequest[];
  readonly isClosed: () => boolean;
  /** Answers the oldest open request. */
  answer(): void;
}

/** Replies when told to. */
function heldHttp(): HeldHttp {
  const open: ((reply: Reply) => void)[] = [];
  const sent: HttpRequest[] = [];
  let isClosed = false;
  return {
    sent,
    isClosed: () => isClosed,
    answer: () => open.shift()?.({ kind: "silent", fault: "timeout", afterMs: 1 }),
    send: (request) => {
      sent.push(request);
      return new Promise((resolve) => open.push(resolve));
    },
    close: () => {
      isClosed = true;
      return Promise.resolve();
    },
  };
}

describe("a switchable HTTP port", () => {
  it("sends through the newest", () => {
    const [first, second] = [heldHttp(), heldHttp()];
    const http = createSwitchableHttp(first);
    void http.send(REQUEST);
    http.replace(second);
    void http.send(REQUEST);
    expect([first.sent.length, second.sent.length]).toEqual([1, 1]);
  });

  it("closes the old one at once when nothing is under way", () => {
    const first = heldHttp();
    createSwitchableHttp(first).replace(heldHttp());
    expect(first.isClosed()).toBe(true);
  });

  it("closes the old one only when its last reply is in", async () => {
    const first = heldHttp();
    const http = createSwitchableHttp(first);
    const replies = [http.send(REQUEST), http.send(REQUEST)];
    http.replace(heldHttp());
    first.answer();
    await replies[0];
    expect(first.isClosed()).toBe(false);
    first.answer();
    await replies[1];
    expect(first.isClosed()).toBe(true);
  });

  it("closes the old one even if a request of it has failed, which a port promises not to do", async () => {
    const first = heldHttp();
    const http = createSwitchableHttp({ ...first, send: () => Promise.reject(new Error("broken")) });
    const reply = http.send(REQUEST);
    http.replace(heldHttp());
    expect(first.isClosed()).toBe(false);
    await expect(reply).rejects.toThrow("broken");
    expect(first.isClosed()).toBe(true);
  });

  it("closes the newest on close", async () => {
    const [first, second] = [heldHttp(), heldHttp()];
    const http = createSwitchableHttp(first);
    http.replace(second);
    await http.close();
    expect(second.isClosed()).toBe(true);
  });
});
