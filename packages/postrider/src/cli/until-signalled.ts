// Waits for a signal that asks a command to end: SIGINT, which Ctrl-C sends, or SIGTERM.

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
