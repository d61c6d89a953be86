// How a server ends: the first signal lets it settle what is under way, a second one does not wait for that.

import type { ExitCode, Host } from "./host.js";
import type { RunningServer } from "./running-server.js";

/** Resolves with the exit status: 0 once the server has stopped, 130 at a second signal. Listens for signals at once. */
export function shutDownOnSignal(host: Host, server: Pick<RunningServer, "stop">): Promise<ExitCode> {
  return new Promise((resolve) => {
    let isStopping = false;
    const onSignal = (): void => {
      if (isStopping) {
        resolve(130);
        return;
      }
      isStopping = true;
      void server.stop().then(() => resolve(0));
    };
    // Never withdrawn: with its status known the process ends, and until then the system's own way would cut it short.
    host.onSignal("SIGINT", onSignal);
    host.onSignal("SIGTERM", onSignal);
  });
}
