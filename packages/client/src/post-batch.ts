// Makes one try of a batch: one POST and its answer. Never throws, and ends within `timeoutMs`, whatever the transport
// does. Must not know calls and retries. The write key goes into the header and nowhere else.

import type { BatchAnswer } from "@postrider/core/batch";
import type { Clock } from "@postrider/core";
import { writeKeyAuthorization } from "./basic-authorization.js";
import { canGzip, gzip } from "./gzip.js";
import { readAnswer } from "./read-answer.js";
import type { Transport, TransportAnswer, TransportRequest } from "./transport.js";

export interface PostOptions {
  readonly url: string;
  readonly writeKey: string;
  readonly isGzipped: boolean;
  readonly timeoutMs: number;
  /** The transport to use now; undefined if the runtime has no `fetch` and the host gave none. */
  readonly findTransport: () => Transport | undefined;
  readonly clock: Clock;
}

/**
 * Sends a body, and calls `onAnswer` once, later. Returns a function that gives the request up. No promise is used where the answer is
 * waited for: in an edge worker, that of an ended request never goes on.
 */
export type PostBatch = (body: string, onAnswer: (answer: BatchAnswer) => void) => () => void;

export function createPostBatch(options: PostOptions): PostBatch {
  const { url, timeoutMs, findTransport, clock } = options;
  const isGzipped = options.isGzipped && canGzip();
  const headers = {
    authorization: writeKeyAuthorization(options.writeKey),
    "content-type": "application/json",
    ...(isGzipped ? { "content-encoding": "gzip" } : {}),
  };

  async function send(body: string, signal: AbortSignal | undefined): Promise<BatchAnswer> {
    const transport = findTransport();
    if (transport === undefined) return { kind: "silent", fault: "no-fetch" };
    const bytes = isGzipped ? await gzip(body) : body;
    const request: TransportRequest = {
      method: "POST",
      headers: { ...headers },
      body: bytes,
      redirect: "manual",
      ...(signal === undefined ? {} : { signal }),
    };
    // The request of a transport is typed `never`, since its classes differ between runtimes (see transport.ts).
    const answer: TransportAnswer = await transport(url, request as never);
    return readAnswer(answer);
  }

  return (body, onAnswer) => {
    const abort = typeof AbortController === "function" ? new AbortController() : undefined;
    let isOver = false;
    const end = (answer: BatchAnswer): void => {
      if (isOver) return;
      isOver = true;
      cancel();
      onAnswer(answer);
    };
    const giveUp = (): void => {
      end({ kind: "silent", fault: "timeout" });
      try {
        abort?.abort();
      } catch {
        // The request that it belongs to has ended, and with it this one.
      }
    };
    const cancel = clock.after(timeoutMs, giveUp);
    send(body, abort?.signal).then(end, () => end({ kind: "silent", fault: "network" }));
    return giveUp;
  };
}
