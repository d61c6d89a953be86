// Makes one try of a batch: one POST and its answer. Never rejects, and ends within `timeoutMs`, whatever the transport
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
 * Sends a body and resolves with the answer, or with a fault once all is given up: until it resolves, `givingUp` has a function
 * that is to be called then. An `AbortSignal` would do the same, at ten times the cost.
 */
export type PostBatch = (body: string, givingUp: Set<() => void>) => Promise<BatchAnswer>;

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

  return (body, givingUp) =>
    new Promise((resolve) => {
      const abort = typeof AbortController === "function" ? new AbortController() : undefined;
      const end = (answer: BatchAnswer): void => {
        cancel();
        givingUp.delete(giveUp);
        resolve(answer);
      };
      const giveUp = (): void => {
        end({ kind: "silent", fault: "timeout" });
        abort?.abort();
      };
      const cancel = clock.after(timeoutMs, giveUp);
      givingUp.add(giveUp);
      send(body, abort?.signal).then(end, () => end({ kind: "silent", fault: "network" }));
    });
}
