// The option --config of the commands that read a config file, and what is said if there is no such file in the usual place.

import { type Command, Option } from "commander";
import { existsSync } from "node:fs";
import { resolve } from "node:path";

const DEFAULT_FILE = "./postrider.json";

/**
 * Adds `--config`. Without it, ./postrider.json is used, and if that does not exist, the command ends with an error, unless it makes
 * one.
 */
export function addConfigOption(command: Command, makesOne: () => boolean = () => false): Command {
  return command
    .addOption(new Option("--config <file>", "the config file").default(DEFAULT_FILE))
    .hook("preAction", () => {
      if (command.getOptionValueSource("config") !== "default" || existsSync(DEFAULT_FILE)) return;
      if (makesOne()) return;
      command.error(
        `error: there is no config file ${resolve(DEFAULT_FILE)}: run postrider init to write one, or name one with --config`,
      );
    });
}
