// The clock, randomness and transport of a client: those of its options, otherwise those of the runtime. Some runtimes lack a part.
// The timers of the runtime do not keep the process running; only a promise that a caller awaits keeps it running.

import type { Random } from "@postrider/core";
import { createIdRandom, createSystemClock } from "@postrider/system";
import type { ClientOptions } from "./client.js";
import { createTimers, type Timers } from "./create-timers.js";
import { findPage, type WebPage } from "./page.js";
import type { Transport } from "./transport.js";

export interface Platform {
  readonly clock: Timers;
  readonly random: Random;
  readonly page: WebPage | undefined;
  /** The transport to use now; undefined if the runtime has no `fetch` and the host gave none. */
  readonly findTransport: () => Transport | undefined;
}

export function platformOf({ clock, random, transport }: ClientOptions): Platform {
  return {
    clock: createTimers(clock ?? createSystemClock({ keepsProcess: false }), clock ?? createSystemClock()),
    random: random ?? createIdRandom(),
    page: findPage(),
    // `fetch` is looked up for each request, so that a `fetch` that the host sets later is used.
    findTransport: () => transport ?? (globalThis as { readonly fetch?: Transport }).fetch,
  };
}
