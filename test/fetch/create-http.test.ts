import type { EndpointId, Header, HttpRequest } from "@postrider/core";
import { createFetchHttp, type Fetch, type FetchAnswer } from "@postrider/fetch";
import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";

interface Called {
  readonly url: string;
  readonly init: RequestInit;
}

function post(headers: readonly Header[] = [["X-One", "1"]]): HttpRequest {
  const url = "https://receiver.example/hook?x=1" as EndpointId;
  return { url, headers, body: new TextEncoder().encode("{}"), timeoutMs: 5_000 };
}

/** An answer whose chunks come as they are read; it hangs after the last one. */
function answer(
  status: number,
  chunks: readonly string[] = [],
  end: "ends" | "hangs" | "breaks" = "ends",
): FetchAnswer {
  const left = chunks.map((chunk) => new TextEncoder().encode(chunk));
  const read = (): Promise<{ done: boolean; value?: Uint8Array }> => {
    const value = left.shift();
    if (value !== undefined) return Promise.resolve({ done: false, value });
    if (end === "breaks") return Promise.reject(new Error("terminated"));
    return end === "ends" ? Promise.resolve({ done: true }) : new Promise(() => undefined);
  };
  return { status, headers: new Headers({ "Retry-After": "7" }), body: { getReader: () => ({ read }) } };
}

function open(respond: (called: Called) => Promise<FetchAnswer>) {
  const clock = createManualClock();
  const calls: Called[] = [];
  const fetch: Fetch = (url, init) => {
    const called = { url, init: init as RequestInit };
    calls.push(called);
    return respond(called);
  };
  return { clock, calls, http: createFetchHttp({ clock, fetch }) };
}

describe("an HTTP port over fetch", () => {
  it("calls fetch once: a POST of these bytes and headers that follows no redirect", async () => {
    const { http, calls } = open(async () => answer(204));
    const request = post([
      ["X-Two", "2"],
      ["X-One", "1"],
    ]);
    await http.send(request);
    expect(calls).toHaveLength(1);
    expect(calls[0]).toMatchObject({
      url: request.url,
      init: { method: "POST", headers: request.headers, body: request.body, redirect: "manual" },
    });
  });

  it("answers with status, Retry-After and the first bytes of the body", async () => {
    const { http } = open(async () => answer(503, ["a".repeat(4_000), "b".repeat(4_000)], "hangs"));
    const reply = await http.send(post());
    const excerpt = new TextEncoder().encode("a".repeat(4_000) + "b".repeat(96));
    expect(reply).toEqual({ kind: "answered", status: 503, afterMs: 0, retryAfter: "7", excerpt });
  });

  it("answers `timeout` when the time is up, and aborts the request", async () => {
    const { http, clock, calls } = open(() => new Promise(() => undefined));
    const sent = http.send(post());
    await clock.advance(4_999);
    expect(calls[0]?.init.signal?.aborted).toBe(false);
    await clock.advance(1);
    expect(await sent).toEqual({ kind: "silent", fault: "timeout", afterMs: 5_000 });
    expect(calls[0]?.init.signal?.aborted).toBe(true);
  });

  it("aborts the body of a success when the time is up, long after its answer", async () => {
    const { http, clock, calls } = open(async () => answer(200, ["first"], "hangs"));
    expect(await http.send(post())).toMatchObject({ status: 200, afterMs: 0 });
    await clock.advance(5_000);
    expect(calls[0]?.init.signal?.aborted).toBe(true);
  });

  it("sets no timer that outlives the exchange", async () => {
    const { http, clock } = open(async () => answer(500, ["x"]));
    await http.send(post());
    expect(clock.nextTimerAt()).toBeUndefined();
  });

  it("answers with the part that arrived of a body that breaks off", async () => {
    const { http } = open(async () => answer(500, ["so far"], "breaks"));
    expect(await http.send(post())).toMatchObject({ status: 500, excerpt: new TextEncoder().encode("so far") });
  });

  it.each([0, 99, 101, 199, 600, 999])("calls status %i a bad response", async (status) => {
    const { http } = open(async () => answer(status));
    expect(await http.send(post())).toMatchObject({ kind: "silent", fault: "bad-response" });
  });

  it("never rejects, though fetch throws", async () => {
    const { http } = open(() => {
      throw new TypeError("no");
    });
    expect(await http.send(post())).toMatchObject({ kind: "silent", fault: "network" });
  });

  it.each([
    [["X Space", "a"]],
    [["", "a"]],
    [["X-Line", "a\r\nb"]],
    [["X-Nul", "\u0000"]],
    [["X-Wide", "\u20ac"]],
  ] as const)("calls fetch not at all with a header that HTTP cannot carry: %j", async (header) => {
    const { http, calls } = open(async () => answer(204));
    expect(await http.send(post([header]))).toMatchObject({ kind: "silent", fault: "invalid-header" });
    expect(calls).toEqual([]);
  });

  it("takes the runtime's own fetch when it is given none", async () => {
    const http = createFetchHttp({ clock: createManualClock() });
    const url = "http://127.0.0.1:1/" as EndpointId;
    expect(await http.send({ ...post(), url })).toMatchObject({ kind: "silent" });
  });
});
