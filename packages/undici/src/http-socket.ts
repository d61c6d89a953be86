// One dialled socket, until it is closed: carries a request, gives its answer to the connection, and waits for the next request. Once it
// is handed over, the strict parser reads its answers from a stream that stands for it (decision: answers in place).

import type { Fault } from "@postrider/core";
import type { Socket } from "node:net";
import { Duplex } from "node:stream";
import { createFaultError, nameSocketFault } from "./faults.js";
import { KEEP_ALIVE_MS, MAX_WIRE_BYTES } from "./limits.js";
import { isUnaskedAnswer } from "./read-start.js";

/** A socket that carries exchanges, one after the other. */
export interface HttpSocket {
  isOpen(): boolean;
  /** True if its answers go to the strict parser. */
  isHandedOver(): boolean;
  /** Sends a request; the bytes that come afterwards are its answer. */
  send(request: Uint8Array): void;
  /** True if another request may go out on it. A socket whose last request has not gone out, but was answered, is closed. */
  claim(): boolean;
  /**
   * Ends an exchange. The socket is closed after this time without another one, at once if the time is not above 0. Once it is
   * handed over, the parser sees to that.
   */
  becomeIdle(keepAliveMs: number): void;
  /** Takes the bytes that have come in; they are overwritten after the call. */
  take(piece: Buffer): void;
  /**
   * Hands the socket to the strict parser. `onReady` is called when the parser expects the answer to a request, but not for one that is
   * under way: the bytes of its answer so far go to `pass`.
   */
  handOver(onReady: () => void, isUnderWay: boolean): RawAnswer;
  /** Passes a piece to the strict parser, once that is ready. */
  pass(piece: Buffer): void;
  close(): Promise<void>;
}

/** The events of an exchange. */
interface ExchangeOwner {
  /** A piece of an answer, until the socket is handed over. */
  onPiece(piece: Buffer): void;
  /** Looks at a piece that the strict parser gets next, and may change it. Returns false if the parser has to wait for a further piece. */
  onStrictPiece(piece: Buffer): boolean;
  /** An answer came that no request asked for. The socket is closed. */
  onUnasked(): void;
  /** The socket is closed, if it was not handed over. */
  onClosed(fault: Fault): void;
}

/** Pieces of an answer that are not counted. Most answers have one. */
const FREE_PIECES = 2;

export function createHttpSocket(socket: Socket, owner: ExchangeOwner): HttpSocket {
  let strict: RawAnswer | undefined;
  let failure: Error | undefined;
  let isIdle = false;
  let isReleased = false;
  let idleMs = KEEP_ALIVE_MS;
  let pieces = 0;
  let countedBytes = 0;
  watch();

  return {
    isOpen,
    isHandedOver: () => strict !== undefined,
    send(request) {
      isIdle = false;
      pieces = 0;
      countedBytes = 0;
      socket.write(request);
    },
    claim() {
      if (isIdle && socket.writableLength > 0) socket.destroy();
      return isOpen();
    },
    becomeIdle(keepAliveMs) {
      isIdle = true;
      if (strict !== undefined) return;
      // An idle connection does not keep the process running. While a request is under way, the timer of its deadline does.
      if (!isReleased) socket.unref();
      isReleased = true;
      if (keepAliveMs <= 0) socket.destroy();
      else if (keepAliveMs !== idleMs) socket.setTimeout((idleMs = keepAliveMs));
    },
    take(piece) {
      if (isIdle) refuse(piece);
      else if (isTooMuch(piece.length)) socket.destroy(createFaultError("bad-response"));
      else if (strict !== undefined) pass(piece);
      else owner.onPiece(piece);
    },
    handOver(onReady, isUnderWay) {
      // From now on the parser closes it when it has been idle.
      socket.setTimeout(0);
      const [ref, unref] = [() => void socket.ref(), () => void socket.unref()];
      strict = createRawAnswer({ onReady, destroy: giveUp, ref, unref }, isUnderWay);
      return strict;
    },
    pass,
    close() {
      const closed = new Promise<void>((resolve) => {
        if (socket.closed) resolve();
        else socket.once("close", () => resolve());
      });
      socket.destroy();
      return closed;
    },
  };

  function isOpen(): boolean {
    return !socket.destroyed && strict?.stream.destroyed !== true;
  }

  /** These bytes were not asked for: they must not be taken for the answer to the next request. */
  function refuse(piece: Buffer): void {
    if (isUnaskedAnswer(piece)) owner.onUnasked();
    socket.destroy();
  }

  /** The parser gives the socket up: more came than the answer, or it has another reason. */
  function giveUp(error: Error | null): void {
    if (isIdle && error !== null && nameSocketFault(error) === "bad-response") owner.onUnasked();
    socket.destroy();
  }

  function pass(piece: Buffer): void {
    const copy = Buffer.from(piece);
    strict?.push(copy, owner.onStrictPiece(copy));
  }

  // The timeout of a socket counts from the last bytes that came or went.
  function watch(): void {
    socket
      .setTimeout(idleMs)
      .on("timeout", () => {
        if (isIdle) socket.destroy();
      })
      .on("error", (error) => {
        failure = error;
        strict?.stream.destroy(error);
      })
      .on("end", () => {
        if (strict === undefined) socket.destroy();
        else strict.push(null, true);
      })
      .on("close", () => {
        if (strict === undefined)
          owner.onClosed(failure === undefined ? "connection-closed" : nameSocketFault(failure));
        // After the end, the parser reads the rest, and then closes.
        else if (!socket.readableEnded) strict.stream.destroy();
      });
  }

  // Limits all bytes of an answer: status lines, headers and chunk framing can be as long as any body.
  function isTooMuch(bytes: number): boolean {
    pieces += 1;
    if (pieces > FREE_PIECES) countedBytes += bytes;
    return countedBytes > MAX_WIRE_BYTES;
  }
}

/** The answers of one socket. */
export interface RawAnswer {
  /** For the parser, which destroys it when its socket must not be used again. */
  readonly stream: Duplex;
  /** Gives the parser a piece, once it is ready; null stands for the end. With `isDecided` false, the piece waits for a further one. */
  push(piece: Buffer | null, isDecided: boolean): void;
}

/** The socket that a stream stands for. */
interface AnswerSource {
  /** The parser expects an answer: its request may go out. */
  onReady(): void;
  /** With the error for which the parser gives it up, if any. */
  destroy(error: Error | null): void;
  ref(): void;
  unref(): void;
}

/** If a request is under way, the pieces of its answer wait until the parser expects it, and `onReady` is not called for it. */
function createRawAnswer(source: AnswerSource, isUnderWay: boolean): RawAnswer {
  let queue: (Buffer | null)[] = [];
  let isReady = !isUnderWay;
  let isDue = false;
  const stream = new Duplex({
    read: () => undefined,
    write(_chunk, _encoding, done) {
      begin();
      done();
    },
    destroy(error, done) {
      source.destroy(error);
      done(error);
    },
  });
  // Without a listener, an error that comes before the parser has taken its stream would end the process.
  stream.on("error", () => undefined);
  // undici does not keep the process running while a connection is idle.
  Object.assign(stream, { ref: () => source.ref(), unref: () => source.unref() });
  return {
    stream,
    push(piece, isDecided) {
      queue.push(piece);
      isDue ||= isDecided;
      flush();
    },
  };

  function begin(): void {
    if (isReady) source.onReady();
    isReady = true;
    flush();
  }

  function flush(): void {
    if (!isReady || !isDue) return;
    const pieces = queue;
    queue = [];
    isDue = false;
    for (const piece of pieces) stream.push(piece);
  }
}
