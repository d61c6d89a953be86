// Gathers the attempts of rounds until they end, and remembers ended rounds for a while, since attempts may end later than their
// round. Both are bounded. Makes no spans itself.

import type { AttemptEvent, RoundEndEvent } from "./attributes.js";
import type { Linked, RoundSpans } from "./round-spans.js";
import { MAX_ENDED_ROUNDS, MAX_OPEN_ROUNDS } from "../limits.js";
import type { SpanScope } from "./tracing-api.js";

export interface OpenRounds {
  readonly attempted: (event: Linked<AttemptEvent>) => void;
  /** A round had only local faults, whose attempts are not told. */
  readonly failedLocally: (event: Linked<RoundKey>) => void;
  readonly ended: (end: Linked<RoundEndEvent>) => void;
  /** How many rounds were given up before their end, since too many were open. */
  readonly dropped: () => number;
}

/** What tells a round from all others. */
export type RoundKey = Pick<RoundEndEvent, "delivery" | "rounds">;

export function createOpenRounds(spans: RoundSpans): OpenRounds {
  const open = new Map<string, Linked<AttemptEvent>[]>();
  const ended = new Map<string, SpanScope>();
  let dropped = 0;

  function openRound(key: string): Linked<AttemptEvent>[] {
    const known = open.get(key);
    if (known !== undefined) return known;
    if (open.size >= MAX_OPEN_ROUNDS) {
      forgetOldest(open);
      dropped += 1;
    }
    const attempts: Linked<AttemptEvent>[] = [];
    open.set(key, attempts);
    return attempts;
  }

  return {
    attempted: (event): void => {
      const key = keyOf(event);
      // While a round is settled it is open still, and has its late attempts, too.
      if (event.isLate && !open.has(key)) spans.attempt(event, ended.get(key));
      else openRound(key).push(event);
    },
    failedLocally: (event): void => {
      openRound(keyOf(event));
    },
    ended: (end): void => {
      const key = keyOf(end);
      const attempts = open.get(key);
      open.delete(key);
      // What was released without an attempt was no round.
      if (attempts === undefined && end.kind === "released") return;
      const scope = spans.round(end, attempts ?? []);
      if (scope === undefined) return;
      if (ended.size >= MAX_ENDED_ROUNDS) forgetOldest(ended);
      ended.set(key, scope);
    },
    dropped: () => dropped,
  };
}

function keyOf({ delivery, rounds }: RoundKey): string {
  return `${delivery} ${String(rounds)}`;
}

function forgetOldest(map: Map<string, unknown>): void {
  const [oldest] = map.keys();
  if (oldest !== undefined) map.delete(oldest);
}
