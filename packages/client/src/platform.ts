// The clock, randomness and transport of a client: those of its options, otherwise those of the runtime, of which some lack a part.
// The timers of the runtime do not keep the process running; only a promise that a caller awaits keeps it running.

import type { Cancel, Clock, Random } from "@postrider/core";
import { createIdRandom, createSystemClock } from "@postrider/system";
import type { ClientOptions } from "./client.js";
import { KEEP_PROCESS_TIMER_MS } from "./limits.js";
import type { Transport } from "./transport.js";

export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  /** The transport to use now; undefined if the runtime has no `fetch` and the host gave none. */
  readonly findTransport: () => Transport | undefined;
  /** Returns the promise, and keeps the process running while it is pending. */
  keepProcessUp<T>(awaited: Promise<T>): Promise<T>;
}

export function platformOf({ clock, random, transport }: ClientOptions): Platform {
  return {
    clock: clock ?? createSystemClock({ keepsProcess: false }),
    random: random ?? createIdRandom(),
    // `fetch` is looked up for each request, so that a `fetch` that the host sets later is used.
    findTransport: () => transport ?? (globalThis as { readonly fetch?: Transport }).fetch,
    keepProcessUp: clock === undefined ? createKeepUp(createSystemClock()) : (awaited) => awaited,
  };
}

function createKeepUp(clock: Clock): Platform["keepProcessUp"] {
  return (awaited) => {
    let cancel: Cancel = extend();
    function extend(): Cancel {
      return clock.after(KEEP_PROCESS_TIMER_MS, () => {
        cancel = extend();
      });
    }
    return awaited.finally(() => cancel());
  };
}
