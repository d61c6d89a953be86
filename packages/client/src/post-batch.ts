// Makes one try of a batch: one POST and its answer. Never throws, and ends within `timeoutMs`, even with a faulty transport. The write key
// goes into the header and nowhere else.

import type { BatchAnswer } from "@postrider/core/batch";
import type { Clock } from "@postrider/core";
import { writeKeyAuthorization } from "./basic-authorization.js";
import { MAX_OUTLIVING_BYTES } from "./limits.js";
import type { WebPage } from "./page.js";
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
  readonly page: WebPage | undefined;
}

/** A try under way. */
export interface Post {
  /** True if its request goes on when the page is left. */
  readonly outlivesPage: boolean;
  readonly giveUp: () => void;
}

/**
 * Sends a body with calls of this many bytes, and calls `onAnswer` once, later. A callback and no promise, since in an edge worker a
 * promise of an ended request never goes on.
 */
export type PostBatch = (body: string, bytes: number, onAnswer: (answer: BatchAnswer) => void) => Post;

export function createPostBatch(options: PostOptions): PostBatch {
  const { url, timeoutMs, findTransport, clock, page } = options;
  const isGzipped = options.isGzipped && canGzip();
  const headers = {
    authorization: writeKeyAuthorization(options.writeKey),
    "content-type": "application/json",
    ...(isGzipped ? { "content-encoding": "gzip" } : {}),
  };

  /** The bytes of all requests under way that outlive the page. */
  let outlivingBytes = 0;

  async function send(body: string, keepalive: boolean, signal: AbortSignal | undefined): Promise<BatchAnswer> {
    const transport = findTransport();
    if (transport === undefined) return { kind: "silent", fault: "no-fetch" };
    const encodedBody = isGzipped ? await gzip(body) : body;
    const request: TransportRequest = {
      method: "POST",
      headers: { ...headers },
      body: encodedBody,
      redirect: "manual",
      ...(keepalive ? { keepalive } : {}),
      ...(signal === undefined ? {} : { signal }),
    };
    // The request of a transport is typed `never`, since its classes differ between runtimes (see transport.ts).
    const answer: TransportAnswer = await transport(url, request as never);
    return readAnswer(answer);
  }

  return (body, bytes, onAnswer) => {
    const abort = typeof AbortController === "function" ? new AbortController() : undefined;
    const keepalive = page?.keepsAlive === true && outlivingBytes + bytes <= MAX_OUTLIVING_BYTES;
    if (keepalive) outlivingBytes += bytes;
    let isOver = false;
    const end = (answer: BatchAnswer): void => {
      if (isOver) return;
      isOver = true;
      if (keepalive) outlivingBytes -= bytes;
      cancel();
      onAnswer(answer);
    };
    const giveUp = (): void => {
      end({ kind: "silent", fault: "timeout" });
      try {
        abort?.abort();
      } catch {
        // The request of an edge worker that made this try has ended, and the try with it.
      }
    };
    const cancel = clock.after(timeoutMs, giveUp);
    send(body, keepalive, abort?.signal).then(end, () => end({ kind: "silent", fault: "network" }));
    // A body that is to be zipped first is not sent in time.
    return { outlivesPage: keepalive && !isGzipped, giveUp };
  };
}

/** True if this runtime can gzip. */
function canGzip(): boolean {
  return typeof CompressionStream === "function" && typeof Blob === "function";
}

/** The text's UTF-8 bytes, gzipped. */
async function gzip(text: string): Promise<Uint8Array> {
  const zipped = new Blob([text]).stream().pipeThrough(new CompressionStream("gzip"));
  return new Uint8Array(await new Response(zipped).arrayBuffer());
}
