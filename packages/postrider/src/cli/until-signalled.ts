// Waits for somebody to ask a command to end, by Ctrl-C or by the system.

import type { Host } from "./host.js";

/** Resolves at the first SIGINT or SIGTERM after the call. */
export function untilSignalled(host: Host): Promise<void> {
  return new Promise((resolve) => {
    const cancels = (["SIGINT", "SIGTERM"] as const).map((signal) => host.onSignal(signal, end));
    function end(): void {
      for (const cancel of cancels) cancel();
      resolve();
    }
  });
}
