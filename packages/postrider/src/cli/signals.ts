// Decides what signals do to a running command. They stop a server, with an exit status: the first lets rounds settle, a second
// stops at once; a store that ended by itself stops the server too (decision: stalled stores).

import type { RunningServer, StopResult } from "../server/running-server.js";
import type { ExitCode, Host } from "./host.js";

const NEVER = new Promise<never>(() => undefined);

/** Listens for signals from now on. Resolves with the exit status once the server has stopped. */
export function stopOnSignals(
  host: Pick<Host, "onSignal">,
  server: Pick<RunningServer, "stop" | "abandon">,
  storeEnded: Promise<unknown> = NEVER,
): Promise<ExitCode> {
  return new Promise((resolve) => {
    let isStopping = false;
    const stop = (code: ExitCode): void => {
      if (!isStopping) void server.stop().then((result) => resolve(statusOf(result, code)));
      isStopping = true;
    };
    const onSignal = (): void => {
      if (isStopping) void server.abandon().then((result) => resolve(statusOf(result, 130)));
      else stop(0);
    };
    // These listeners are never removed: without them, a further signal would end the process before its status is known.
    host.onSignal("SIGINT", onSignal);
    host.onSignal("SIGTERM", onSignal);
    void storeEnded.then(() => stop(1));
  });
}

function statusOf(result: StopResult, code: ExitCode): ExitCode {
  return result === "ended" ? code : 143;
}

/** Resolves at the first SIGINT or SIGTERM after the call. */
export function awaitSignal(host: Host): Promise<void> {
  return new Promise((resolve) => {
    const cancels = (["SIGINT", "SIGTERM"] as const).map((signal) => host.onSignal(signal, end));
    function end(): void {
      for (const cancel of cancels) cancel();
      resolve();
    }
  });
}
