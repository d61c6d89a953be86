// Reports each answer of a handler: its endpoint, its status and how long it took. Does not know what is in a request.

import type { Clock } from "@postrider/core";
import type { Answer, IncomingRequest } from "@postrider/http";
import type { RelayEvent } from "@postrider/relay";
import { pathNameOf, routeOf } from "./routes.js";

type Answering = (request: IncomingRequest) => Promise<Answer>;

/** The status that a listener answers if a handler rejects. */
const REJECTED = 500;

/** A handler that passes an `answered` event to `observe` for each request. What `observe` throws has no effect. */
export function measured(
  handle: Answering,
  clock: Pick<Clock, "wall" | "monotonic">,
  observe: (event: RelayEvent) => void,
): Answering {
  const report = (path: string, status: number, ms: number): void => {
    try {
      observe({ kind: "answered", route: pathNameOf(routeOf(path)), status, ms, at: clock.wall() });
    } catch {
      // The answer does not depend on the observer.
    }
  };
  return async (request) => {
    const since = clock.monotonic();
    let status = REJECTED;
    try {
      const answer = await handle(request);
      ({ status } = answer);
      return answer;
    } finally {
      report(request.path, status, clock.monotonic() - since);
    }
  };
}
