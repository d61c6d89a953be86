// The strict way to read the answers of a connection: its sockets are handed over to the parser, which reads all answers of them,
// but for a success at its status line (decision: the status line). No request is sent twice.

import type { AnswerEvents } from "./answer-events.js";
import { createFaultError } from "./fault-error.js";
import type { HttpSocket } from "./http-socket.js";
import type { RawAnswer } from "./raw-answer.js";
import { createStartReader } from "./read-start.js";
import { createStrictParser, type StreamOpened, type StrictParser } from "./strict-parser.js";

/** An exchange that is under way. */
export interface Asked {
  readonly request: Uint8Array;
  readonly events: AnswerEvents;
  isSent: boolean;
  /** Whether the status has been reported. */
  isAnswered: boolean;
}

export interface StrictAnswers {
  /** Hands over a socket on which the first piece of an answer has come. */
  takeOver(socket: HttpSocket, piece: Buffer, asked: Asked): void;
  /** Expects an answer on the socket that was handed over last; the request goes out once the parser is ready. */
  expect(asked: Asked): void;
  /** Looks at a piece before the parser gets it. False while the final status line is not whole: the parser might refuse it. */
  look(piece: Buffer, asked: Asked): boolean;
  destroy(): Promise<void>;
}

/** The connection whose answers these are. */
export interface StrictOwner {
  asked(): Asked | undefined;
  openSocket(onOpened: (error: Error | null, opened?: HttpSocket) => void): void;
  /** Sends the request of the exchange that is under way. */
  sendOn(socket: HttpSocket): void;
  /** The exchange is over. With `true` its answer is complete, and the socket is idle. */
  onOver(isComplete: boolean): void;
}

export function createStrictAnswers(owner: StrictOwner): StrictAnswers {
  const start = createStartReader();
  let parser: StrictParser | undefined;
  /** The stream of a socket that was handed over, until the parser asks for it. */
  let handedOver: RawAnswer | undefined;

  return {
    takeOver(socket, piece, asked) {
      handedOver = socket.handOver(() => owner.sendOn(socket), true);
      expect(asked);
      socket.pass(piece);
    },
    expect,
    look(piece, asked) {
      const status = start.read(piece);
      if (status !== undefined) {
        asked.isAnswered = true;
        asked.events.onHead({ status, retryAfter: undefined });
      }
      return start.isOver();
    },
    destroy: async () => parser?.destroy(),
  };

  function expect(asked: Asked): void {
    const { events } = asked;
    start.begin();
    parser ??= createStrictParser(openStream);
    parser.expectAnswer({
      onHead(head) {
        if (!asked.isAnswered) events.onHead(head);
        asked.isAnswered = true;
      },
      onBody: (chunk) => events.onBody(chunk),
      onEnd() {
        owner.onOver(true);
        events.onEnd();
      },
      onFault(fault) {
        owner.onOver(false);
        events.onFault(fault);
      },
    });
  }

  /** Called by the parser when it expects an answer and has no stream. */
  function openStream(onOpened: StreamOpened): void {
    const stream = handedOver?.stream;
    handedOver = undefined;
    if (stream !== undefined) queueMicrotask(() => onOpened(null, stream));
    else if (owner.asked()?.isSent === false) openHandedOver(onOpened);
    // The socket has gone before the parser took it. A request that was sent is not sent again.
    else queueMicrotask(() => onOpened(createFaultError("connection-closed"), null));
  }

  function openHandedOver(onOpened: StreamOpened): void {
    owner.openSocket((error, opened) => {
      onOpened(error, opened?.handOver(() => owner.sendOn(opened), false).stream ?? null);
    });
  }
}
