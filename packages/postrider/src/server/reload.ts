// Reads the config file and the certificate again and puts them in force, while the server runs. A bad file changes
// nothing; a changed setting that needs a restart is logged as a warning. Only one reload runs at a time (decision: reloads
// in slices).

import type { Reload, ReloadOutcome } from "@postrider/http/api";
import type { Config } from "@postrider/relay/settings";
import type { Clock } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import type { Logger } from "@postrider/relay";
import { logProblems } from "../config/config-problem.js";
import { readConfigInSteps } from "../config/read-config.js";
import { runInSlices, stepsWhileWanted } from "../timing/run-in-slices.js";
import type { RunningServer } from "./running-server.js";

export interface ReloadOptions {
  readonly server: Pick<RunningServer, "config" | "configureInSlices" | "rereadCertificate">;
  /** The config file, as the operator named it. */
  readonly file: string;
  /** Replaces the port of the config, as it did at the start. */
  readonly port?: number;
  readonly env: (name: string) => string | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly logger: Logger;
}

export interface Reloader {
  /**
   * Starts a reload. Any number of requests during a reload cause one further reload. Results are logged.
   */
  readonly request: () => void;
  /** Requests a reload. Resolves with the outcome of the first reload that begins after the call; never rejects. */
  readonly run: Reload;
  /** Resolves when no reload is under way. */
  idle(): Promise<void>;
  /**
   * Prevents further reloads. Resolves once the reload under way has ended; that reload changes nothing if it is still
   * reading the file.
   */
  readonly end: () => Promise<void>;
}

/** To be created before the config of the start is replaced: what needs a restart is compared with that config. */
export function createReloader(options: ReloadOptions): Reloader {
  const startedWith = options.server.config();
  let isWanted = false;
  let hasEnded = false;
  let underWay: Promise<void> | undefined;
  /** Callers of `run` that wait for the next reload that begins. */
  const waiters: ((outcome: ReloadOutcome) => void)[] = [];

  async function reloadWhileWanted(): Promise<void> {
    while (isWanted && !hasEnded) {
      isWanted = false;
      const servedWaiters = waiters.splice(0);
      const outcome = await reload({ ...options, startedWith }, () => !hasEnded);
      for (const tell of servedWaiters) tell(outcome);
    }
    for (const tell of waiters.splice(0)) tell({ kind: "stopped" });
    underWay = undefined;
  }

  function request(): void {
    isWanted = true;
    underWay ??= reloadWhileWanted();
  }

  return {
    request,
    run: () =>
      new Promise((resolve) => {
        waiters.push(resolve);
        request();
      }),
    idle: async (): Promise<void> => {
      await underWay;
    },
    end: async (): Promise<void> => {
      hasEnded = true;
      await underWay;
    },
  };
}

interface ReloadWork extends ReloadOptions {
  readonly startedWith: Config;
}

async function reload(work: ReloadWork, shouldContinue: () => boolean): Promise<ReloadOutcome> {
  const { server, file, env, clock, logger } = work;
  const certificate = defined({ certificate: server.rereadCertificate() });
  const outcome = await runInSlices(stepsWhileWanted(readConfigInSteps(file, env), shouldContinue), clock);
  if (outcome === undefined) return { kind: "stopped" };
  if (outcome.kind === "refused") {
    logProblems(outcome.problems, file, logger);
    return { ...outcome, ...certificate };
  }
  const configured = await server.configureInSlices(outcome.config);
  if (configured.kind === "refused") {
    logProblems(configured.problems, file, logger);
    return { ...configured, ...certificate };
  }
  if (configured.kind !== "configured") return configured;
  const needsRestart = changedParts(work, outcome.config);
  warnOfRestart(needsRestart, logger);
  // The sources of shared settings are not those of the file.
  const isShared = outcome.config.server.settings === "store";
  const { sources, destinations } = (isShared ? server.config() : outcome.config).workspace;
  return {
    kind: "configured",
    sources: sources.length,
    destinations: destinations.length,
    needsRestart,
    ...certificate,
  };
}

/** The parts that differ from those of the start, which are used until a restart. */
function changedParts({ startedWith, port }: ReloadWork, { server: newServer }: Config): readonly string[] {
  const { server: initialServer } = startedWith;
  const listenOf = ({ listen }: Config["server"]): Config["server"]["listen"] => ({ ...listen, ...defined({ port }) });
  const pairs = [
    ["listen", listenOf(initialServer), listenOf(newServer)],
    ["store", initialServer.store, newServer.store],
    ["settings", initialServer.settings, newServer.settings],
  ] as const;
  return pairs
    .filter(([, initialValue, newValue]) => JSON.stringify(initialValue) !== JSON.stringify(newValue))
    .map(([part]) => part);
}

function warnOfRestart(parts: readonly string[], logger: Logger): void {
  for (const part of parts) {
    logger.log("warning", {
      code: "needs-restart",
      detail: `${part} has changed; the old value is used until a restart`,
    });
  }
}
