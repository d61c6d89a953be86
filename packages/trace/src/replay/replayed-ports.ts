// Ports that ask nothing: each question is compared with the one that was recorded, and is answered when the recorded answer is
// handed on. Once the run has departed, no question is answered and no timer fires.

import { type Cancel, type DeliveryStore, epochMs, monoMs, type RecordablePorts } from "@postrider/core";
import { type AskPort, audienceStoreOf, httpOf, type PortParts, storeOf } from "../port-methods.js";
import type { Cause, Step } from "../turn.js";
import type { Comparison } from "./comparison.js";

export interface ReplayedPorts {
  readonly ports: RecordablePorts;
  /** Hands on what a port did: an answer, a rejection, a timer, the end of the store. `decode` reads its value. */
  readonly handOn: (cause: Cause, decode: (value: unknown) => unknown) => void;
}

interface Asked {
  readonly resolve: (value: unknown) => void;
  readonly reject: (reason: unknown) => void;
}

export function createReplayedPorts(parts: PortParts, comparison: Comparison): ReplayedPorts {
  const asked = new Map<number, Asked>();
  const timers = new Map<number, () => void>();
  let onEnded: ((why: string) => void) | undefined;

  const ask: AskPort = (question, args) => {
    const step = comparison.did(["ask", idOf(comparison.expected()), question, args]);
    return new Promise((resolve, reject) => {
      if (step?.[0] === "ask") asked.set(step[1], { resolve, reject });
    });
  };

  function after(delayMs: number, wake: () => void): Cancel {
    const step = comparison.did(["timer", idOf(comparison.expected()), delayMs]);
    const id = idOf(step);
    if (step !== undefined) timers.set(id, wake);
    return () => void timers.delete(id);
  }

  const onEnd = (listener: (why: string) => void): void => {
    onEnded = listener;
  };

  return {
    ports: {
      store: storeOf(ask, namedParts(parts), parts.end ? onEnd : undefined),
      ...(parts.audiences ? { audiences: audienceStoreOf(ask, {}) } : {}),
      http: httpOf(ask, {}),
      clock: {
        wall: () => comparison.turn()?.wall ?? epochMs(0),
        monotonic: () => comparison.turn()?.monotonic ?? monoMs(0),
        after,
      },
      random: { unit: () => drawUnit(comparison), bytes: (count) => drawBytes(comparison, count) },
    },
    handOn: (cause, decode): void => {
      if (cause[0] === "answer") asked.get(cause[1])?.resolve(decode(cause[2]));
      else if (cause[0] === "fault") asked.get(cause[1])?.reject(decode(cause[2]));
      else if (cause[0] === "timer") timers.get(cause[1])?.();
      else if (cause[0] === "ended") onEnded?.(cause[1]);
    },
  };
}

/** A store with these parts, of which only the names of its methods are used. */
function namedParts({ deletions, pauses, replayJobs, clock, board, outbox }: PortParts): Partial<DeliveryStore> {
  return {
    ...(deletions && { deletions: {} as never }),
    ...(pauses === true && { pauses: {} as never }),
    ...(replayJobs === true && { replayJobs: {} as never }),
    ...(clock === true && { clock: {} as never }),
    ...(board === true && { board: {} as never }),
    ...(outbox === true && { outbox: {} as never }),
  };
}

function drawUnit(comparison: Comparison): number {
  const expected = comparison.expected();
  const step = comparison.did(expected?.[0] === "unit" ? expected : ["unit", 0]);
  return step?.[0] === "unit" ? step[1] : 0;
}

function drawBytes(comparison: Comparison, count: number): Uint8Array {
  const expected = comparison.expected();
  const isSame = expected?.[0] === "bytes" && expected[1].length === 2 * count;
  const step = comparison.did(isSame ? expected : ["bytes", "00".repeat(count)]);
  return step?.[0] === "bytes" ? new Uint8Array(Buffer.from(step[1], "hex")) : new Uint8Array(count);
}

function idOf(step: Step | undefined): number {
  return typeof step?.[1] === "number" ? step[1] : 0;
}
