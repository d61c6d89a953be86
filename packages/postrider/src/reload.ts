// Brings a config that was read anew into force, or says why not. A bad one changes nothing; what cannot change while
// the server runs is warned of.

import type { Config } from "@postrider/codec";
import type { Logger } from "@postrider/relay";
import { type ConfigProblem, logProblems } from "./config-problem.js";
import type { ReadConfig } from "./read-config.js";
import type { RunningServer } from "./running-server.js";

export interface Reload {
  readonly server: RunningServer;
  readonly read: ReadConfig;
  /** The config file, as the operator named it. */
  readonly file: string;
  readonly logger: Logger;
}

/** What came of it stands in the log. */
export function reload({ server, read, file, logger }: Reload): void {
  const before = server.config();
  const problems: readonly ConfigProblem[] = read.kind === "read" ? server.configure(read.config) : read.problems;
  logProblems(problems, file, logger);
  if (read.kind === "read" && problems.length === 0) warnOfRestart(before, read.config, logger);
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
