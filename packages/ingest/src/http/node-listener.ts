// A handler behind node:http: reads a bounded body, writes the answer. Decides nothing about what is asked.
// Never throws: a caller who leaves is let go, a handler that breaks is a 500.

import { Buffer } from "node:buffer";
import type { IncomingMessage, ServerResponse } from "node:http";
import { LINGER_MS, MAX_REQUEST_BYTES } from "../limits.js";
import type { Answer, Handler, IncomingRequest, RequestBody } from "./handler.js";
import { bugAnswer } from "./json-answer.js";

export interface ListenerOptions {
  /** The longest body that is read; of a longer one the handler hears only that it is. 512,000 if absent. */
  readonly limitBytes?: number;
}

export type NodeListener = (request: IncomingMessage, response: ServerResponse) => void;

/** What `node:http`'s `createServer` takes. */
export function createNodeListener(handler: Handler, options: ListenerOptions = {}): NodeListener {
  const limitBytes = options.limitBytes ?? MAX_REQUEST_BYTES;
  return (request, response) => {
    // A connection that breaks while an answer is written is the caller's affair.
    response.on("error", ignore);
    serve({ handler, limitBytes, request, response }).catch(() => response.destroy());
  };
}

interface Exchange {
  readonly handler: Handler;
  readonly limitBytes: number;
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
}

async function serve({ handler, limitBytes, request, response }: Exchange): Promise<void> {
  const body = await readBody(request, limitBytes);
  if (body === undefined) return;
  const answer = await ask(handler, plainRequest(request, body)).catch(bugAnswer);
  if (response.destroyed) return;
  if (body.kind === "too-large") sendAndLinger(response, answer);
  else send(response, answer);
}

// Async, so that a handler which throws at once is caught like one that rejects.
async function ask(handler: Handler, request: IncomingRequest): Promise<Answer> {
  return handler(request);
}

/** Undefined when the caller left before the end. */
function readBody(request: IncomingMessage, limitBytes: number): Promise<RequestBody | undefined> {
  request.on("error", ignore);
  const declared = Number(request.headers["content-length"] ?? 0);
  return declared > limitBytes ? Promise.resolve({ kind: "too-large" }) : collect(request, limitBytes);
}

function collect(request: IncomingMessage, limitBytes: number): Promise<RequestBody | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on("data", (chunk: Buffer) => {
      size += chunk.length;
      if (size <= limitBytes) {
        chunks.push(chunk);
        return;
      }
      request.pause();
      resolve({ kind: "too-large" });
    });
    request.on("end", () => resolve({ kind: "read", bytes: Buffer.concat(chunks) }));
    request.on("close", () => resolve(undefined));
  });
}

function plainRequest(request: IncomingMessage, body: RequestBody): IncomingRequest {
  // A request line may carry the whole URL (RFC 9112, 3.2.2).
  const target = (request.url ?? "/").replace(/^https?:\/\/[^/?]*/i, "");
  const at = target.indexOf("?");
  return {
    method: request.method ?? "GET",
    path: at === -1 ? target : target.slice(0, at),
    query: at === -1 ? "" : target.slice(at + 1),
    headers: plainHeaders(request),
    body,
  };
}

function plainHeaders(request: IncomingMessage): ReadonlyMap<string, string> {
  const headers = new Map<string, string>();
  for (const [name, value] of Object.entries(request.headers)) {
    if (value !== undefined) headers.set(name, typeof value === "string" ? value : value.join(", "));
  }
  return headers;
}

function send(response: ServerResponse, answer: Answer): void {
  setHead(response, answer);
  response.end(answer.body);
}

// What is still coming is not read. Closing at once would reset the connection, and the answer could be lost with it:
// so the whole answer is sent, and the caller has a moment to read it and to hang up.
function sendAndLinger(response: ServerResponse, answer: Answer): void {
  setHead(response, answer);
  response.setHeader("Connection", "close");
  response.setHeader("Content-Length", Buffer.byteLength(answer.body));
  response.write(answer.body);
  response.setTimeout(LINGER_MS, () => response.destroy());
}

function setHead(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
}

function ignore(): void {
  // Nothing is left to do.
}
