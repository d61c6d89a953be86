// The options by which commands choose deliveries: each is a filter of the API.

import { CALL_KINDS, DEAD_REASONS, FAULTS } from "@postrider/core";
import { type Command, Option } from "commander";
import { parseInstant, parseStatusFilter } from "../options.js";

/** By how deliveries ended or were answered at last, and by where they come from and go to. */
export function addKindOptions(command: Command): Command {
  return command
    .addOption(new Option("--reason <reason>", "only those dead for this reason").choices(DEAD_REASONS))
    .option("--status <status>", "only those answered so at last: 503, or 5xx", parseStatusFilter)
    .addOption(new Option("--fault <fault>", "only those that failed so at last").choices(FAULTS))
    .option("--destination <id>", "only those to this destination")
    .option("--source <id>", "only those of this source")
    .addOption(new Option("--type <type>", "only those of this type").choices([...CALL_KINDS, "delete"]));
}

/** By when their calls were accepted. */
export function addTimeOptions(command: Command): Command {
  return command
    .option("--since <time>", "only those accepted at this time or later", parseInstant)
    .option("--until <time>", "only those accepted before this time", parseInstant);
}
