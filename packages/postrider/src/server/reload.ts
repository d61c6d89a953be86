// Brings the config file into force anew, or says why not, while the server goes on. A bad file changes nothing; what cannot
// change while the server runs is warned of. One reload at a time (decision: reloads in slices).

import type { Config } from "@postrider/codec";
import type { Clock } from "@postrider/core";
import type { Logger } from "@postrider/relay";
import { logProblems } from "../config/config-problem.js";
import { readConfigInSteps } from "../config/read-config.js";
import { runInSlices, whileWanted } from "../timing/run-in-slices.js";
import type { RunningServer } from "./running-server.js";

export interface ReloadOptions {
  readonly server: Pick<RunningServer, "config" | "configureInSlices">;
  /** The config file, as the operator named it. */
  readonly file: string;
  readonly env: (name: string) => string | undefined;
  readonly clock: Pick<Clock, "after">;
  readonly logger: Logger;
}

export interface Reloads {
  /**
   * Begins one. What is asked for while one is under way is one more after it, which reads the file again, however often
   * it is asked for. What came of each stands in the log.
   */
  readonly request: () => void;
  /** Resolves when none is under way. */
  idle(): Promise<void>;
  /** None any more: what is read is dropped. Resolves when none is under way. */
  readonly end: () => Promise<void>;
}

export function createReloads(options: ReloadOptions): Reloads {
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

async function reload({ server, file, env, clock, logger }: ReloadOptions, mayGoOn: () => boolean): Promise<void> {
  const read = await runInSlices(whileWanted(readConfigInSteps(file, env), mayGoOn), clock);
  if (read?.kind === "refused") logProblems(read.problems, file, logger);
  if (read?.kind !== "read") return;
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
      detail: `${part} has changed; the old one is used until a restart`,
    });
  }
}
