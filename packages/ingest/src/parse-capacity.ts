// Where bodies wait, as bytes, until they may be parsed. What is parsed takes many times the memory of its text and is held until
// its request is answered, so that all texts that are parsed at once have a bound. Large bodies are parsed in steps, and a turn of
// the event loop has one step of one of them. Small bodies have a room of their own: they never wait for large ones
// (decision: turns of the loop).

import type { Clock } from "@postrider/core";
import { createLoopTurns, createTurns } from "@postrider/relay";
import {
  MAX_KEYLESS_LARGE,
  MAX_KEYLESS_LARGE_OF_OWNER,
  MAX_KEYLESS_LARGE_PARSED,
  MAX_LARGE,
  MAX_LARGE_OF_OWNER,
  MAX_LARGE_PARSED,
  MAX_SMALL_BYTES,
  MAX_SMALL_PARSED_BYTES,
} from "./limits.js";

export interface ParseGate {
  /**
   * Resolves when a body of so many bytes may be parsed; undefined where too many large ones wait already. A small one that
   * need not wait has its place at once.
   */
  enter(bytes: number, senderOf: () => Sender): ParsePlace | Promise<ParsePlace | undefined> | undefined;
  /** How many bytes of text are parsed now, and wait for their answer. */
  parsed(): number;
}

/** Those with a key share the places of large bodies among them, and so do those without. */
export interface Sender {
  /** A source, or a network. */
  readonly name: string;
  readonly isKeyed: boolean;
}

export interface ParsePlace {
  /** Of a large body: to be awaited after each step of the parsing, so that what comes next has a turn of the loop of its own. */
  readonly nextTurn: (() => Promise<void>) | undefined;
  /** The request is answered; to be called once. */
  leave(): void;
}

/** A small body for which there is no room yet. */
interface WaitingBody {
  readonly bytes: number;
  readonly admit: (place: ParsePlace) => void;
}

/** Without timers, as some hosts have none to give, turns of the loop are not kept apart. */
export function createParseGate(timers?: Pick<Clock, "after">): ParseGate {
  const keyed = createTurns({ atOnce: MAX_LARGE_PARSED, inAll: MAX_LARGE, ofOwner: MAX_LARGE_OF_OWNER });
  const keyless = createTurns({
    atOnce: MAX_KEYLESS_LARGE_PARSED,
    inAll: MAX_KEYLESS_LARGE,
    ofOwner: MAX_KEYLESS_LARGE_OF_OWNER,
  });
  const nextTurn = timers === undefined ? atOnce : createLoopTurns(timers, 1);
  const waiting: WaitingBody[] = [];
  let smallBytes = 0;
  let largeBytes = 0;

  async function enterLarge(bytes: number, { name, isKeyed }: Sender): Promise<ParsePlace | undefined> {
    const turn = (isKeyed ? keyed : keyless).queue(name);
    if (turn === undefined) return undefined;
    await turn.begins;
    await nextTurn();
    largeBytes += bytes;
    return {
      nextTurn,
      leave: (): void => {
        largeBytes -= bytes;
        turn.end();
      },
    };
  }

  function hasRoom(bytes: number): boolean {
    return smallBytes + bytes <= MAX_SMALL_PARSED_BYTES;
  }

  function takeSmall(bytes: number): ParsePlace {
    smallBytes += bytes;
    return {
      nextTurn: undefined,
      leave: (): void => {
        smallBytes -= bytes;
        admitWaiting();
      },
    };
  }

  /** Their places are taken here and now, so that none that comes later is before them. One may make room for thousands. */
  function admitWaiting(): void {
    for (let next = waiting[0]; next !== undefined && hasRoom(next.bytes); next = waiting[0]) {
      waiting.shift();
      next.admit(takeSmall(next.bytes));
    }
  }

  function enterSmall(bytes: number): ParsePlace | Promise<ParsePlace> {
    if (waiting.length === 0 && hasRoom(bytes)) return takeSmall(bytes);
    return new Promise((admit) => waiting.push({ bytes, admit }));
  }

  return {
    enter: (bytes, senderOf) => (bytes > MAX_SMALL_BYTES ? enterLarge(bytes, senderOf()) : enterSmall(bytes)),
    parsed: () => smallBytes + largeBytes,
  };
}

function atOnce(): Promise<void> {
  return Promise.resolve();
}
