// An HTTP port across a channel: what crosses in which messages, and what becomes of requests when the other end ends, hangs or
// sends nonsense.

import { setImmediate as turn } from "node:timers/promises";
import type { EndpointId, HttpRequest, Reply } from "@postrider/core";
import { createManualClock, type ManualClock } from "@postrider/memory";
import { type ChannelEnd, connectHttp, type ServedHttp, serveHttp } from "@postrider/thread";
import { describe, expect, it } from "vitest";
import {
  CLOSE_LIMIT_MS,
  LAST_SIGN_MS,
  LATE_REPLY_MS,
  MAX_TURN_BYTES,
  MAX_TURN_ITEMS,
  MAX_PENDING_REQUESTS,
} from "../../packages/thread/src/limits.js";
import { HTTP_REPLIES } from "../../packages/thread/src/packing/http.js";
import { connectedHttp } from "./http-channel.js";

const TIMEOUT_MS = 1_000;
const ACCEPTED: Reply = { kind: "answered", status: 204, afterMs: 7, excerpt: new Uint8Array() };

function post(changes: Partial<HttpRequest> = {}): HttpRequest {
  return {
    url: "https://a.example/" as EndpointId,
    headers: [],
    body: new Uint8Array(2),
    timeoutMs: TIMEOUT_MS,
    ...changes,
  };
}

/** Keeps each request until it is answered. */
function heldHttp() {
  const open: { readonly request: HttpRequest; readonly answer: (reply: Reply) => void }[] = [];
  let closes = 0;
  const http: ServedHttp = {
    send: (request) => new Promise((answer) => open.push({ request, answer })),
    close: () => {
      closes += 1;
      for (const { answer } of open.splice(0)) answer({ kind: "silent", fault: "local", afterMs: 1 });
      return Promise.resolve();
    },
  };
  return { http, open, closes: () => closes };
}

/** Both ends in one queue each, so that each message is seen; nothing is answered by itself. */
function watchedChannel() {
  const sent: unknown[] = [];
  const listeners = new Map<string, (value: unknown) => void>();
  const refs: string[] = [];
  const port: ChannelEnd = {
    postMessage: (message) => sent.push(message),
    on: (event, listener) => listeners.set(event, listener),
    ref: () => refs.push("ref"),
    unref: () => refs.push("unref"),
  };
  const clock = createManualClock();
  const ended: string[] = [];
  let terminations = 0;
  const addresses = [{ host: "127.0.0.1", port: 1 }];
  const http = connectHttp(port, {
    clock,
    listening: () => addresses,
    terminate: () => (terminations += 1),
    onEnd: (why) => ended.push(why),
  });
  const tell = (event: string, value?: unknown): void => listeners.get(event)?.(value);
  const kinds = (): readonly unknown[] => sent.map((message) => (message as { readonly kind: string }).kind);
  return { http, clock, ended, refs, addresses, tell, kinds, terminations: () => terminations };
}

async function crossed(): Promise<void> {
  for (let turns = 0; turns < 20; turns += 1) await turn();
}

async function wait(clock: ManualClock, ms: number): Promise<void> {
  await clock.advance(ms);
  await crossed();
}

/** The reply, or that there is none yet. */
async function stateOf(reply: Promise<Reply>): Promise<string> {
  const state = await Promise.race([reply, crossed().then(() => "pending" as const)]);
  if (state === "pending") return state;
  return state.kind === "silent" ? state.fault : String(state.status);
}

describe("what crosses", () => {
  it("in one turn crosses in one message each way, and keeps its order", async () => {
    const { http, sent } = recorded();
    const replies = Array.from({ length: 50 }, (_, index) => http.send(post({ timeoutMs: index })));
    expect((await Promise.all(replies)).map(({ afterMs }) => afterMs)).toEqual(replies.map((_, index) => index));
    expect(sent).toEqual({ requests: 1, replies: 1 });
  });

  it("is bounded in number and in bytes", async () => {
    const { http, sent } = recorded();
    const many = Array.from({ length: 2 * MAX_TURN_ITEMS + 1 }, () => http.send(post()));
    await Promise.all(many);
    expect(sent).toEqual({ requests: 3, replies: 3 });
    const body = new Uint8Array(MAX_TURN_BYTES);
    await Promise.all([http.send(post({ body })), http.send(post({ body })), http.send(post())]);
    expect(sent.requests).toBe(6);
  });

  it("tells where this process listens before the first request, and again only when that has changed", async () => {
    const { http, addresses, kinds } = watchedChannel();
    void http.send(post());
    await crossed();
    void http.send(post());
    await crossed();
    addresses[0] = { host: "127.0.0.1", port: 2 };
    void http.send(post());
    await crossed();
    expect(kinds()).toEqual(["listening", "requests", "requests", "listening", "requests"]);
  });

  it("keeps the process running only while a reply is awaited", async () => {
    const { http, refs, tell } = watchedChannel();
    expect(refs).toEqual(["unref"]);
    const replies = [http.send(post()), http.send(post())];
    expect(refs).toEqual(["unref", "ref"]);
    tell("exit");
    await Promise.all(replies);
    expect(refs).toEqual(["unref", "ref", "unref"]);
  });

  it("is answered `local` if the served port rejects", async () => {
    const broken = { send: () => Promise.reject(new Error("a bug")), close: () => Promise.resolve() };
    expect(await stateOf(connectedHttp(broken).http.send(post()))).toBe("local");
  });

  it("is refused as `local` beyond MAX_PENDING_REQUESTS, and taken again after a reply", async () => {
    const { http: served, open } = heldHttp();
    const { http } = connectedHttp(served);
    const replies = Array.from({ length: MAX_PENDING_REQUESTS }, () => http.send(post()));
    expect(await stateOf(http.send(post()))).toBe("local");
    await expect.poll(() => open.length).toBe(MAX_PENDING_REQUESTS);
    open[0]?.answer(ACCEPTED);
    await replies[0];
    expect(await stateOf(http.send(post()))).toBe("pending");
  });
});

/** Counts the messages; each reply has the timeout of its request as its time. */
function recorded() {
  const sent = { requests: 0, replies: 0 };
  const listeners: ((message: unknown) => void)[] = [];
  const later = (run: () => void): void => void turn().then(run);
  const far: ChannelEnd = {
    postMessage: (message) => {
      sent.replies += 1;
      later(() => listeners[0]?.(structuredClone(message)));
    },
    on: (event, listener) => event === "message" && listeners.push(listener),
  };
  const near: ChannelEnd = {
    postMessage: (message) => {
      sent.requests += (message as { readonly kind: string }).kind === "requests" ? 1 : 0;
      later(() => listeners[1]?.(structuredClone(message)));
    },
    on: (event, listener) => event === "message" && listeners.push(listener),
  };
  const http = connectHttp(near, { clock: createManualClock(), terminate: () => undefined, onEnd: () => undefined });
  const served: ServedHttp = {
    send: ({ timeoutMs }) => Promise.resolve({ ...ACCEPTED, afterMs: timeoutMs }),
    close: () => Promise.resolve(),
  };
  serveHttp(() => served, far);
  sent.replies = 0;
  return { http, sent };
}

describe("the other end is ready", () => {
  it("when it takes requests", async () => {
    const { http } = connectedHttp(heldHttp().http);
    await http.ready;
  });

  it("not before its first message, unless it has ended", async () => {
    const { http, tell } = watchedChannel();
    const state = async (): Promise<string> =>
      Promise.race([http.ready.then(() => "ready"), crossed().then(() => "not yet")]);
    expect(await state()).toBe("not yet");
    tell("exit");
    expect(await state()).toBe("ready");
  });
});

describe("when the other end has ended", () => {
  it.each([
    ["exit", 1, "it has ended"],
    ["close", undefined, "it has ended"],
    ["error", new Error("out of memory"), "it has failed: out of memory"],
    ["messageerror", undefined, "it sent a message that cannot be read"],
  ])("by %s, all requests get `local`, under way or later, and the reason is told once", async (event, value, why) => {
    const { http, clock, ended, tell } = watchedChannel();
    const early = http.send(post());
    await crossed();
    const gathered = http.send(post());
    await clock.advance(5);
    tell(event, value);
    tell("exit", 1);
    expect(await Promise.all([early, gathered])).toEqual([silent(5), silent(5)]);
    expect(await http.send(post())).toEqual(silent(0));
    expect(ended).toEqual([why]);
    await http.close();
  });

  it("because it sent what cannot be read, it is terminated and all requests get `local`", async () => {
    const { http, tell, ended, terminations } = watchedChannel();
    const reply = http.send(post());
    tell("message", { text: "nonsense", bytes: new Uint8Array(8) });
    expect(await reply).toEqual(silent(0));
    expect([ended.length, terminations()]).toEqual([1, 1]);
  });
});

describe("when a reply is late", () => {
  it("and nothing else comes, the other end is terminated, and all requests get `local`", async () => {
    const { http, clock, ended, terminations } = watchedChannel();
    const late = http.send(post());
    const patient = http.send(post({ timeoutMs: 60_000 }));
    await wait(clock, TIMEOUT_MS + LATE_REPLY_MS - 1);
    expect(await stateOf(late)).toBe("pending");
    await wait(clock, 1);
    expect(await late).toEqual(silent(TIMEOUT_MS + LATE_REPLY_MS));
    expect(await stateOf(patient)).toBe("pending");
    await wait(clock, LAST_SIGN_MS);
    expect(await stateOf(patient)).toBe("local");
    expect([terminations(), ended]).toEqual([1, ["it does not answer"]]);
  });

  it("only to be read, since this end was blocked, it is read", async () => {
    const { http, clock, ended, tell } = watchedChannel();
    const reply = http.send(post());
    // In the turn of the loop in which the time of the request is over, but after that timer.
    clock.after(TIMEOUT_MS + LATE_REPLY_MS, () => tell("message", HTTP_REPLIES.pack([{ id: 1, reply: ACCEPTED }])));
    await wait(clock, TIMEOUT_MS + LATE_REPLY_MS + LAST_SIGN_MS);
    expect([await stateOf(reply), ended]).toEqual(["204", []]);
  });

  it("but others come, it gets `local` and the other end goes on", async () => {
    const { http: served, open } = heldHttp();
    const clock = createManualClock();
    const { http, ended } = connectedHttp(served, { clock });
    const lost = http.send(post());
    await crossed();
    await wait(clock, TIMEOUT_MS + LATE_REPLY_MS);
    expect(await stateOf(lost)).toBe("local");
    const next = http.send(post());
    await expect.poll(() => open.length).toBe(2);
    open[1]?.answer(ACCEPTED);
    expect(await stateOf(next)).toBe("204");
    await wait(clock, LAST_SIGN_MS);
    open[0]?.answer(ACCEPTED);
    await crossed();
    expect([await stateOf(lost), ended]).toEqual(["local", []]);
  });
});

describe("closing", () => {
  it("answers `local` for what is under way, gathered or sent later, ends the other end, and may be repeated", async () => {
    const { http: served, open, closes } = heldHttp();
    const { http, ended } = connectedHttp(served);
    const underWay = http.send(post());
    await expect.poll(() => open.length).toBe(1);
    const gathered = http.send(post());
    const closed = http.close();
    const later = http.send(post());
    expect(await Promise.all([underWay, gathered, later].map(stateOf))).toEqual(["local", "local", "local"]);
    await Promise.all([closed, http.close()]);
    expect([closes(), ended]).toEqual([1, []]);
  });

  it("answers what was only gathered at once, terminates an other end that does not close in CLOSE_LIMIT_MS, and resolves", async () => {
    const { http, clock, ended, terminations } = watchedChannel();
    const reply = http.send(post());
    const closed = http.close();
    expect([await stateOf(reply), terminations()]).toEqual(["local", 0]);
    await wait(clock, CLOSE_LIMIT_MS);
    await closed;
    expect([terminations(), ended]).toEqual([1, []]);
  });
});

function silent(afterMs: number): Reply {
  return { kind: "silent", fault: "local", afterMs };
}
