// postrider backup: copies the file of a store while a server uses it. Reads only the store of the config, so that missing secrets
// do not matter. @postrider/sqlite/file decides how the copy is made safely.

import { isPlainObject, runSteps } from "@postrider/core/engine";
import { type Backup, startBackup } from "@postrider/sqlite/file";
import type { Command } from "commander";
import { dirname, resolve } from "node:path";
import { type ConfigProblem, describeProblems } from "../../config/config-problem.js";
import { readConfigValueInSteps } from "../../config/read-config.js";
import { readJsonFile } from "../../config/read-json-file.js";
import { addConfigOption } from "../options.js";
import { repeatEvery, createProgressDisplay } from "../progress-display.js";
import { formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";

interface BackupOptions {
  readonly config: string;
  readonly to: string;
}

const SHOW_EVERY_MS = 250;

const NOTES = `
The server may run meanwhile. The copy has everything that was accepted before the backup began, is checked, and is in place
only once it is complete. It contains user data and can be read only by you. To restore it, stop the server, move the store's
file and the files beside it that begin with its name away, and put the copy in its place.

Examples:
  $ postrider backup --to backups/monday.db
  $ postrider backup --config /etc/postrider.json --to "/backups/$(date +%F).db"`;

/** Adds the command; `end` gets its exit code. */
export function addBackup(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addConfigOption(program.command("backup"))
    .description("Copy the store of a config to a new file, also while a server runs on it.")
    .option("--to <file>", "the copy, which must not exist")
    .addHelpText("after", NOTES)
    .action(async ({ config, to }: Partial<BackupOptions> & Pick<BackupOptions, "config">, command: Command) => {
      if (to === undefined) return command.error("error: name the copy with --to");
      end(await backUp(host, { config, to }));
    });
}

async function backUp(host: Host, { config, to }: BackupOptions): Promise<ExitCode> {
  const store = findStore(config, (name) => host.env(name));
  switch (store.kind) {
    case "refused":
      for (const line of describeProblems(store.problems, config)) host.err(line);
      return 2;
    case "memory":
      host.err(`postrider: ${config} keeps its store in memory, so there is no file to back up`);
      return 2;
    case "postgres":
      host.err(`postrider: ${config} keeps its store in PostgreSQL; back it up with pg_basebackup or pg_dump`);
      return 2;
    case "file":
      return runBackup(host, { from: store.path, to });
  }
}

interface BackupPaths {
  readonly from: string;
  readonly to: string;
}

/**
 * Backs up, and shows the progress. A signal removes what was written, and ends the process. It is listened for before the
 * backup begins: without a listener it would end the process at once, and leave what was written.
 */
async function runBackup(host: Host, paths: BackupPaths): Promise<ExitCode> {
  let backup: Backup | undefined;
  const cancels = (["SIGINT", "SIGTERM"] as const).map((signal) =>
    host.onSignal(signal, () => {
      void backup?.stop();
      host.endBySignal(signal);
    }),
  );
  try {
    backup = startBackup(paths.from, paths.to);
    return await follow(host, backup, paths);
  } finally {
    for (const cancel of cancels) cancel();
  }
}

async function follow(host: Host, backup: Backup, { from, to }: BackupPaths): Promise<ExitCode> {
  const startedAt = host.clock.monotonic();
  const display = createProgressDisplay(host);
  const stopShowing = repeatEvery(host.clock, SHOW_EVERY_MS, () => {
    const { phase, bytes, ofBytes } = backup.progress();
    display.show({ doing: `${phase}, bytes`, done: bytes, ...(ofBytes === 0 ? {} : { total: ofBytes }) });
  });
  try {
    const bytes = await backup.done;
    display.clear();
    const seconds = ((host.clock.monotonic() - startedAt) / 1_000).toFixed(1);
    host.out(`copied ${from} to ${to}: ${formatCount(bytes)} bytes in ${seconds} s, checked`);
    return 0;
  } catch (error) {
    display.clear();
    host.err(`postrider: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  } finally {
    stopShowing();
  }
}

type FoundStore =
  | { readonly kind: "file"; readonly path: string }
  | { readonly kind: "memory" | "postgres" }
  | { readonly kind: "refused"; readonly problems: readonly ConfigProblem[] };

/** The store of the config in `file`; `env` returns the variables that its store refers to. */
function findStore(file: string, env: (name: string) => string | undefined): FoundStore {
  const raw = readJsonFile(file);
  if (raw.kind === "refused") return raw;
  const { value } = raw;
  const storeAlone = isPlainObject(value) && "store" in value ? { store: value["store"] } : {};
  const config = isPlainObject(value) ? storeAlone : value;
  const outcome = runSteps(readConfigValueInSteps(config, dirname(resolve(file)), env));
  if (outcome.kind === "refused") return outcome;
  const { store } = outcome.config.server;
  return store.kind === "sqlite" ? { kind: "file", path: store.path } : { kind: store.kind };
}
