// Keeps what the demo's receiver saw of the sample calls: which arrived, whether signed well, how long after the call.

import type { CallKind, Clock, MonoMs } from "@postrider/core";
import type { Received } from "../receiver/receiver.js";

export interface Arrival {
  readonly kind: CallKind;
  readonly signature: Received["signature"];
  /** From before the call was made until its message was received. */
  readonly latencyMs: number;
}

export interface Arrivals {
  /** To be called just before the call is made. */
  expect(messageId: string, kind: CallKind): void;
  /** Whether it was one of those expected. */
  note(received: Received): boolean;
  /** In the order in which they were expected, as far as they have come. */
  list(): readonly Arrival[];
  /** Resolves once all that were expected by then have come. */
  all(): Promise<void>;
}

interface Expected {
  readonly kind: CallKind;
  readonly calledAt: MonoMs;
  readonly arrival?: Arrival;
}

export function createArrivals(clock: Clock): Arrivals {
  const expected = new Map<string, Expected>();
  let onNote: () => void = () => undefined;
  const list = (): readonly Arrival[] => [...expected.values()].flatMap(({ arrival }) => arrival ?? []);
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
