// Keeps track of the requests of a host that a stop waits for: after the stop no request begins, and the stop waits for
// those under way.

import { errAsync, type ResultAsync } from "neverthrow";
import type { RelayFault } from "./fault.js";
import type { OrStalled } from "./commits/stall.js";

export interface HostRequests {
  /** Begins a request, unless there was a stop or the store is stalled. */
  run<T, E>(request: () => ResultAsync<T, E>): ResultAsync<T, E | RelayFault>;
  readonly isStopped: () => boolean;
  /** From now on no request begins. */
  stop(): void;
  /** Resolves once all requests that have begun have ended. */
  ended(): Promise<void>;
}

export function createHostRequests(orStalled: OrStalled): HostRequests {
  const underWay = new Set<PromiseLike<void>>();
  let isStopped = false;

  function keep<T, E>(request: ResultAsync<T, E>): ResultAsync<T, E> {
    const leave = (): void => void underWay.delete(settled);
    const settled = request.then(leave, leave);
    underWay.add(settled);
    return request;
  }

  return {
    run: (request) => (isStopped ? errAsync({ code: "stopped" }) : orStalled(() => keep(request()))),
    isStopped: () => isStopped,
    stop: (): void => {
      isStopped = true;
    },
    ended: async (): Promise<void> => {
      await Promise.all(underWay);
    },
  };
}
