// An HTTP port without sockets. A script decides how each request is answered, the clock decides when, and every request
// is recorded as it was sent.

import { defined } from "@postrider/core/engine";
import {
  type Clock,
  type EndpointId,
  type EpochMs,
  type Fault,
  type Header,
  type HttpPort,
  type HttpRequest,
  MAX_EXCERPT_BYTES,
  type Reply,
} from "@postrider/core";

/** A request, as the script gets it and `requests` returns it. */
export interface SentRequest {
  readonly url: EndpointId;
  readonly headers: readonly Header[];
  /** A copy of the bytes. */
  readonly body: Uint8Array;
  readonly sentAt: EpochMs;
  /** The number of earlier requests to this URL. */
  readonly index: number;
}

/**
 * The behavior of a receiver on one request. `afterMs` is 0 if absent; if it exceeds the timeout of the request, the fault
 * is `timeout`.
 */
export type ScriptedReply =
  | {
      readonly kind: "answers";
      readonly status: number;
      readonly afterMs?: number;
      readonly retryAfter?: string;
      readonly excerpt?: Uint8Array;
    }
  | { readonly kind: "fails"; readonly fault: Fault; readonly afterMs?: number }
  | { readonly kind: "hangs" };

/** Decides the reply to each request of a test. */
export type HttpScript = (request: SentRequest) => ScriptedReply;

/** The replies of each URL, in order; the last reply is repeated. A URL that is not listed refuses the connection. */
export type RepliesByUrl = Readonly<Record<string, ScriptedReply | readonly ScriptedReply[]>>;

/** The options of `createScriptedHttp`. */
export interface ScriptedHttpOptions {
  readonly clock: Clock;
  readonly script: HttpScript | RepliesByUrl;
}

/** An HTTP port that replies from a script and records the requests. */
export interface ScriptedHttp extends HttpPort {
  /** All requests so far, in the order in which they were sent. */
  requests(): readonly SentRequest[];
}

/** Creates an HTTP port for tests: no request leaves the process, and each reply comes from the script. */
export function createScriptedHttp({ clock, script }: ScriptedHttpOptions): ScriptedHttp {
  const decide = typeof script === "function" ? script : scriptOf(script);
  const requests: SentRequest[] = [];
  const countByUrl = new Map<EndpointId, number>();

  return {
    requests: () => requests,
    send: (request): Promise<Reply> => {
      const index = countByUrl.get(request.url) ?? 0;
      countByUrl.set(request.url, index + 1);
      const sentRequest = copyRequest(request, index, clock.wall());
      requests.push(sentRequest);
      return replyInTime(clock, decide(sentRequest), request.timeoutMs);
    },
  };
}

const REFUSES: ScriptedReply = { kind: "fails", fault: "connection-refused" };

function scriptOf(replies: RepliesByUrl): HttpScript {
  return ({ url, index }) => {
    const urlReplies = [Object.hasOwn(replies, url) ? (replies[url] ?? REFUSES) : REFUSES].flat();
    return urlReplies[Math.min(index, urlReplies.length - 1)] ?? REFUSES;
  };
}

function copyRequest({ url, headers, body }: HttpRequest, index: number, sentAt: EpochMs): SentRequest {
  return { url, headers: headers.map(([name, value]) => [name, value]), body: new Uint8Array(body), sentAt, index };
}

function replyInTime(clock: Clock, scripted: ScriptedReply, timeoutMs: number): Promise<Reply> {
  const afterMs = scripted.kind === "hangs" ? timeoutMs : (scripted.afterMs ?? 0);
  const reply: Reply =
    scripted.kind === "hangs" || afterMs > timeoutMs
      ? { kind: "silent", fault: "timeout", afterMs: timeoutMs }
      : replyOf(scripted, afterMs);
  if (reply.afterMs === 0) return Promise.resolve(reply);
  return new Promise((resolve) => {
    clock.after(reply.afterMs, () => {
      resolve(reply);
    });
  });
}

function replyOf(scripted: Exclude<ScriptedReply, { readonly kind: "hangs" }>, afterMs: number): Reply {
  if (scripted.kind === "fails") return { kind: "silent", fault: scripted.fault, afterMs };
  const { status, retryAfter, excerpt } = scripted;
  const isSuccess = status >= 200 && status <= 299;
  const excerptBytes = isSuccess || excerpt === undefined ? new Uint8Array() : excerpt.slice(0, MAX_EXCERPT_BYTES);
  return { kind: "answered", status, afterMs, excerpt: excerptBytes, ...defined({ retryAfter }) };
}
