// Keeps count of the calls that are held, and tells those who wait: for calls to come to their end, and for room. Each
// call is opened once and ended once.

import { type CallKind, hasRoom, MAX_CALL_BYTES, type Room, type WrittenCall } from "@postrider/core/batch";

/** A call that is held, with its place in the order of all calls of this client. */
export interface HeldCall {
  readonly place: number;
  readonly type: CallKind;
  readonly messageId: string;
  readonly json: string;
  readonly bytes: number;
}

/** What has become of the calls that were waited for; `pending` are those that have not come to their end. */
export interface Flushed {
  readonly delivered: number;
  readonly failed: number;
  readonly pending: number;
}

export interface Ledger {
  hasRoom(bytes: number): boolean;
  open(call: WrittenCall): HeldCall;
  end(call: HeldCall, isDelivered: boolean): void;
  /** The place that the next call gets: all calls before it have a smaller one. */
  nextPlace(): number;
  /** Waits for all calls that are held now; `stop` answers with what has become of them so far. */
  awaitHeld(): { readonly ended: Promise<Flushed>; readonly stop: () => void };
  /** Waits until there is room for any call. */
  awaitRoom(): Promise<void>;
  /** Nobody has to wait for room any more. */
  releaseAll(): void;
}

interface Wait {
  readonly before: number;
  readonly resolve: (flushed: Flushed) => void;
  delivered: number;
  failed: number;
  pending: number;
}

export function createLedger(most: Room): Ledger {
  const waits = new Set<Wait>();
  let wanting: (() => void)[] = [];
  let isReleased = false;
  let calls = 0;
  let bytes = 0;
  let places = 0;

  function count(place: number, isDelivered: boolean): void {
    for (const wait of waits) {
      if (place >= wait.before) continue;
      wait.pending -= 1;
      if (isDelivered) wait.delivered += 1;
      else wait.failed += 1;
      if (wait.pending === 0) finish(wait);
    }
  }

  function finish(wait: Wait): void {
    waits.delete(wait);
    const { delivered, failed, pending } = wait;
    wait.resolve({ delivered, failed, pending });
  }

  /** One for each place that is free: each of them is about to make a call. */
  function giveRoom(): void {
    if (wanting.length === 0 || !hasRoom({ calls, bytes }, most)) return;
    const free = Math.min(most.calls - calls, Math.ceil((most.bytes - bytes) / MAX_CALL_BYTES));
    for (const resolve of wanting.splice(0, free)) resolve();
  }

  return {
    hasRoom: (more) => hasRoom({ calls, bytes }, most, more),
    open: ({ type, messageId, json, bytes: size }) => {
      calls += 1;
      bytes += size;
      return { place: places++, type, messageId, json, bytes: size };
    },
    end: (call, isDelivered): void => {
      calls -= 1;
      bytes -= call.bytes;
      if (waits.size > 0) count(call.place, isDelivered);
      giveRoom();
    },
    nextPlace: () => places,
    awaitHeld: () => {
      let stop = (): void => undefined;
      const ended = new Promise<Flushed>((resolve) => {
        const wait: Wait = { before: places, resolve, delivered: 0, failed: 0, pending: calls };
        stop = (): void => finish(wait);
        if (calls === 0) finish(wait);
        else waits.add(wait);
      });
      return { ended, stop };
    },
    awaitRoom: () =>
      isReleased || (wanting.length === 0 && hasRoom({ calls, bytes }, most))
        ? Promise.resolve()
        : new Promise((resolve) => wanting.push(resolve)),
    releaseAll: (): void => {
      isReleased = true;
      const all = wanting;
      wanting = [];
      for (const resolve of all) resolve();
    },
  };
}
