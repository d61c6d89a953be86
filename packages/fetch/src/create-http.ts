// The HTTP port over a WHATWG fetch, on any runtime with a fetch. Sends one POST and returns one reply. Core's exchange decides when the
// promise resolves and when the request is aborted (decision: rounds and verdicts). One timer covers the whole exchange.

import type { Clock, HttpPort, Header, HttpRequest, Reply, Fault } from "@postrider/core";
import { createExchange, type ExchangeStep } from "@postrider/core/engine";

/** A WHATWG fetch. The type of a request differs between runtimes, so it is left out here. */
export type Fetch = (url: string, request: never) => Promise<FetchAnswer>;

/** The part of a Web-standard `Response` that is used. */
export interface FetchAnswer {
  readonly status: number;
  readonly headers: { get(name: string): string | null };
  /** Null if there can be none, as after 204. */
  readonly body: { getReader(): BodyReader } | null;
}

/** Reads the body of an answer piece by piece, like the reader of a `ReadableStream`. */
interface BodyReader {
  read(): Promise<{ readonly done: boolean; readonly value?: Uint8Array | undefined }>;
}

/** The options of `createFetchHttp`. */
export interface FetchHttpOptions {
  readonly clock: Clock;
  /** The global `fetch` of the runtime if absent. */
  readonly fetch?: Fetch;
}

/** Creates an HTTP port over `fetch`. `FETCH_LIMITS` lists the parts of the contract that it cannot support. */
export function createFetchHttp({ clock, fetch = globalThis.fetch }: FetchHttpOptions): HttpPort {
  return {
    send: (request) =>
      request.headers.every(canSendHeader)
        ? sendByFetch(request, { clock, fetch })
        : Promise.resolve({ kind: "silent", fault: "invalid-header", afterMs: 0 }),
  };
}

const NAME = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/;

const VALUE = /^[\t\u0020-\u007e\u0080-\u00ff]*$/;

/**
 * True if a header can be sent (RFC 9110, §5.1 and §5.5): its name is a token, and its value is Latin-1 text without control characters but
 * tabs. For another one fetch would reject with an error that has no code.
 */
function canSendHeader([name, value]: Header): boolean {
  return NAME.test(name) && VALUE.test(value);
}

interface Sending {
  readonly clock: Clock;
  readonly fetch: Fetch;
}

interface FetchRequest {
  readonly method: "POST";
  readonly headers: readonly Header[];
  readonly body: Uint8Array;
  readonly redirect: "manual";
  readonly signal: AbortSignal;
}

/** Sends the request; resolves with the reply, never rejects. */
function sendByFetch(request: HttpRequest, { clock, fetch }: Sending): Promise<Reply> {
  return new Promise((resolve) => {
    const abort = new AbortController();
    const listener = createListener(request.timeoutMs, clock, { resolve, abort: () => abort.abort() });
    void readAnswer(callFetch(fetch, request, abort.signal), listener);
  });
}

async function callFetch(fetch: Fetch, request: HttpRequest, signal: AbortSignal): Promise<FetchAnswer> {
  const { url, headers, body } = request;
  // The cast is needed because `Fetch` leaves out the type of the request.
  const call = fetch as (url: string, request: FetchRequest) => Promise<FetchAnswer>;
  return call(url, { method: "POST", headers, body, redirect: "manual", signal });
}

async function readAnswer(answer: Promise<FetchAnswer>, listener: Listener): Promise<void> {
  try {
    const { status, headers, body } = await answer;
    listener.onHead(status, headers.get("retry-after") ?? undefined);
    if (body !== null) await readBody(body.getReader(), listener);
    listener.onEnd();
  } catch (error) {
    listener.onError(error);
  }
}

async function readBody(reader: BodyReader, listener: Listener): Promise<void> {
  while (!listener.isOver()) {
    const { done, value } = await reader.read();
    if (done || value === undefined) return;
    listener.onBody(value);
  }
}

interface Listener {
  onHead(status: number, retryAfter: string | undefined): void;
  onBody(chunk: Uint8Array): void;
  onEnd(): void;
  onError(error: unknown): void;
  isOver(): boolean;
}

interface Effects {
  readonly resolve: (reply: Reply) => void;
  readonly abort: () => void;
}

function createListener(timeoutMs: number, clock: Clock, { resolve, abort }: Effects): Listener {
  const exchange = createExchange(timeoutMs, clock.monotonic());
  const cancelTimer = clock.after(timeoutMs, () => {
    apply(exchange.onFault("timeout", clock.monotonic()));
  });

  return {
    onHead: (status, retryAfter) => apply(exchange.onHead({ status, retryAfter }, clock.monotonic())),
    onBody: (chunk) => apply(exchange.onBody(chunk)),
    onEnd: () => apply(exchange.onEnd(clock.monotonic())),
    onError: (error) => apply(exchange.onFault(nameFetchFault(error), clock.monotonic())),
    isOver: () => exchange.isOver(),
  };

  function apply({ reply, connection }: ExchangeStep): void {
    if (connection !== undefined) cancelTimer();
    if (reply !== undefined) resolve(reply);
    if (connection === "drop") abort();
  }
}

const BY_CODE: ReadonlyMap<string, Fault> = new Map(
  Object.entries<Fault>({
    // Node, and codes that other runtimes share with it.
    ENOTFOUND: "dns",
    EAI_AGAIN: "local",
    EAI_FAIL: "local",
    ECONNREFUSED: "connection-refused",
    ECONNRESET: "connection-reset",
    EPIPE: "connection-reset",
    ETIMEDOUT: "timeout",
    UND_ERR_CONNECT_TIMEOUT: "timeout",
    UND_ERR_HEADERS_TIMEOUT: "timeout",
    UND_ERR_SOCKET: "connection-closed",
    UND_ERR_HEADERS_OVERFLOW: "bad-response",
    DEPTH_ZERO_SELF_SIGNED_CERT: "self-signed",
    SELF_SIGNED_CERT_IN_CHAIN: "certificate-issuer",
    UNABLE_TO_GET_ISSUER_CERT: "certificate-issuer",
    UNABLE_TO_GET_ISSUER_CERT_LOCALLY: "certificate-issuer",
    UNABLE_TO_VERIFY_LEAF_SIGNATURE: "certificate-issuer",
    CERT_HAS_EXPIRED: "certificate-expired",
    CERT_NOT_YET_VALID: "certificate-expired",
    ERR_TLS_CERT_ALTNAME_INVALID: "certificate-host",
    EPROTO: "tls",
    EMFILE: "local",
    ENFILE: "local",
    // Bun.
    ConnectionRefused: "connection-refused",
    ConnectionClosed: "connection-closed",
  }),
);

const TLS_CODE = /^ERR_(?:SSL|TLS)_/;

/** The most errors that are read: the error and its nested causes. */
const MAX_CAUSES = 4;

/**
 * The fault of a fetch that rejected with `error`, which only says that it failed; runtimes attach the cause to it. The fault is `network`
 * if neither the error nor its causes are known.
 */
export function nameFetchFault(error: unknown): Fault {
  let cause = error;
  for (let depth = 0; depth < MAX_CAUSES && cause instanceof Error; depth += 1) {
    const fault = nameCause(cause);
    if (fault !== undefined) return fault;
    cause = cause.cause;
  }
  return "network";
}

function nameCause(error: Error): Fault | undefined {
  if (error.name === "HTTPParserError") return "bad-response";
  const code = "code" in error && typeof error.code === "string" ? error.code : "";
  return BY_CODE.get(code) ?? (TLS_CODE.test(code) ? "tls" : undefined);
}
