// Serves a handler on runtimes with Web-standard requests: a Request in, a Response out. Knows no paths, and never
// rejects.

import { Buffer } from "node:buffer";
import { bodyAlreadyReadAnswer } from "./body-read-before.js";
import { isSupportedEncoding } from "./content-encoding.js";
import type { Answer, Handler, IncomingRequest, RequestBody } from "./handler.js";
import { errorAnswer } from "./json-answer.js";
import { MAX_REQUEST_BYTES } from "./limits.js";
import type { ListenerOptions } from "./node-listener.js";
import { cutBasePath } from "./plain-path.js";
import { internalErrorAnswer } from "./refusals.js";

/** The options of a listener that do not concern sockets: here the runtime manages the sockets. */
export type WebHandlerOptions = Pick<ListenerOptions, "limitBytes" | "isStreamed" | "basePath">;

/** Answers a Web-standard request. Never rejects. */
export type WebHandler = (request: Request) => Promise<Response>;

/** For Bun, Deno and edge runtimes. How much all requests hold at once is bounded by the runtime, not here. */
export function createWebHandler(handler: Handler, options: WebHandlerOptions = {}): WebHandler {
  const { limitBytes = MAX_REQUEST_BYTES, isStreamed = (): boolean => false, basePath = "" } = options;
  return async (request) => {
    const head = plainHead(request, basePath);
    if (request.bodyUsed || request.body?.locked === true) return toResponse(usedBodyAnswer());
    const body = await bodyOf(request, isStreamed(head), limitBytes).catch(() => undefined);
    const answer =
      body === undefined ? cutShortAnswer() : await ask(handler, { ...head, body }).catch(internalErrorAnswer);
    return toResponse(answer);
  };
}

function toResponse({ status, headers, body }: Answer): Response {
  // A Response with status 204 may not have a body, not even an empty one.
  return new Response(body === "" ? null : body, { status, headers: headers.map(([name, value]) => [name, value]) });
}

function usedBodyAnswer(): Answer {
  return bodyAlreadyReadAnswer("hand over a Request whose body nothing has read, such as request.clone() made before");
}

// Async, so that a handler that throws is caught like one that rejects.
async function ask(handler: Handler, request: IncomingRequest): Promise<Answer> {
  return handler(request);
}

function plainHead(request: Request, basePath: string): Omit<IncomingRequest, "body"> {
  const url = new URL(request.url);
  return {
    method: request.method.toUpperCase(),
    path: cutBasePath(url.pathname, basePath),
    query: url.search.slice(1),
    headers: new Map(request.headers),
    ...(basePath === "" ? {} : { mountPath: basePath }),
  };
}

async function bodyOf(request: Request, isStreamed: boolean, limitBytes: number): Promise<RequestBody> {
  if (!isSupportedEncoding(request.headers.get("content-encoding") ?? undefined)) return { kind: "unread-encoding" };
  return isStreamed ? streamBody(request) : readBody(request, limitBytes);
}

function streamBody({ body }: Request): RequestBody {
  return body === null ? { kind: "read", bytes: new Uint8Array() } : { kind: "streamed", chunks: body };
}

async function readBody(request: Request, limitBytes: number): Promise<RequestBody> {
  if (request.body === null) return { kind: "read", bytes: new Uint8Array() };
  const stream: AsyncIterable<Uint8Array> = request.body;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of stream) {
    size += chunk.length;
    // Leaving the loop cancels the stream.
    if (size > limitBytes) return { kind: "too-large" };
    chunks.push(chunk);
  }
  return { kind: "read", bytes: Buffer.concat(chunks) };
}

function cutShortAnswer(): Answer {
  return errorAnswer(400, { code: "bad-json", message: "the body ended too soon" });
}
