// HTTP adapters that send something else than they were given, or more than one request.

import { request as requestHttp } from "node:http";
import { connect } from "node:net";
import type { EndpointId, Header, HttpRequest, Reply } from "@postrider/core";
import { around, changing, type CreateHttp, again, withTraits } from "./http-wrappers.js";

/** Changes the text behind the origin of the URL. */
function retargeting(change: (target: string) => string): CreateHttp {
  return changing(({ url }) => {
    const { origin } = new URL(url);
    return { url: `${origin}${change(url.slice(origin.length))}` as EndpointId };
  });
}

function adding(...headers: readonly Header[]): CreateHttp {
  return changing((request) => ({ headers: [...request.headers, ...headers] }));
}

/** A timer of 32 bits: a longer one fires at once. */
export const timingIn32Bits = changing(({ timeoutMs }) => (timeoutMs > 2 ** 31 - 1 ? { timeoutMs: 1 } : {}));

/** A coarse timer, which counts in steps of half a second. */
export const timingInHalfSeconds = changing(({ timeoutMs }) => ({ timeoutMs: Math.ceil(timeoutMs / 500) * 500 }));

export const loweringTheTarget = retargeting((target) => target.toLowerCase());
export const joiningSlashes = retargeting((target) => target.replace(/\/+/g, "/"));
export const droppingTheEmptyQuery = retargeting((target) => target.replace(/\?$/, ""));
export const decodingTheTarget = retargeting((target) => target.replace(/%2f/gi, "/"));
export const sendingTheFragment = withTraits({ targetOf: (url) => url.pathname + url.search + url.hash });
export const namingTheAddress = withTraits({ hostOf: (url) => `127.0.0.1:${url.port}` });

export const sendingCredentials = changing(({ url, headers }) => {
  const { username, password } = new URL(url);
  const credentials = Buffer.from(`${username}:${password}`).toString("base64");
  return username === "" ? {} : { headers: [...headers, ["Authorization", `Basic ${credentials}`]] };
});

export const addingAccept = adding(["Accept", "text/html"]);
export const addingAnEncoding = changing(({ headers }) =>
  headers.some(([name]) => name === "Accept-Encoding") ? {} : { headers: [...headers, ["Accept-Encoding", "gzip"]] },
);
/** Leaves out what a script in a browser may not set. */
export const droppingForbiddenNames = changing(({ headers }) => ({
  headers: headers.filter(([name]) => !/^(?:cookie|origin|referer|date|via|te|dnt)$/i.test(name)),
}));
export const droppingAHeader = changing(({ headers }) => ({ headers: headers.slice(0, -1) }));
export const loweringNames = changing(({ headers }) => ({
  headers: headers.map(([name, value]) => [name.toLowerCase(), value] as const),
}));
export const keepingTheLastOfEach = changing(({ headers }) => ({
  headers: [...new Map(headers.map((header) => [header[0].toLowerCase(), header])).values()],
}));
export const joiningRepeated = changing(({ headers }) => {
  const joined = new Map<string, Header>();
  for (const [name, value] of headers) {
    const before = joined.get(name.toLowerCase());
    joined.set(name.toLowerCase(), before === undefined ? [name, value] : [before[0], `${before[1]}, ${value}`]);
  }
  return { headers: [...joined.values()] };
});

export const changingTheBody = changing(({ body }) => ({ body: Buffer.concat([body, Buffer.from("\n")]) }));
export const cuttingTheBody = changing(({ body }) => ({ body: body.subarray(0, 65_536) }));
export const sendingTheWholeBuffer = changing(({ body }) => ({ body: new Uint8Array(body.buffer) }));
export const wipingTheBody = around(() => async (http, request) => {
  const reply = await http.send(request);
  request.body.fill(0);
  return reply;
});
export const sendingInChunks = withTraits({ framing: () => [["Transfer-Encoding", "chunked"]] });
export const expectingToContinue = withTraits({
  framing: (body) => [
    ["Content-Length", String(body.length)],
    ["Expect", "100-continue"],
  ],
});

const isSilent = (reply: Reply): boolean => reply.kind === "silent";
const statusOf = (reply: Reply): number => (reply.kind === "answered" ? reply.status : 0);

export const retryingSilence = again((reply) => isSilent(reply) && !("fault" in reply && reply.fault === "timeout"));
export const retryingFailures = again((reply) => [408, 429, 503].includes(statusOf(reply)));
export const retryingMisdirected = again((reply) => statusOf(reply) === 421);
export const hedging = around(() => (http, request) => Promise.race([http.send(request), http.send(request)]));

/** Asks first, by another method. */
export const askingFirst = around(() => async (http, request) => {
  await new Promise((resolve) => {
    requestHttp(request.url, { method: "OPTIONS" }, (response) => response.resume().on("end", resolve))
      .on("error", resolve)
      .end();
  });
  return http.send(request);
});

/** Sends once more what got no answer, but only on a connection that it has used before. */
export const retryingOnKept = around(() => {
  const used = new Set<string>();
  return async (http, request) => {
    const { origin } = new URL(request.url);
    const reply = await http.send(request);
    const isKept = used.has(origin);
    used.add(origin);
    return isKept && isSilent(reply) ? http.send(request) : reply;
  };
});

/** Puts the address of a name into the URL. */
export const dialingTheAddress: CreateHttp = around(() => async (http, request, { names }) => {
  const url = new URL(request.url);
  const [address = url.hostname] = (await names?.(url.hostname)) ?? [];
  url.hostname = address;
  return http.send({ ...request, url: url.href as EndpointId });
});

/** Opens a further connection, for the next request. */
export const connectingAhead = around(() => (http, request) => {
  const { hostname, port } = new URL(request.url);
  const spare = connect(Number(port), hostname).on("error", () => undefined);
  spare.setTimeout(1_000, () => spare.destroy());
  return http.send(request);
});

/** Sends each request after the answer to the one before. */
export const queueing = around(() => {
  let last: Promise<unknown> = Promise.resolve();
  return (http, request) => {
    const reply = last.then(() => http.send(request));
    last = reply;
    return reply;
  };
});

/** Sends the request in any case, as soon as the name is known. */
export const sendingLate: CreateHttp = (options) => {
  const { names = async () => [], clock } = options;
  let firstAddresses: readonly string[] = [];
  const http = withTraits({})({ ...options, names: async () => firstAddresses });
  return {
    send: (request) =>
      new Promise((resolve) => {
        const { timeoutMs } = request;
        clock.after(timeoutMs, () => {
          resolve({ kind: "silent", fault: "timeout", afterMs: timeoutMs });
        });
        void names(new URL(request.url).hostname).then(async (addresses) => {
          firstAddresses = addresses;
          resolve(await http.send(request));
        });
      }),
    close: () => http.close(),
  };
};

/** Sends the cookies of earlier answers. */
export function keepingCookies(): CreateHttp {
  return (options) => {
    let cookies: readonly string[] = [];
    const http = withTraits({ onAnswer: ({ headers }) => (cookies = headers["set-cookie"] ?? cookies) })(options);
    const withCookies = (request: HttpRequest): HttpRequest => ({
      ...request,
      headers: [...request.headers, ...cookies.map((cookie) => ["Cookie", cookie.split(";")[0] ?? ""] as const)],
    });
    return { send: (request) => http.send(withCookies(request)), close: () => http.close() };
  };
}
