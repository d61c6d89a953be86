// Writes the pieces of an answer that is streamed, no faster than the caller reads. Ends at the end of the pieces, when the
// caller leaves, and when the listener ends its streams, even if the next piece never comes. Knows no request.

import type { ServerResponse } from "node:http";
import type { AnswerStream } from "./handler.js";
import { STREAM_STALL_MS } from "./limits.js";
import { linkAbort, type LinkedAbort } from "./linked-abort.js";

/** Resolves once the answer has ended. A stream that throws cuts the connection, as does a caller that does not read. */
export async function writeStream(response: ServerResponse, stream: AnswerStream, ended: AbortSignal): Promise<void> {
  const linked = linkAbort([ended]);
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
    if (!response.write(piece) && !signal.aborted) await drained(response, signal);
  }
}

/** The pieces until the signal is aborted. A piece that has not come by then is not waited for. Releases the signal. */
export async function* untilAborted(
  stream: AnswerStream,
  { signal, release }: LinkedAbort,
): AsyncGenerator<string | Uint8Array, void, void> {
  const pieces = stream(signal)[Symbol.asyncIterator]();
  const ask = (): Promise<NextPiece | undefined> => unlessAborted(() => pieces.next(), signal);
  try {
    for (let next = await ask(); next !== undefined && next.done !== true; next = await ask()) yield next.value;
  } finally {
    release();
    // Not awaited: a generator that waits for its next piece ends only once that has come.
    pieces.return?.().catch(() => undefined);
  }
}

type NextPiece = IteratorResult<string | Uint8Array, unknown>;

/** The result of `work`, or undefined once the signal is aborted. Keeps no listener on the signal. */
function unlessAborted<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    if (signal.aborted) {
      resolve(undefined);
      return;
    }
    const onAbort = (): void => resolve(undefined);
    signal.addEventListener("abort", onAbort, { once: true });
    work()
      .finally(() => signal.removeEventListener("abort", onAbort))
      .then(resolve, reject);
  });
}

/** Resolves once the caller has read on, or the stream is to end. Cuts the connection of a caller that does not read. */
function drained(response: ServerResponse, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const cut = (): void => void response.destroy();
    const end = (): void => {
      response.setTimeout(0);
      response.off("timeout", cut);
      response.off("drain", end);
      signal.removeEventListener("abort", end);
      resolve();
    };
    response.setTimeout(STREAM_STALL_MS);
    response.once("timeout", cut);
    response.once("drain", end);
    signal.addEventListener("abort", end, { once: true });
  });
}
