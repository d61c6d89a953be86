// Lets people who look at the same list at the same time share one answer, so that many pages cost a server little more than one. A
// change at this console ends that, so that the person who has made it sees what came of it.

import type { Clock, MonoMs } from "@postrider/core";
import type { Answer, Handler, IncomingRequest } from "@postrider/http";
import { MAX_SHARED, SHARED_MS } from "../limits.js";

/** What pages ask for again and again, and what costs the most. */
const SHARED_PATHS = new Set(["/api/deliveries", "/api/series"]);

interface Shared {
  readonly at: MonoMs;
  readonly answer: Promise<Answer>;
}

export interface SharedReads {
  readonly ask: Handler;
  /** Called after a change. */
  forget(): void;
}

export function createSharedReads(api: Handler, clock: Pick<Clock, "monotonic">): SharedReads {
  const known = new Map<string, Shared>();
  return {
    ask: (request) => {
      if (request.method !== "GET" || !SHARED_PATHS.has(request.path)) return api(request);
      const key = keyOf(request);
      const now = clock.monotonic();
      const found = known.get(key);
      if (found !== undefined && now - found.at < SHARED_MS) return found.answer;
      const answer = api(request);
      known.delete(key);
      known.set(key, { at: now, answer });
      const [oldest] = known.keys();
      if (known.size > MAX_SHARED && oldest !== undefined) known.delete(oldest);
      return answer;
    },
    forget: () => known.clear(),
  };
}

function keyOf({ path, query }: IncomingRequest): string {
  return `${path}?${query}`;
}
