// How a server comes to its end, and what exit status that is: the first signal lets it settle what is under way, a second
// one does not wait for that, and a store that has ended by itself leaves nothing to go on with (decision: stalled stores).

import type { ExitCode, Host } from "./host.js";
import type { RunningServer, Stopped } from "../server/running-server.js";

/** Resolves with the exit status once the server has stopped. Listens for signals at once. */
export function shutDown(
  host: Pick<Host, "onSignal">,
  server: Pick<RunningServer, "stop" | "abandon">,
  storeEnded: Promise<unknown> = NEVER,
): Promise<ExitCode> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (code: ExitCode): void => {
      if (!isStopping) void server.stop().then((stopped) => resolve(statusOf(stopped, code)));
      isStopping = true;
    };
    const onSignal = (): void => {
      if (isStopping) void server.abandon().then((stopped) => resolve(statusOf(stopped, 130)));
      else stop(0);
    };
    // Never withdrawn: with its status known the process ends, and until then the system's own way would cut it short.
    host.onSignal("SIGINT", onSignal);
    host.onSignal("SIGTERM", onSignal);
    void storeEnded.then(() => stop(1));
  });
}

const NEVER = new Promise<never>(() => undefined);

function statusOf(stopped: Stopped, code: ExitCode): ExitCode {
  return stopped === "ended" ? code : 143;
}
