// A simple HTTP adapter over node:http that keeps the contract but for what `PLAIN_SUPPORTS` leaves out. Its traits are where
// a broken adapter differs, for the suite to find. It is not for production.

import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as TlsAgent, request as requestHttps } from "node:https";
import { lookup as lookUpBySystem } from "node:dns/promises";
import { isIP, type LookupFunction } from "node:net";
import type { Clock, Fault, Header, HttpPort, HttpRequest, Reply } from "@postrider/core";
import type { HttpAdapterOptions, HttpSupport } from "@postrider/testkit/contracts";
import { createChoose, createMayReach } from "./may-reach.js";

const reason = "the plain adapter leaves that out";

/** The parts that the plain adapter supports. */
export const PLAIN_SUPPORTS: HttpSupport = {
  exactHeaders: true,
  emptyQueries: true,
  everyStatus: true,
  rawAnswers: true,
  statusLines: { reason },
  boundedFraming: { reason },
  socketFaults: { reason },
  certificateFaults: { reason },
  authorities: true,
  strictTls: { reason },
  vettedAddresses: true,
  ownResolver: true,
  ownConnections: true,
  close: true,
};

/** The choices of an adapter. The defaults keep the contract. */
export interface Traits {
  /** The place to which an answer leads, if it is followed. */
  readonly placeIn: (answer: IncomingMessage) => string | undefined;
  /** The target of a request. */
  readonly targetOf: (url: URL, href: string) => string;
  readonly hostOf: (url: URL) => string;
  readonly framing: (body: Uint8Array) => readonly Header[];
  readonly maxReadBytes: number;
  readonly maxExcerptBytes: number;
  /** The most pieces of the body in the excerpt. */
  readonly maxPieces: number;
  readonly waitsForBody: boolean;
  /** The number of time limits that a request may take. */
  readonly patience: number;
  /** The event at which the time begins anew: none, a new connection, or every byte. */
  readonly beginsAnew: "never" | "connected" | "byte";
  readonly hangsUp: boolean;
  /** True if an answer counts that breaks off in its body. */
  readonly takesBroken: boolean;
  readonly takesInterim: boolean;
  readonly retryAfterOf: (answer: IncomingMessage, interim: IncomingMessage["headers"]) => string | undefined;
  readonly onAnswer: (answer: IncomingMessage) => void;
  readonly rejectUnauthorized: boolean;
  readonly keepsAlive: boolean;
  /** The most connections to one origin. */
  readonly maxConnections: number;
  readonly dialsAll: boolean;
  /** The addresses to dial, of all that a name has and those that the contract leaves of them. */
  readonly dialled: (all: readonly string[], left: readonly string[]) => readonly string[];
  readonly closes: boolean;
}

const SOUND: Traits = {
  placeIn: () => undefined,
  targetOf: (url, href) => url.pathname + (url.search === "" && /^[^#]*\?(#|$)/.test(href) ? "?" : url.search),
  hostOf: (url) => url.host,
  framing: (body) => [["Content-Length", String(body.length)]],
  maxReadBytes: 65_536,
  maxExcerptBytes: 4_096,
  maxPieces: Infinity,
  waitsForBody: false,
  patience: 1,
  beginsAnew: "never",
  hangsUp: true,
  takesBroken: true,
  takesInterim: false,
  retryAfterOf: (answer) => answer.headers["retry-after"],
  onAnswer: () => undefined,
  rejectUnauthorized: true,
  keepsAlive: true,
  maxConnections: Infinity,
  dialsAll: true,
  dialled: (_, left) => left,
  closes: true,
};

const FAULTS: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: "connection-refused",
  ENOTFOUND: "dns",
  EAI_AGAIN: "local",
  EFORBIDDEN: "forbidden-address",
  ERR_INVALID_CHAR: "invalid-header",
  ERR_INVALID_HTTP_TOKEN: "invalid-header",
};

/** The adapter, with these traits in place of the sound ones. */
export function createPlainHttp(
  { clock, ca, allow, names }: HttpAdapterOptions,
  given: Partial<Traits> = {},
): HttpPort & { close(): Promise<void> } {
  const traits = { ...SOUND, ...given };
  const mayReach = createMayReach(allow);
  const choose = createChoose(allow);
  const { keepsAlive: keepAlive, maxConnections: maxSockets, rejectUnauthorized } = traits;
  const agents = {
    http: new Agent({ keepAlive, maxSockets, lookup }),
    https: new TlsAgent({ keepAlive, maxSockets, lookup, ca: [...ca], rejectUnauthorized }),
  };
  let isClosed = false;
  return {
    send: (post) =>
      new Promise((resolve) => {
        const reply = openReply({ clock, post, traits, resolve, isClosed: () => isClosed });
        try {
          if (isClosed) throw new Error("closed");
          const request = openRequest(post);
          reply.watch(request);
          request.end(post.body);
        } catch (error) {
          reply.fail(error);
        }
      }),
    close: async () => {
      isClosed = traits.closes;
      if (!isClosed) return;
      agents.http.destroy();
      agents.https.destroy();
    },
  };

  function openRequest({ url: href, headers, body }: HttpRequest): ClientRequest {
    const url = new URL(href);
    const host = url.hostname.replace(/^\[(.*)\]$/, "$1");
    if (isIP(host) !== 0 && !mayReach(host)) throw forbidden();
    const request = url.protocol === "https:" ? requestHttps : requestHttp;
    const agent = url.protocol === "https:" ? agents.https : agents.http;
    const path = traits.targetOf(url, href);
    const headerPairs = [["Host", traits.hostOf(url)], ...headers, ...traits.framing(body)];
    // Node takes pairs, and sends them as they are; its types know only the flat list.
    const nodeHeaders = headerPairs as unknown as readonly string[];
    return request({ method: "POST", host, port: url.port, path, agent, headers: nodeHeaders });
  }

  /** Called by node:net for each dial of a name. */
  function lookup(...[host, , found]: Parameters<LookupFunction>): void {
    const lookUp =
      names?.(host) ?? lookUpBySystem(host, { all: true }).then((all) => all.map(({ address }) => address));
    lookUp.then(
      (addresses) => {
        const chosen = traits.dialled(addresses, choose(addresses));
        if (chosen.length === 0) found(addresses.length > 0 ? forbidden() : unknownName(), []);
        else found(null, (traits.dialsAll ? chosen : chosen.slice(0, 1)).map(describe));
      },
      (error: unknown) => {
        found(Object.assign(unknownName(), { cause: error }), []);
      },
    );
  }
}

interface Opening {
  readonly clock: Clock;
  readonly post: HttpRequest;
  readonly traits: Traits;
  readonly resolve: (reply: Reply) => void;
  readonly isClosed: () => boolean;
}

interface OpenReply {
  watch(request: ClientRequest): void;
  fail(error: unknown): void;
}

function openReply({ clock, post, traits, resolve, isClosed }: Opening): OpenReply {
  const limitMs = traits.patience * post.timeoutMs;
  const startedAt = clock.monotonic();
  let request: ClientRequest | undefined;
  let interim: IncomingMessage["headers"] = {};
  let answer: Omit<Extract<Reply, { kind: "answered" }>, "excerpt"> | undefined;
  let body = Buffer.alloc(0);
  let readBytes = 0;
  let pieces = 0;
  let cancel = clock.after(limitMs, expire);

  return { watch, fail };

  function watch(opened: ClientRequest): void {
    request = opened;
    request.on("response", hear).on("error", fail);
    request.on("information", (one) => {
      interim = one.headers;
      if (traits.takesInterim) settleAs(200, undefined);
    });
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new Error("upgrade"));
    });
    request.on("socket", (socket) => {
      if (traits.beginsAnew === "byte") socket.on("data", beginAnew);
      if (traits.beginsAnew === "connected") socket.once("secureConnect", beginAnew);
    });
  }

  function hear(response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 599) {
      fail(new Error("status"));
      return;
    }
    traits.onAnswer(response);
    const place = traits.placeIn(response);
    if (place !== undefined) {
      requestHttp(place, { method: "POST" }, hear).on("error", fail).end(post.body);
      return;
    }
    settleAs(status, traits.retryAfterOf(response, interim));
    response.on("data", addChunk).on("error", fail).on("end", end);
  }

  function settleAs(status: number, retryAfter: string | undefined): void {
    const afterMs = clock.monotonic() - startedAt;
    answer = { kind: "answered", status, afterMs, ...(retryAfter === undefined ? {} : { retryAfter }) };
    if (isSuccess() && !traits.waitsForBody) settle();
  }

  function addChunk(chunk: Buffer): void {
    readBytes += chunk.length;
    pieces += 1;
    if (pieces <= traits.maxPieces) body = Buffer.concat([body, chunk]).subarray(0, traits.maxExcerptBytes);
    if (body.length === traits.maxExcerptBytes && !isSuccess()) settle();
    if (readBytes > traits.maxReadBytes) expire();
  }

  function beginAnew(): void {
    cancel();
    cancel = clock.after(limitMs, expire);
  }

  function end(): void {
    cancel();
    settle();
  }

  function expire(): void {
    if (answer === undefined) silence("timeout");
    end();
    if (traits.hangsUp) request?.destroy();
  }

  function fail(error: unknown): void {
    if (answer !== undefined && traits.takesBroken) {
      // The bytes of the body that have arrived are still to be read.
      setImmediate(end);
      return;
    }
    cancel();
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    silence(isClosed() ? "local" : (FAULTS[code] ?? "network"));
    request?.destroy();
  }

  function silence(fault: Fault): void {
    resolve({ kind: "silent", fault, afterMs: clock.monotonic() - startedAt });
  }

  function settle(): void {
    if (answer !== undefined) resolve({ ...answer, excerpt: isSuccess() ? new Uint8Array() : body });
  }

  function isSuccess(): boolean {
    return answer !== undefined && answer.status <= 299;
  }
}

function describe(address: string): { address: string; family: number } {
  return { address, family: isIP(address) };
}

function forbidden(): Error {
  return Object.assign(new Error("forbidden"), { code: "EFORBIDDEN" });
}

function unknownName(): Error {
  return Object.assign(new Error("unknown name"), { code: "ENOTFOUND" });
}
