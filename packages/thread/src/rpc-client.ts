// The asking side of a port: numbers questions, keeps whom the answers are for, and sees to it that nobody waits for what
// will not come. Once the port has ended, the outcome of what was under way is unknown, and all that is asked later
// rejects. It knows nothing of stores.

import type { StoreError, StoreErrorCode } from "@postrider/core";
import { MAX_QUESTIONS } from "./limits.js";
import { type Answered, type Asked, errorOf, type Fault, faultOf, OPENING_ID } from "./messages.js";
import type { Parcel } from "./parcel.js";
import type { PortShape } from "./port-shape.js";
import type { Question } from "./methods.js";

export interface Line {
  /** The answer that comes unasked. */
  readonly opening: Promise<Parcel>;
  /** Rejects with what the store rejected with, `busy` beyond the bound, `unavailable` where no answer can come. */
  ask<Args extends readonly unknown[], Answer>(question: Question<Args, Answer>, ...args: Args): Promise<Answer>;
  /** The same, whatever else is under way: for what has to be asked in the end. */
  insist<Args extends readonly unknown[], Answer>(question: Question<Args, Answer>, ...args: Args): Promise<Answer>;
  /** Why the port has ended, if it has. */
  endedBy(): string | undefined;
  /** Resolves once the port has ended; until then the process stays up. */
  end(): Promise<void>;
}

interface Asker {
  readonly answer: (parcel: Parcel) => void;
  readonly fail: (error: Error) => void;
}

export interface LineListeners {
  /** Hears why the port has ended, once, whether or not an answer is waited for. */
  readonly onEnd: (why: string) => void;
  /** Hears each fault that the other end answers with, after the asker. */
  readonly onFault: (fault: Fault) => void;
}

export function createLine(port: PortShape, { onEnd, onFault }: LineListeners): Line {
  const askers = new Map<number, Asker>();
  let lastId = OPENING_ID;
  let ended: string | undefined;
  let isEnding = false;
  let leave: () => void = () => undefined;
  const left = new Promise<void>((resolve) => {
    leave = resolve;
  });

  /** The process stays up for as long as somebody waits for an answer. */
  function answerTo(id: number): Promise<Parcel> {
    if (askers.size === 0) port.ref?.();
    return new Promise((answer, fail) => {
      askers.set(id, { answer, fail });
    });
  }

  function take(id: number): Asker | undefined {
    const asker = askers.get(id);
    askers.delete(id);
    if (askers.size === 0 && !isEnding) port.unref?.();
    return asker;
  }

  function hear(answered: Answered): void {
    const asker = take(answered.id);
    if (answered.kind === "answer") {
      asker?.answer(answered);
      return;
    }
    asker?.fail(errorOf(answered.fault));
    onFault(answered.fault);
  }

  function end(why: string): void {
    if (ended !== undefined) return;
    ended = why;
    for (const id of [...askers.keys()]) take(id)?.fail(storeError("unavailable", why));
    leave();
    onEnd(why);
  }

  async function insist<Args extends readonly unknown[], Answer>(
    { name, args, answer }: Question<Args, Answer>,
    ...given: Args
  ): Promise<Answer> {
    if (ended !== undefined) throw storeError("unavailable", ended);
    const parcel = args.pack(given);
    lastId += 1;
    const asked: Asked = { id: lastId, name, ...parcel };
    port.postMessage(asked, parcel.bytes === undefined ? [] : [parcel.bytes.buffer]);
    return answer.unpack(await answerTo(lastId));
  }

  listen(port, hear, end);

  return {
    opening: answerTo(OPENING_ID),
    ask: async (question, ...given) => {
      if (askers.size >= MAX_QUESTIONS) throw storeError("busy", "too many questions to the store are under way");
      return insist(question, ...given);
    },
    insist,
    endedBy: () => ended,
    end: () => {
      isEnding = true;
      port.ref?.();
      return left;
    },
  };
}

function listen(port: PortShape, hear: (answered: Answered) => void, end: (why: string) => void): void {
  // The other end is this package's too.
  port.on("message", (message) => hear(message as Answered));
  port.on("messageerror", () => end("the store's thread said what cannot be read"));
  port.on("error", (error) => end(`the store's thread has failed: ${faultOf(error).message}`));
  port.on("exit", () => end("the store's thread has ended"));
  port.on("close", () => end("the store's thread has ended"));
}

function storeError(code: StoreErrorCode, message: string): StoreError {
  return Object.assign(new Error(message), { code });
}
