// Decides when a body may be parsed; until then it waits as bytes. A parsed body takes many times the memory of its text,
// and is held until its request is answered, so all texts that are parsed at once have a bound. A large body is parsed in
// steps, each about as much work as a small body (decision: event-loop turns).

import type { Clock } from "@postrider/core";
import { createNextLoopTurn, createFairQueue } from "@postrider/relay";
import { parseJsonInSteps } from "@postrider/relay/settings";
import { MAX_TEXT_DEPTH, type Steps } from "@postrider/core/engine";
import { decodeText, type ReadJsonResult } from "../index.js";
import {
  MAX_KEYLESS_LARGE_BODIES,
  MAX_KEYLESS_LARGE_BODIES_PER_NETWORK,
  MAX_KEYLESS_LARGE_BODIES_PARSED,
  MAX_LARGE_BODIES,
  MAX_LARGE_BODIES_PER_SOURCE,
  MAX_LARGE_BODIES_PARSED,
  MAX_SMALL_BODY_BYTES,
  MAX_SMALL_BODY_BYTES_PARSED,
} from "./limits.js";

export interface ParseCapacity {
  /**
   * Resolves when a body of this many bytes may be parsed; to undefined if too many large bodies wait already. A small body
   * that need not wait gets its reservation synchronously.
   */
  reserve(
    bytes: number,
    senderOf: () => BodySender,
  ): ParseReservation | Promise<ParseReservation | undefined> | undefined;
  /** Bytes of text that are parsed and wait for their answer. */
  parsedBytes(): number;
}

/** The sender of a large body. Bodies with a key share one bound; bodies without a key share another bound. */
export interface BodySender {
  /** The id of a source, or, without a key, a network. */
  readonly name: string;
  readonly isKeyed: boolean;
}

export interface ParseReservation {
  /** For a large body: to be awaited after each step of parsing, so that the next step is in a new loop turn. */
  readonly nextTurn: (() => Promise<void>) | undefined;
  /** To be called once, when the request is answered. */
  release(): void;
}

/** A small body that does not fit yet. */
interface WaitingBody {
  readonly bytes: number;
  readonly admit: (reservation: ParseReservation) => void;
}

/**
 * Large bodies are parsed in steps, one step of one body in each turn of the event loop. Without timers, which some
 * hosts do not have, parsing does not wait for turns. Small bodies have a separate bound, so they never wait for large
 * bodies.
 */
export function createParseCapacity(timers?: Pick<Clock, "after">): ParseCapacity {
  const keyed = createFairQueue({
    atOnce: MAX_LARGE_BODIES_PARSED,
    inAll: MAX_LARGE_BODIES,
    ofOwner: MAX_LARGE_BODIES_PER_SOURCE,
  });
  const keyless = createFairQueue({
    atOnce: MAX_KEYLESS_LARGE_BODIES_PARSED,
    inAll: MAX_KEYLESS_LARGE_BODIES,
    ofOwner: MAX_KEYLESS_LARGE_BODIES_PER_NETWORK,
  });
  const nextTurn = timers === undefined ? () => Promise.resolve() : createNextLoopTurn(timers, 1);
  const waitingBodies: WaitingBody[] = [];
  let smallBytes = 0;
  let largeBytes = 0;

  async function reserveLarge(bytes: number, { name, isKeyed }: BodySender): Promise<ParseReservation | undefined> {
    const place = (isKeyed ? keyed : keyless).queue(name);
    if (place === undefined) return undefined;
    await place.begins;
    await nextTurn();
    largeBytes += bytes;
    return {
      nextTurn,
      release: (): void => {
        largeBytes -= bytes;
        place.end();
      },
    };
  }

  function fitsSmall(bytes: number): boolean {
    return smallBytes + bytes <= MAX_SMALL_BODY_BYTES_PARSED;
  }

  function takeSmall(bytes: number): ParseReservation {
    smallBytes += bytes;
    return {
      nextTurn: undefined,
      release: (): void => {
        smallBytes -= bytes;
        admitWaiting();
      },
    };
  }

  /** Reserves at once for all waiting bodies that fit, so that no later body overtakes them. They may be thousands. */
  function admitWaiting(): void {
    for (let first = waitingBodies[0]; first !== undefined && fitsSmall(first.bytes); first = waitingBodies[0]) {
      waitingBodies.shift();
      first.admit(takeSmall(first.bytes));
    }
  }

  function reserveSmall(bytes: number): ParseReservation | Promise<ParseReservation> {
    if (waitingBodies.length === 0 && fitsSmall(bytes)) return takeSmall(bytes);
    return new Promise((admit) => waitingBodies.push({ bytes, admit }));
  }

  return {
    reserve: (bytes, senderOf) =>
      bytes > MAX_SMALL_BODY_BYTES ? reserveLarge(bytes, senderOf()) : reserveSmall(bytes),
    parsedBytes: () => smallBytes + largeBytes,
  };
}

/** Returns what `parseJson` would return. The steps are those of `parseJsonInSteps`. */
export function* parseLargeJson(bytes: Uint8Array): Steps<ReadJsonResult> {
  const text = decodeText(bytes);
  if (text === undefined) return { kind: "refused", reason: "bad-json" };
  return yield* parseJsonInSteps(text, { levels: MAX_TEXT_DEPTH });
}
