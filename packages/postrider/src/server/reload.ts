// Reads the config file again and puts it in force, while the server runs. A bad file changes nothing; a changed setting
// that needs a restart is logged as a warning. Only one reload runs at a time (decision: reloads in slices).

import type { Config } from "@postrider/codec";
import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { logProblems } from "../config/config-problem.js";
import { readConfigInSteps } from "../config/read-config.js";
import { runInSlices, stepsWhileWanted } from "../timing/run-in-slices.js";
import type { RunningServer } from "./running-server.js";

export interface ReloadOptions {
  readonly server: Pick<RunningServer, "config" | "configureInSlices">;
  /** The config file, as the operator named it. */
  readonly file: string;
  readonly env: (name: string) => string | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly logger: Logger;
}

export interface Reloader {
  /**
   * Starts a reload. Any number of requests during a reload cause one further reload. Results are logged.
   */
  readonly request: () => void;
  /** Resolves when no reload is under way. */
  idle(): Promise<void>;
  /**
   * Prevents further reloads. Resolves once the reload under way has ended; that reload changes nothing if it is still
   * reading the file.
   */
  readonly end: () => Promise<void>;
}

export function createReloader(options: ReloadOptions): Reloader {
  let isWanted = false;
  let hasEnded = false;
  let underWay: Promise<void> | undefined;

  async function reloadWhileWanted(): Promise<void> {
    while (isWanted && !hasEnded) {
      isWanted = false;
      await reload(options, () => !hasEnded);
    }
    underWay = undefined;
  }

  return {
    request: (): void => {
      isWanted = true;
      underWay ??= reloadWhileWanted();
    },
    idle: async (): Promise<void> => {
      await underWay;
    },
    end: async (): Promise<void> => {
      hasEnded = true;
      await underWay;
    },
  };
}

async function reload(
  { server, file, env, clock, logger }: ReloadOptions,
  shouldContinue: () => boolean,
): Promise<void> {
  const read = await runInSlices(stepsWhileWanted(readConfigInSteps(file, env), shouldContinue), clock);
  if (read?.kind === "refused") logProblems(read.problems, file, logger);
  if (read?.kind !== "ok") return;
  const before = server.config();
  const configured = await server.configureInSlices(read.config);
  if (configured.kind === "configured") warnOfRestart(before, read.config, logger);
  if (configured.kind === "refused") logProblems(configured.problems, file, logger);
}

function warnOfRestart(before: Config, after: Config, logger: Logger): void {
  for (const part of ["listen", "store"] as const) {
    if (JSON.stringify(before.server[part]) === JSON.stringify(after.server[part])) continue;
    logger.log("warning", {
      code: "needs-restart",
      detail: `${part} has changed; the old value is used until a restart`,
    });
  }
}
