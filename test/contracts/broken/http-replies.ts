// HTTP adapters that report something else than what came, or what came for another request, and those that keep other
// times or other addresses.

import { gunzipSync } from "node:zlib";
import { type HttpRequest, monoMs, type Reply } from "@postrider/core";
import type { HttpAdapterOptions } from "@postrider/testkit/contracts";
import { createMayReach } from "../may-reach.js";
import { createPlainHttp } from "../plain-http.js";
import { around, type CreateHttp, naming, replying } from "./http-wrappers.js";

export const sayingTimeout = replying((reply) => (reply.kind === "silent" ? { ...reply, fault: "timeout" } : reply));
export const decompressing = replying((reply) =>
  reply.kind === "answered" && reply.excerpt[0] === 0x1f
    ? { ...reply, excerpt: Uint8Array.from(gunzipSync(reply.excerpt)) }
    : reply,
);
/** Drops the byte order mark of an excerpt, as decoders of text do. */
export const droppingTheMark = replying((reply) =>
  reply.kind === "answered" && reply.excerpt[0] === 0xef && reply.excerpt[1] === 0xbb
    ? { ...reply, excerpt: reply.excerpt.slice(3) }
    : reply,
);
/** Measures durations on the wall clock. */
export const measuringOnTheWallClock: CreateHttp = ({ clock, ...options }) =>
  createPlainHttp({ ...options, clock: { ...clock, monotonic: () => monoMs(clock.wall()) } });

export const rejectingWhenRefused = around(() => async (http, request) => {
  const reply = await http.send(request);
  if (reply.kind === "silent" && reply.fault === "connection-refused") throw new Error("refused");
  return reply;
});

export const sharingOneAnswer = around(() => {
  let shared: Promise<Reply> | undefined;
  return (http, request) => (shared ??= http.send(request));
});
export const answeringWithThePrevious = around(() => {
  let previous: Reply | undefined;
  return async (http, request) => {
    const reply = await http.send(request);
    const remembered = previous ?? reply;
    previous = reply;
    return remembered;
  };
});
export const rememberingSuccesses = around(() => {
  const replies = new Map<string, Reply>();
  return async (http, request) => {
    const reply = replies.get(request.url) ?? (await http.send(request));
    if (reply.kind === "answered" && reply.status === 200) replies.set(request.url, { ...reply, afterMs: 0 });
    return reply;
  };
});

async function lookUp({ url }: HttpRequest, { names }: HttpAdapterOptions): Promise<readonly string[]> {
  return (await names?.(new URL(url).hostname).catch(() => [])) ?? [];
}

/** The time begins once the name is known. */
export const startingAfterTheLookUp: CreateHttp = (options) => {
  const addresses = new Map<string, readonly string[]>();
  const http = createPlainHttp({ ...options, names: async (host) => addresses.get(host) ?? [] });
  return {
    async send(request) {
      addresses.set(new URL(request.url).hostname, await lookUp(request, options));
      return http.send(request);
    },
    close: () => http.close(),
  };
};

/** Checks the addresses of one look-up, and dials those of another. */
export const lookingUpTwice: CreateHttp = (options) => {
  const mayReach = createMayReach(options.allow);
  const http = createPlainHttp({ ...options, allow: ["0.0.0.0/0", "::/0"] });
  return {
    async send(request) {
      const addresses = await lookUp(request, options);
      if (addresses.every(mayReach)) return http.send(request);
      return { kind: "silent", fault: "forbidden-address", afterMs: 0 };
    },
    close: () => http.close(),
  };
};

export const rememberingNames = naming((names) => {
  const lookUps = new Map<string, Promise<readonly string[]>>();
  return (host) => {
    const addresses = lookUps.get(host) ?? names(host);
    lookUps.set(host, addresses);
    return addresses;
  };
});
export const leavingOutForbidden: CreateHttp = (options) => {
  const mayReach = createMayReach(options.allow);
  const { names = async () => [] } = options;
  return createPlainHttp({ ...options, names: async (host) => (await names(host)).filter(mayReach) });
};
export const checkingTheFirstEight = naming((names) => async (host) => (await names(host)).slice(0, 8));
export const askingAgain = naming((names) => (host) => names(host).catch(() => names(host)));
export const lookingUpInTurn = naming((names) => {
  let last: Promise<unknown> = Promise.resolve();
  return (host) => {
    const addresses = last.then(() => names(host));
    last = addresses.catch(() => undefined);
    return addresses;
  };
});
