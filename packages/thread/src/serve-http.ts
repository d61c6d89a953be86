// The sending end of a channel: carries out the requests that arrive with an HTTP port, and returns its replies in batches.
// That port measures the times of a reply, from the arrival of its request on.

import type { HttpPort, Reply } from "@postrider/core";
import {
  type CallerAddress,
  NOT_SENT,
  type RepliesMessage,
  type SenderMessage,
  HTTP_REPLIES,
  type NumberedReply,
  HTTP_REQUESTS,
  type NumberedRequest,
} from "./packing/http.js";
import { buffersOf, type ChannelEnd, createTurnBatch } from "./channel.js";

declare const setImmediate: (run: () => void) => unknown;

/** An HTTP port that can be closed; the exchanges under way end then. */
export interface ServedHttp extends HttpPort {
  close(): Promise<void>;
}

/**
 * Serves an HTTP port on a message port until the other end asks it to close. `create` is called once; its argument returns the
 * addresses on which the process of the other end listens now. Afterwards the message port is closed: a thread with nothing else to do
 * then ends by itself.
 */
export function serveHttp(create: (listening: () => readonly CallerAddress[]) => ServedHttp, port: ChannelEnd): void {
  let addresses: readonly CallerAddress[] = [];
  const http = create(() => addresses);
  const replies = createTurnBatch<NumberedReply>(post);
  // Safe cast: only this package writes to the message port.
  port.on("message", (message) => onMessage(message as SenderMessage));
  // No replies: this end is ready.
  post([]);

  function onMessage(message: SenderMessage): void {
    switch (message.kind) {
      case "requests":
        for (const numbered of HTTP_REQUESTS.unpack(message.parcel)) send(numbered);
        return;
      case "listening":
        addresses = message.addresses;
        return;
      case "close":
        void http.close().finally(() => setImmediate(end));
    }
  }

  function send({ id, request }: NumberedRequest): void {
    const addReply = (reply: Reply): void => replies.add({ id, reply }, sizeOf(reply));
    // An HTTP port must not reject.
    http.send(request).then(addReply, () => addReply(NOT_SENT));
  }

  function post(items: readonly NumberedReply[]): void {
    const message: RepliesMessage = HTTP_REPLIES.pack(items);
    port.postMessage(message, buffersOf(message));
  }

  function end(): void {
    const remaining = replies.take();
    if (remaining.length > 0) post(remaining);
    port.close?.();
  }
}

function sizeOf(reply: Reply): number {
  return reply.kind === "answered" ? reply.excerpt.length : 0;
}
