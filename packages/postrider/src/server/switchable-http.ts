// An HTTP port whose network settings can change while it is in use: what is sent from now on goes by the new ones, and
// what went by the old ones is closed when its last reply is in. Knows nothing of what the settings mean.

import type { HttpPort } from "@postrider/core";

export interface ClosableHttp extends HttpPort {
  close(): Promise<void>;
}

export interface SwitchableHttp extends ClosableHttp {
  /** From the next `send` on. */
  replace(next: ClosableHttp): void;
}

/** Sends through `first` until it is replaced. */
export function createSwitchableHttp(first: ClosableHttp): SwitchableHttp {
  let current = countOpen(first);
  return {
    send: (request) => current.send(request),
    replace: (next) => {
      current.retire();
      current = countOpen(next);
    },
    close: () => current.close(),
  };
}

interface CountedHttp extends ClosableHttp {
  /** Closes it when nothing is open any more. */
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
      // The reply itself goes on as it is: one promise less for whoever waits for it.
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
