// The ports of a process that can be killed or frozen. After a kill no pending operation settles, and no further one
// takes effect; earlier commits and requests remain. While the process is frozen, all results and timers wait.

import type { AudienceStore, Cancel, Clock, DeliveryStore, HttpPort } from "@postrider/core";
import { killableAudiences, killableStore } from "./killable-stores.js";

export interface KillablePorts {
  readonly clock: Clock;
  readonly store: DeliveryStore;
  readonly audiences?: AudienceStore;
  readonly http: HttpPort;
  /** Kills the process. */
  kill(): void;
  /** Freezes the process, as SIGSTOP does. */
  freeze(): void;
  /** Continues the process; the results that have waited arrive in order. */
  thaw(): void;
}

export function createKillablePorts({
  clock,
  store,
  audiences,
  http,
}: Pick<KillablePorts, "clock" | "store" | "audiences" | "http">): KillablePorts {
  const timers = new Set<Cancel>();
  let life: "alive" | "frozen" | "dead" = "alive";
  let waiting: (() => void)[] = [];

  /** Passes on a result or a timer: at once; after the thaw, if the process is frozen; never, if it is dead. */
  function deliver(happen: () => void): void {
    if (life === "alive") happen();
    else if (life === "frozen") waiting.push(happen);
  }

  /** Starts the work if the process is alive, and passes on its result. */
  function whileAlive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (life !== "alive") return;
      work().then(
        (answer) => {
          deliver(() => {
            resolve(answer);
          });
        },
        (error: unknown) => {
          deliver(() => {
            reject(error instanceof Error ? error : new Error(String(error)));
          });
        },
      );
    });
  }

  function after(delayMs: number, wake: () => void): Cancel {
    if (life !== "alive") return nothing;
    let isSet = true;
    const withdraw = clock.after(delayMs, () => {
      timers.delete(cancel);
      deliver(() => {
        if (isSet) wake();
      });
    });
    function cancel(): void {
      isSet = false;
      timers.delete(cancel);
      withdraw();
    }
    timers.add(cancel);
    return cancel;
  }

  return {
    clock: { wall: () => clock.wall(), monotonic: () => clock.monotonic(), after },
    store: killableStore(store, whileAlive),
    ...(audiences === undefined ? {} : { audiences: killableAudiences(audiences, whileAlive) }),
    http: { send: (request) => whileAlive(() => http.send(request)) },
    kill: (): void => {
      life = "dead";
      waiting = [];
      for (const cancel of timers) cancel();
    },
    freeze: (): void => {
      if (life === "alive") life = "frozen";
    },
    thaw: (): void => {
      if (life !== "frozen") return;
      life = "alive";
      for (const happen of waiting) {
        // A separate timer for each result: the work that it starts ends before the next result arrives.
        clock.after(0, () => {
          deliver(happen);
        });
      }
      waiting = [];
    },
  };
}

function nothing(): void {
  // A frozen or dead process sets no timer, so there is none to cancel.
}
