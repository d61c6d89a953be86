// postrider deliveries: lists deliveries of a server, newest first, as a table or as lines of JSON.

import { CALL_KINDS, DELIVERY_STATES, type JsonObject } from "@postrider/core";
import { type Command, Option } from "commander";
import { addAccessOptions, type Given, readAccess } from "../access.js";
import { deliveryTable } from "../deliveries/delivery-table.js";
import { type DeliveryFilters, listDeliveries } from "../deliveries/list-deliveries.js";
import type { ExitCode, Host } from "../host.js";
import { parseInstant, parseRowLimit } from "../options.js";
import type { ApiAccess } from "../requests/ask-api.js";
import { tellUnknownNames } from "../requests/tell-unknown-names.js";

interface DeliveriesOptions extends ApiAccess, DeliveryFilters {
  readonly json?: true;
}

const DEFAULT_LIMIT = 50;

const EXAMPLES = `
Examples:
  $ postrider deliveries
  $ postrider deliveries --state dead --destination crm --since 2026-01-31T12:00:00Z
  $ postrider deliveries --message-id m1
  $ postrider deliveries --state dead --limit 10000 --json | jq -r .id`;

/** Adds the command; `end` gets its exit code. */
export function addDeliveries(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("deliveries"))
    .description("List deliveries, newest first.")
    .addOption(new Option("--state <state>", "only those in this state").choices(DELIVERY_STATES))
    .option("--destination <id>", "only those to this destination")
    .option("--source <id>", "only those of this source")
    .addOption(new Option("--type <type>", "only those of this type").choices([...CALL_KINDS, "delete"]))
    .option("--message-id <id>", "only those of the call with this messageId")
    .option("--since <time>", "only those accepted at this time or later", parseInstant)
    .option("--limit <number>", "the most deliveries, up to 100,000", parseRowLimit, DEFAULT_LIMIT)
    .option("--after <cursor>", "go on where an earlier list ended")
    .option("--json", "print each delivery as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (given: Given<DeliveriesOptions>, command: Command) =>
      end(await list(host, { ...given, ...readAccess(host, command, given) })),
    );
}

async function list(host: Host, options: DeliveriesOptions): Promise<ExitCode> {
  const rows: JsonObject[] = [];
  let count = 0;
  const show = (page: readonly JsonObject[]): void => {
    count += page.length;
    if (options.json === true) page.forEach((delivery) => host.out(JSON.stringify(delivery)));
    else rows.push(...page);
  };
  const listed = await listDeliveries(host, options, options, show);
  if (rows.length > 0) deliveryTable(rows, host.columns()).forEach((line) => host.out(line));
  if (listed === undefined) return 1;
  if (listed.next !== undefined) host.err(`more are left; to go on, add --after ${listed.next}`);
  else if (count === 0) await tellNoneMatch(host, options);
  return 0;
}

async function tellNoneMatch(host: Host, options: DeliveriesOptions): Promise<void> {
  const { source, destination, json } = options;
  if (json !== true) host.err("no deliveries match");
  await tellUnknownNames(host, options, {
    sources: source === undefined ? [] : [source],
    destinations: destination === undefined ? [] : [destination],
  });
}
