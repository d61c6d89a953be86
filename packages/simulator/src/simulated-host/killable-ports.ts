// The ports of a process that can be killed, or stand still. Once it is dead nothing that it asked for ever comes back, and
// what it still tries reaches nobody; what it had committed or sent before is committed and sent. While it is frozen, all
// that comes for it waits outside.

import type { Cancel, Clock, DeletionStore, DeliveryStore, HttpPort } from "@postrider/core";

export interface MortalPorts {
  readonly clock: Clock;
  readonly store: DeliveryStore;
  readonly http: HttpPort;
  /** The process is gone, without a word. */
  kill(): void;
  /** The process stands still, as under SIGSTOP. */
  freeze(): void;
  /** The process goes on; what has come for it meanwhile comes in, in order. */
  thaw(): void;
}

export function createMortalPorts({ clock, store, http }: Pick<MortalPorts, "clock" | "store" | "http">): MortalPorts {
  const timers = new Set<Cancel>();
  let life: "alive" | "frozen" | "dead" = "alive";
  let waiting: (() => void)[] = [];

  /** Something comes from outside. */
  function comeIn(happen: () => void): void {
    if (life === "alive") happen();
    else if (life === "frozen") waiting.push(happen);
  }

  /** Does as asked and hands the answer on, if the process is there to ask and there to hear. */
  function whileAlive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (life !== "alive") return;
      work().then(
        (answer) => {
          comeIn(() => {
            resolve(answer);
          });
        },
        (error: unknown) => {
          comeIn(() => {
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
      comeIn(() => {
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

  function mortalDeletions(deletions: DeletionStore): DeletionStore {
    return {
      open: (deletion, now) => whileAlive(() => deletions.open(deletion, now)),
      purge: (slice, now) => whileAlive(() => deletions.purge(slice, now)),
      finish: (id, now) => whileAlive(() => deletions.finish(id, now)),
      find: (id) => whileAlive(() => deletions.find(id)),
      list: (query) => whileAlive(() => deletions.list(query)),
      suppressed: (query) => whileAlive(() => deletions.suppressed(query)),
    };
  }

  return {
    clock: { wall: () => clock.wall(), monotonic: () => clock.monotonic(), after },
    store: {
      commit: (changes, now) => whileAlive(() => store.commit(changes, now)),
      claim: (request, now) => whileAlive(() => store.claim(request, now)),
      lanes: (page, now) => whileAlive(() => store.lanes(page, now)),
      end: (request, now) => whileAlive(() => store.end(request, now)),
      pullIn: (request, now) => whileAlive(() => store.pullIn(request, now)),
      find: (id) => whileAlive(() => store.find(id)),
      list: (query) => whileAlive(() => store.list(query)),
      seen: (query, now) => whileAlive(() => store.seen(query, now)),
      counts: () => whileAlive(() => store.counts()),
      sweep: (request, now) => whileAlive(() => store.sweep(request, now)),
      ...(store.deletions === undefined ? {} : { deletions: mortalDeletions(store.deletions) }),
      close: () => whileAlive(() => store.close()),
    },
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
        // One after the other, each to run its course before the next.
        clock.after(0, () => {
          comeIn(happen);
        });
      }
      waiting = [];
    },
  };
}

function nothing(): void {
  // A process that is not awake sets no timer.
}
