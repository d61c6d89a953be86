// Stands for a socket whose answers the strict parser reads: a stream from which it reads, and into which it writes a request that
// is dropped (decision: answers in place). Must not know what an answer says.

import { Duplex } from "node:stream";

/** The answers of one socket. */
export interface RawAnswer {
  /** For the parser, which destroys it when its socket must not be used again. */
  readonly stream: Duplex;
  /** Gives the parser a piece, once it is ready for it; null stands for the end. With `isDecided` false, not before a further one. */
  push(piece: Buffer | null, isDecided: boolean): void;
}

/** The socket that a stream stands for. */
export interface AnswerSource {
  /** The parser expects an answer: its request may go out. */
  onReady(): void;
  /** With the error for which the parser gives it up, if any. */
  destroy(error: Error | null): void;
  ref(): void;
  unref(): void;
}

/** If a request is under way, the pieces of its answer wait until the parser expects it, and `onReady` is not called for it. */
export function createRawAnswer(source: AnswerSource, isUnderWay: boolean): RawAnswer {
  let held: (Buffer | null)[] = [];
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
      held.push(piece);
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
    const pieces = held;
    held = [];
    isDue = false;
    for (const piece of pieces) stream.push(piece);
  }
}
