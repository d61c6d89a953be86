// One dialled socket, until it is closed: carries a request, gives its answer to the connection, and waits for the next
// request. Once it is handed over, the strict parser gets its answers instead (decision: answers in place). Must not know
// what an answer says.

import type { Fault } from "@postrider/core";
import type { Socket } from "node:net";
import { createFaultError } from "./fault-error.js";
import { KEEP_ALIVE_MS, MAX_WIRE_BYTES } from "./limits.js";
import { nameSocketFault } from "./name-fault.js";
import { type RawAnswer, createRawAnswer } from "./strict-parser.js";

export interface HttpSocket {
  isOpen(): boolean;
  /** Whether its answers go to the strict parser. */
  isHandedOver(): boolean;
  /** Sends a request; what comes from now on is its answer. */
  send(request: Uint8Array): void;
  /** Ends an exchange. The socket is closed after this time without another one, at once if the time is not above 0. */
  becomeIdle(keepAliveMs: number): void;
  /** Takes what has come in; overwritten after the call. */
  take(piece: Buffer): void;
  /** Hands the socket to the strict parser. `onReady` is called when the parser expects the answer to a request. */
  handOver(onReady: () => void): RawAnswer;
  /** The same, with the first piece of an answer to a request that was sent: that request is not announced again. */
  handOverWith(piece: Buffer, onReady: () => void): RawAnswer;
  close(): Promise<void>;
}

/** Is told about an exchange until the socket is handed over. */
export interface ExchangeOwner {
  onPiece(piece: Buffer): void;
  onClosed(fault: Fault): void;
}

/** Pieces of an answer that are not counted. Most answers have one. */
const FREE_PIECES = 2;

export function createHttpSocket(socket: Socket, owner: ExchangeOwner): HttpSocket {
  let stream: RawAnswer | undefined;
  /** What has come before the parser is ready for it; null stands for the end. */
  let held: (Buffer | null)[] | undefined;
  let failure: Error | undefined;
  let isIdle = false;
  let idleMs = KEEP_ALIVE_MS;
  let pieces = 0;
  let countedBytes = 0;
  watch();

  return {
    isOpen: () => !socket.destroyed && stream?.destroyed !== true,
    isHandedOver: () => stream !== undefined,
    send(request) {
      isIdle = false;
      pieces = 0;
      countedBytes = 0;
      if (stream === undefined) socket.ref();
      socket.write(request);
    },
    becomeIdle(keepAliveMs) {
      isIdle = true;
      // An idle connection does not keep the process running.
      socket.unref();
      if (keepAliveMs <= 0) socket.destroy();
      else if (keepAliveMs !== idleMs) socket.setTimeout((idleMs = keepAliveMs));
    },
    take(piece) {
      if (isTooMuch(piece.length)) socket.destroy(createFaultError("bad-response"));
      else if (stream !== undefined) pass(stream, Buffer.from(piece));
      // Nothing was asked for: it must not be taken for the answer to the next request.
      else if (isIdle) socket.destroy();
      else owner.onPiece(piece);
    },
    handOver,
    handOverWith(piece, onReady) {
      held = [Buffer.from(piece)];
      return handOver(onReady);
    },
    close() {
      const closed = new Promise<void>((resolve) => {
        if (socket.closed) resolve();
        else socket.once("close", () => resolve());
      });
      socket.destroy();
      return closed;
    },
  };

  function handOver(onReady: () => void): RawAnswer {
    // From now on the parser closes it when it has been idle.
    socket.setTimeout(0);
    const created = createRawAnswer({
      onReady() {
        if (held === undefined) onReady();
        else for (const piece of held) created.push(piece);
        held = undefined;
      },
      destroy: () => void socket.destroy(),
      ref: () => void socket.ref(),
      unref: () => void socket.unref(),
    });
    stream = created;
    return created;
  }

  function pass(to: RawAnswer, piece: Buffer | null): void {
    if (held === undefined) to.push(piece);
    else held.push(piece);
  }

  // The timeout of a socket counts from what came or went last.
  function watch(): void {
    socket
      .setTimeout(idleMs)
      .on("timeout", () => {
        if (isIdle) socket.destroy();
      })
      .on("error", (error) => {
        failure = error;
        stream?.destroy(error);
      })
      .on("end", () => {
        if (stream === undefined) socket.destroy();
        else pass(stream, null);
      })
      .on("close", () => {
        if (stream === undefined)
          owner.onClosed(failure === undefined ? "connection-closed" : nameSocketFault(failure));
        // After the end, the parser reads what is left, and then closes.
        else if (!socket.readableEnded) stream.destroy();
      });
  }

  // Limits all bytes of an answer: status lines, headers and chunk framing can be as long as any body.
  function isTooMuch(bytes: number): boolean {
    pieces += 1;
    if (pieces > FREE_PIECES) countedBytes += bytes;
    return countedBytes > MAX_WIRE_BYTES;
  }
}
