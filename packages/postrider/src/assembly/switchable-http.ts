// An HTTP port that can be replaced while it is in use: new requests go through the new port, and the old one is closed
// after its last reply. Knows nothing of the settings of the ports.

import type { HttpPort } from "@postrider/core";

export interface ClosableHttp extends HttpPort {
  /** Resolves once it need not wait for its start; absent if it never has to. Never rejects. */
  readonly ready?: Promise<void>;
  close(): Promise<void>;
}

export interface SwitchableHttp extends ClosableHttp {
  /** From the next `send` on, requests go through `next`. */
  replace(next: ClosableHttp): void;
}

/** Creates a port that sends through `first` until that is replaced. */
export function createSwitchableHttp(first: ClosableHttp): SwitchableHttp {
  let current = countOpen(first);
  return {
    ready: first.ready ?? Promise.resolve(),
    send: (request) => current.send(request),
    replace: (next) => {
      current.retire();
      current = countOpen(next);
    },
    close: () => current.close(),
  };
}

interface CountedHttp extends ClosableHttp {
  /** Closes the port after its last reply. */
  retire(): void;
}

function countOpen(http: ClosableHttp): CountedHttp {
  let open = 0;
  let isRetired = false;
  const closeIfDone = (): void => {
    if (isRetired && open === 0) void http.close();
  };
  const end = (): void => {
    open -= 1;
    closeIfDone();
  };
  return {
    send: (request) => {
      const reply = http.send(request);
      open += 1;
      // The promise is returned unchanged, which saves its caller a turn of the microtask queue.
      void reply.then(end, end);
      return reply;
    },
    retire: () => {
      isRetired = true;
      closeIfDone();
    },
    close: () => http.close(),
  };
}
