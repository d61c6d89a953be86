// Serves a handler on runtimes with Web-standard requests: a Request in, a Response out. Never rejects.

import { Buffer } from "node:buffer";
import { bodyAlreadyReadAnswer } from "./read-request-body.js";
import { isSupportedEncoding, errorAnswer, internalErrorAnswer } from "./answers.js";
import type { Answer, AnswerStream, Handler, IncomingRequest, RequestBody } from "./handler.js";
import { MAX_REQUEST_BYTES } from "./limits.js";
import type { ListenerOptions } from "./node-listener.js";
import { cutBasePath } from "./mounts.js";
import { linkAbort, untilAborted } from "./write-answer.js";

/** The options of a listener that do not concern sockets: here the runtime manages the sockets. */
export type WebHandlerOptions = Pick<ListenerOptions, "limitBytes" | "isStreamed" | "basePath">;

/** Answers a Web-standard request. Never rejects. */
export interface WebHandler {
  (request: Request): Promise<Response>;
  /** Ends all answers that are streamed, and every later one as it begins. To be called when the server stops. */
  endStreams(): void;
}

/** For Bun, Deno and edge runtimes. How much all requests hold at once is bounded by the runtime, not here. */
export function createWebHandler(handler: Handler, options: WebHandlerOptions = {}): WebHandler {
  const { limitBytes = MAX_REQUEST_BYTES, isStreamed = (): boolean => false, basePath = "" } = options;
  const streams = new AbortController();
  const handle = async (request: Request): Promise<Response> => {
    const head = plainHead(request, basePath);
    if (request.bodyUsed || request.body?.locked === true) return toResponse(usedBodyAnswer(), []);
    const body = await bodyOf(request, isStreamed(head), limitBytes).catch(() => undefined);
    const answer =
      body === undefined ? cutShortAnswer() : await ask(handler, { ...head, body }).catch(internalErrorAnswer);
    return toResponse(answer, [request.signal, streams.signal]);
  };
  return Object.assign(handle, { endStreams: (): void => streams.abort() });
}

function toResponse({ status, headers, body }: Answer, ends: readonly AbortSignal[]): Response {
  const content = typeof body === "function" ? readableOf(body, ends) : body;
  // A Response with status 204 may not have a body, not even an empty one.
  return new Response(content === "" ? null : (content as string | ReadableStream | Uint8Array<ArrayBuffer>), {
    status,
    headers: headers.map(([name, value]) => [name, value]),
  });
}

/** The pieces as bytes, asked for as the runtime reads them. */
function readableOf(stream: AnswerStream, ends: readonly AbortSignal[]): ReadableStream<Uint8Array> {
  const linked = linkAbort(ends);
  const pieces = untilAborted(stream, linked);
  const encoder = new TextEncoder();
  return new ReadableStream({
    pull: async (controller): Promise<void> => {
      const { done, value } = await pieces.next();
      if (done === true) controller.close();
      else controller.enqueue(typeof value === "string" ? encoder.encode(value) : value);
    },
    cancel: (): void => {
      linked.abort();
      void pieces.return();
    },
  });
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

async function bodyOf(request: Request, isStream: boolean, limitBytes: number): Promise<RequestBody> {
  if (!isSupportedEncoding(request.headers.get("content-encoding") ?? undefined)) return { kind: "unread-encoding" };
  return isStream ? streamBody(request) : readBody(request, limitBytes);
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
