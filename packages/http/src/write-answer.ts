// Writes an answer to a response of node:http: a whole one in one piece, a streamed one no faster than its caller reads.
// After an answer to a request that was not read to its end, the connection stays open for a moment, so that its caller
// can read the answer. A stream ends when its caller leaves, and when the listener ends its streams, even if the next piece never comes.

import { Buffer } from "node:buffer";
import type { ServerResponse } from "node:http";
import type { Answer, AnswerStream } from "./handler.js";
import { LINGER_AFTER_ANSWER_MS, STREAM_STALL_MS } from "./limits.js";
import type { RequestExchange } from "./read-request-body.js";

/** Resolves once the answer is written; `streamEnd` is aborted once no answer may be streamed any more. */
export async function writeAnswer(
  { request, response }: Pick<RequestExchange, "request" | "response">,
  answer: Answer,
  streamEnd: AbortSignal,
): Promise<void> {
  const { body } = answer;
  if (typeof body === "function") {
    setHead(response, answer);
    await writeStream(response, body, streamEnd);
  } else if (request.readableEnded) sendWhole(response, answer, body);
  else sendAndLinger(response, answer, body);
}

/** Gives all headers at once, since one by one they cost more, unless a host has set some or watches the head, or the body is empty. */
function sendWhole(response: ServerResponse, answer: Answer, content: string | Uint8Array): void {
  const isPlain = response.getHeaderNames().length === 0 && !Object.hasOwn(response, "writeHead");
  if (isPlain && content.length > 0) {
    const head = answer.headers.flat();
    head.push("Content-Length", String(Buffer.byteLength(content)));
    response.writeHead(answer.status, head);
  } else setHead(response, answer);
  response.end(content);
}

// The rest of the body is not read. If the connection were closed at once, it would be reset, and the answer could be
// lost. So the whole answer is sent first, and the connection stays open for `LINGER_AFTER_ANSWER_MS`, so
// that the caller can read the answer.
function sendAndLinger(response: ServerResponse, answer: Answer, content: string | Uint8Array): void {
  setHead(response, answer);
  response.setHeader("Connection", "close");
  response.setHeader("Content-Length", Buffer.byteLength(content));
  response.write(content);
  response.setTimeout(LINGER_AFTER_ANSWER_MS, () => {
    // Destroying the request closes the connection without creating an error; the request may be destroyed already.
    response.req.destroy();
    response.destroy();
  });
}

function setHead(response: ServerResponse, answer: Answer): void {
  response.statusCode = answer.status;
  for (const [name, value] of answer.headers) response.appendHeader(name, value);
}

/** Resolves once the answer has ended. A stream that throws cuts the connection, as does a caller that does not read. */
async function writeStream(response: ServerResponse, stream: AnswerStream, streamEnd: AbortSignal): Promise<void> {
  const linked = linkAbort([streamEnd]);
  response.once("close", linked.abort);
  // A stream may be silent for long, and its caller should know that it has begun.
  response.flushHeaders();
  try {
    await writePieces(response, stream, linked);
    response.end();
  } catch {
    response.destroy();
  }
}

async function writePieces(response: ServerResponse, stream: AnswerStream, linked: LinkedAbort): Promise<void> {
  const { signal } = linked;
  for await (const piece of untilAborted(stream, linked)) {
    if (!response.write(piece) && !signal.aborted) await waitForDrain(response, signal);
  }
}

/** The pieces until the signal is aborted. A piece that has not come by then is not waited for. Releases the signal at the end. */
export async function* untilAborted(
  stream: AnswerStream,
  { signal, release }: LinkedAbort,
): AsyncGenerator<string | Uint8Array, void, void> {
  const pieces = stream(signal)[Symbol.asyncIterator]();
  const ask = (): Promise<PieceResult | undefined> => unlessAborted(() => pieces.next(), signal);
  try {
    for (let result = await ask(); result !== undefined && result.done !== true; result = await ask()) {
      yield result.value;
    }
  } finally {
    release();
    // Not awaited: a generator that waits for its next piece ends only once that has come.
    pieces.return?.().catch(() => undefined);
  }
}

type PieceResult = IteratorResult<string | Uint8Array, unknown>;

/** The result of `work`, or undefined once the signal is aborted. Keeps no listener on the signal. */
function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    const onAbort = (): void => resolve(undefined);
    signal.addEventListener("abort", onAbort);
    work()
      .finally(() => signal.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

/** Resolves once the caller has read on, or the stream is to end. Cuts the connection of a caller that does not read. */
function waitForDrain(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const disconnect = (): void => void response.destroy();
    const end = (): void => {
      response.setTimeout(0);
      response.off("timeout", disconnect);
      response.off("drain", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    response.setTimeout(STREAM_STALL_MS);
    response.once("timeout", disconnect);
    response.once("drain", end);
    signal.addEventListener("abort", end);
  });
}

interface LinkedAbort {
  readonly signal: AbortSignal;
  readonly abort: () => void;
  /** To be called at the end: the parents are not followed any more. */
  readonly release: () => void;
}

/** A signal that is aborted once one of `parents` is, or by `abort`. */
export function linkAbort(parents: readonly AbortSignal[]): LinkedAbort {
  const controller = new AbortController();
  const abort = (): void => controller.abort();
  for (const parent of parents) {
    if (parent.aborted) abort();
    parent.addEventListener("abort", abort);
  }
  return {
    signal: controller.signal,
    abort,
    release: () => {
      for (const parent of parents) parent.removeEventListener("abort", abort);
    },
  };
}
