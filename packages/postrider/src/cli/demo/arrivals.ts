// Records the arrivals of the sample calls at the demo's receiver: the result of the signature check, and the latency.

import type { CallKind, Clock, MonoMs } from "@postrider/core";
import type { ReceivedMessage } from "../receiver/receiver.js";

export interface DemoArrival {
  readonly kind: CallKind;
  readonly signature: ReceivedMessage["signature"];
  /** From the start of the call until its message was received. */
  readonly latencyMs: number;
}

export interface Arrivals {
  /** To be called just before the call is made. */
  expect(messageId: string, kind: CallKind): void;
  /** Records a message; returns false for a message that was not expected, or has arrived before. */
  note(received: ReceivedMessage): boolean;
  /** The arrivals so far, in the order of `expect`. */
  list(): readonly DemoArrival[];
  /** Resolves once all expected messages have arrived. */
  all(): Promise<void>;
}

interface ExpectedCall {
  readonly kind: CallKind;
  readonly calledAt: MonoMs;
  readonly arrival?: DemoArrival;
}

export function createArrivals(clock: Clock): Arrivals {
  const expected = new Map<string, ExpectedCall>();
  let onNote: () => void = () => undefined;
  const list = (): readonly DemoArrival[] => [...expected.values()].flatMap(({ arrival }) => arrival ?? []);
  return {
    expect: (messageId, kind) => void expected.set(messageId, { kind, calledAt: clock.monotonic() }),
    note: ({ message, signature }) => {
      const messageId = message?.["messageId"];
      const known = typeof messageId === "string" ? expected.get(messageId) : undefined;
      if (typeof messageId !== "string" || known === undefined || known.arrival !== undefined) return false;
      const arrival = { kind: known.kind, signature, latencyMs: clock.monotonic() - known.calledAt };
      expected.set(messageId, { ...known, arrival });
      onNote();
      return true;
    },
    list,
    all: () =>
      new Promise((resolve) => {
        onNote = (): void => {
          if (list().length === expected.size) resolve();
        };
        onNote();
      }),
  };
}
