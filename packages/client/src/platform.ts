// What the client takes of the runtime it lives in, unless its host hands it something else. Its timers work in the
// background of a process that is not its own; only while somebody waits for it does it hold that process.

import type { Cancel, Clock, Random } from "@postrider/core";
import { createSystemClock, createSystemRandom } from "@postrider/system";
import type { ClientOptions } from "./client.js";
import { HOLD_MS } from "./limits.js";
import type { Transport } from "./transport.js";

export interface Platform {
  readonly clock: Clock;
  readonly random: Random;
  readonly transport: Transport;
  /** Keeps the process up for as long as a promise is pending. */
  hold<T>(awaited: Promise<T>): Promise<T>;
}

export function platformOf({ clock, random, transport }: ClientOptions): Platform {
  return {
    clock: clock ?? createSystemClock({ keepsProcess: false }),
    random: random ?? createSystemRandom(),
    // Bound late, so that whoever watches fetch later is passed through.
    transport: transport ?? ((url, request): ReturnType<Transport> => globalThis.fetch(url, request)),
    hold: clock === undefined ? createHold(createSystemClock()) : (awaited) => awaited,
  };
}

function createHold(clock: Clock): Platform["hold"] {
  return (awaited) => {
    let cancel: Cancel = extend();
    function extend(): Cancel {
      return clock.after(HOLD_MS, () => {
        cancel = extend();
      });
    }
    return awaited.finally(() => cancel());
  };
}
