// The ports of a process that can be killed: from then on nothing that it asked for ever comes back, and what it still
// tries, woken by an old timer for one, reaches nobody. What it had committed or sent before is committed and sent.

import type { DeliveryStore, HttpPort } from "@postrider/core";

export interface MortalPorts {
  readonly store: DeliveryStore;
  readonly http: HttpPort;
  /** The process is gone, without a word. */
  kill(): void;
}

export function createMortalPorts(ports: Omit<MortalPorts, "kill">): MortalPorts {
  const { store, http } = ports;
  let isAlive = true;

  /** Does as asked and hands the answer on, if the process is there to ask and there to hear. */
  function whileAlive<T>(work: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      if (!isAlive) return;
      work().then(
        (answer) => {
          if (isAlive) resolve(answer);
        },
        (error: unknown) => {
          if (isAlive) reject(error instanceof Error ? error : new Error(String(error)));
        },
      );
    });
  }

  return {
    store: {
      commit: (changes, now) => whileAlive(() => store.commit(changes, now)),
      claim: (request, now) => whileAlive(() => store.claim(request, now)),
      lanes: (page, now) => whileAlive(() => store.lanes(page, now)),
      end: (request, now) => whileAlive(() => store.end(request, now)),
      pullIn: (request, now) => whileAlive(() => store.pullIn(request, now)),
      find: (id) => whileAlive(() => store.find(id)),
      list: (query) => whileAlive(() => store.list(query)),
      counts: () => whileAlive(() => store.counts()),
      sweep: (request, now) => whileAlive(() => store.sweep(request, now)),
      close: () => whileAlive(() => store.close()),
    },
    http: { send: (request) => whileAlive(() => http.send(request)) },
    kill: (): void => {
      isAlive = false;
    },
  };
}
