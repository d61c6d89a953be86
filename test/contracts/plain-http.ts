// A simple HTTP adapter over node:http that supports all that its `supports` claims, and can have one flaw for the suite
// to find. It shows what a flaw looks like; it is not for production.

import { Agent, type ClientRequest, type IncomingMessage, request as requestHttp } from "node:http";
import { Agent as TlsAgent, request as requestHttps } from "node:https";
import type { Clock, Fault, Header, HttpPort, HttpRequest, Reply } from "@postrider/core";
import type { HttpAdapterOptions, HttpSupport } from "@postrider/testkit/contracts";

export const FLAWS = [
  "follows redirects",
  "waits for the whole body of a success",
  "keeps an excerpt without bounds",
  "rejects when the connection is refused",
  "ignores the deadline",
  "counts the deadline anew with every byte",
  "changes the body",
  "drops a header",
  "adds an Accept header",
  "accepts self-signed receivers",
  "reads endless answers to their end",
  "shares one answer among all",
  "says timeout of everything",
] as const;
export type Flaw = (typeof FLAWS)[number];

const reason = "the plain adapter leaves that out";

/** The parts that the plain adapter supports. */
export const PLAIN_SUPPORTS: HttpSupport = {
  exactHeaders: { reason },
  rawAnswers: true,
  boundedFraming: { reason },
  socketFaults: { reason },
  certificateFaults: { reason },
  authorities: true,
  strictTls: { reason },
  vettedAddresses: { reason },
  ownResolver: { reason },
  ownConnections: { reason },
  close: { reason },
};

const FAULTS: Readonly<Record<string, Fault>> = {
  ECONNREFUSED: "connection-refused",
  ERR_INVALID_CHAR: "invalid-header",
  ERR_INVALID_HTTP_TOKEN: "invalid-header",
};

/** The adapter, with the flaw if there is one. */
export function createPlainHttp({ clock, ca }: HttpAdapterOptions, flaw?: Flaw): HttpPort & { close(): Promise<void> } {
  const rejectUnauthorized = flaw !== "accepts self-signed receivers";
  const agents = { http: new Agent(), https: new TlsAgent({ ca: [...ca], rejectUnauthorized }) };
  let shared: Promise<Reply> | undefined;
  return {
    send(post) {
      if (flaw === "shares one answer among all") return (shared ??= exchange(post));
      return exchange(post);
    },
    close: async () => {
      agents.http.destroy();
      agents.https.destroy();
    },
  };

  function exchange(post: HttpRequest): Promise<Reply> {
    return new Promise((resolve, reject) => {
      const reply = openReply({ clock, post, flaw, resolve, reject });
      try {
        const request = openRequest(post);
        reply.watch(request);
        request.end(flaw === "changes the body" ? Buffer.concat([post.body, Buffer.from("\n")]) : post.body);
      } catch (error) {
        reply.fail(error);
      }
    });
  }

  function openRequest({ url, headers }: HttpRequest): ClientRequest {
    const isTls = url.startsWith("https:");
    const kept = flaw === "drops a header" ? headers.slice(0, -1) : headers;
    const added: readonly Header[] = flaw === "adds an Accept header" ? [["accept", "text/html"]] : [];
    const given = Object.fromEntries([...kept, ...added]);
    return isTls
      ? requestHttps(url, { method: "POST", agent: agents.https, headers: given })
      : requestHttp(url, { method: "POST", agent: agents.http, headers: given });
  }
}

interface Opening {
  readonly clock: Clock;
  readonly post: HttpRequest;
  readonly flaw: Flaw | undefined;
  readonly resolve: (reply: Reply | Promise<Reply>) => void;
  readonly reject: (error: unknown) => void;
}

interface OpenReply {
  watch(request: ClientRequest): void;
  fail(error: unknown): void;
}

function openReply({ clock, post, flaw, resolve, reject }: Opening): OpenReply {
  const startedAt = clock.monotonic();
  let request: ClientRequest | undefined;
  let answer: Omit<Extract<Reply, { kind: "answered" }>, "excerpt"> | undefined;
  let body = Buffer.alloc(0);
  let readBytes = 0;
  let cancel = clock.after(flaw === "ignores the deadline" ? 10 * post.timeoutMs : post.timeoutMs, expire);

  return { watch, fail };

  function watch(opened: ClientRequest): void {
    request = opened;
    request.on("response", hear).on("error", fail);
    request.on("upgrade", (_, socket) => {
      socket.destroy();
      fail(new Error("upgrade"));
    });
    request.on("socket", (socket) => socket.on("data", prolong));
  }

  function hear(response: IncomingMessage): void {
    const status = response.statusCode ?? 0;
    if (status < 200 || status > 599) {
      fail(new Error("status"));
      return;
    }
    const location = response.headers.location;
    if (flaw === "follows redirects" && location !== undefined) {
      requestHttp(location, { method: "POST" }, hear).on("error", fail).end(post.body);
      return;
    }
    const header = response.headers["retry-after"];
    const afterMs = clock.monotonic() - startedAt;
    answer = { kind: "answered", status, afterMs, ...(header === undefined ? {} : { retryAfter: header }) };
    if (isSuccess() && flaw !== "waits for the whole body of a success") settle();
    response.on("data", read).on("end", end).on("error", fail);
  }

  function read(chunk: Buffer): void {
    readBytes += chunk.length;
    if (flaw === "keeps an excerpt without bounds") body = Buffer.concat([body, chunk]);
    else body = Buffer.concat([body, chunk]).subarray(0, 4_096);
    if (body.length === 4_096 && !isSuccess()) settle();
    if (readBytes > 65_536 && flaw !== "reads endless answers to their end") expire();
  }

  function prolong(): void {
    if (flaw !== "counts the deadline anew with every byte") return;
    cancel();
    cancel = clock.after(post.timeoutMs, expire);
  }

  function end(): void {
    cancel();
    settle();
  }

  function expire(): void {
    if (answer === undefined) silence("timeout");
    end();
    request?.destroy();
  }

  function fail(error: unknown): void {
    if (answer !== undefined) {
      end();
      return;
    }
    cancel();
    const code = error instanceof Error && "code" in error ? String(error.code) : "";
    if (flaw === "rejects when the connection is refused" && code === "ECONNREFUSED") reject(error);
    else silence(FAULTS[code] ?? "network");
    request?.destroy();
  }

  function silence(fault: Fault): void {
    const known = flaw === "says timeout of everything" ? "timeout" : fault;
    resolve({ kind: "silent", fault: known, afterMs: clock.monotonic() - startedAt });
  }

  function settle(): void {
    if (answer !== undefined) resolve({ ...answer, excerpt: isSuccess() ? new Uint8Array() : body });
  }

  function isSuccess(): boolean {
    return answer !== undefined && answer.status <= 299;
  }
}
