// Remembers the latest events of this process while there are readers, so that no reader has a queue: each has a position, and a reader
// that falls behind gets the number of the events that it has missed.

import type { Cancel, Clock, EpochMs } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import {
  eventJson,
  isStreamedEvent,
  type StreamedEvent,
  EVENTS_GATHERED_MS,
  EVENTS_KEPT_MS,
  MAX_EVENT_READERS,
  MAX_RECENT_EVENTS,
} from "./event-json.js";

/** An event with its number. */
export interface NumberedEvent {
  /** Counts the events of this process from 1. */
  readonly number: number;
  readonly event: StreamedEvent;
  /** The event as JSON; written once for all readers. */
  readonly json: () => string;
}

/** The events after a position. */
export interface EventPage {
  readonly events: readonly NumberedEvent[];
  /** The number of events after the position that are forgotten already. */
  readonly dropped: number;
}

/** The latest events of this process. */
export interface RecentEvents {
  /** To be called with each event of the relay. */
  readonly observe: (event: RelayEvent) => void;
  /** Distinguishes the events of this process from those of another; milliseconds since 1970. */
  readonly startedAt: EpochMs;
  /** The number of the latest event; 0 if there was none. */
  latest(): number;
  /** The number before the oldest event that is remembered. */
  forgotten(): number;
  /** At most `most` events whose number is higher than `position`, in their order. */
  after(position: number, most: number): EventPage;
  /** True if no further reader may join. */
  isFull(): boolean;
  /** Events are remembered from now on until the returned function is called, and a while longer. */
  join(): () => void;
  /** Resolves once there is a further event, after `waitMs` milliseconds without one, or once `signal` is aborted. */
  change(signal: AbortSignal, waitMs: number): Promise<"event" | "quiet" | "aborted">;
}

/** Remembers no event yet. */
export function createRecentEvents(clock: Pick<Clock, "wall" | "after">): RecentEvents {
  const ring: NumberedEvent[] = [];
  const wakes = new Set<() => void>();
  const startedAt = clock.wall();
  let latest = 0;
  let readers = 0;
  /** The number before the first event in memory; undefined while no event is remembered. */
  let start: number | undefined;
  let leftAt: EpochMs = startedAt;
  let cancelWake: Cancel | undefined;

  function observe(event: RelayEvent): void {
    if (!isStreamedEvent(event)) return;
    latest += 1;
    if (start === undefined) return;
    if (readers === 0 && event.at - leftAt > EVENTS_KEPT_MS) {
      forgetAll();
      return;
    }
    ring[latest % MAX_RECENT_EVENTS] = numbered(latest, event);
    if (wakes.size > 0) cancelWake ??= clock.after(EVENTS_GATHERED_MS, wake);
  }

  function forgetAll(): void {
    start = undefined;
    ring.length = 0;
  }

  function wake(): void {
    cancelWake = undefined;
    for (const tell of [...wakes]) tell();
  }

  const forgotten = (): number => (start === undefined ? latest : Math.max(start, latest - MAX_RECENT_EVENTS));

  function after(position: number, most: number): EventPage {
    const from = Math.max(position, forgotten());
    const events: NumberedEvent[] = [];
    for (let number = from + 1; number <= latest && events.length < most; number += 1) {
      const event = ring[number % MAX_RECENT_EVENTS];
      if (event !== undefined) events.push(event);
    }
    return { events, dropped: from - position };
  }

  function join(): () => void {
    readers += 1;
    start ??= latest;
    return () => {
      readers -= 1;
      leftAt = clock.wall();
    };
  }

  function change(signal: AbortSignal, waitMs: number): Promise<"event" | "quiet" | "aborted"> {
    return new Promise((resolve) => {
      const end = (outcome: "event" | "quiet" | "aborted"): void => {
        cancel();
        wakes.delete(tell);
        signal.removeEventListener("abort", giveUp);
        resolve(outcome);
      };
      const tell = (): void => end("event");
      const giveUp = (): void => end("aborted");
      const cancel = clock.after(waitMs, () => end("quiet"));
      wakes.add(tell);
      signal.addEventListener("abort", giveUp);
      if (signal.aborted) giveUp();
    });
  }

  const isFull = (): boolean => readers >= MAX_EVENT_READERS;
  return { observe, startedAt, latest: () => latest, forgotten, after, isFull, join, change };
}

function numbered(number: number, event: StreamedEvent): NumberedEvent {
  let json: string | undefined;
  return { number, event, json: () => (json ??= eventJson(event)) };
}
