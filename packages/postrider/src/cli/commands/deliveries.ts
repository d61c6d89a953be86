// postrider deliveries: lists deliveries of a server, newest first, as a table or as lines of JSON.

import type { JsonObject } from "@postrider/core";
import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import {
  deliveryTable,
  addKindOptions,
  addTimeOptions,
  countDeliveries,
  type DeliveryFilters,
  listDeliveries,
} from "../deliveries/list-deliveries.js";
import { formatCount } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { parseRowLimit, parseStates } from "../options.js";
import type { ApiAccess } from "../requests/ask-api.js";
import { tellUnknownNames } from "../requests/tell-unknown-names.js";

interface DeliveriesOptions extends ApiAccess, DeliveryFilters {
  readonly json?: true;
  readonly count?: true;
}

const DEFAULT_LIMIT = 50;

const EXAMPLES = `
Examples:
  $ postrider deliveries
  $ postrider deliveries --state dead --destination crm --since 2026-01-31T12:00:00Z
  $ postrider deliveries --message-id m1
  $ postrider deliveries --state waiting,dead --status 5xx --count
  $ postrider deliveries --state dead --limit 10000 --json | jq -r .id`;

/** Adds the command; `end` gets its exit code. */
export function addDeliveries(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const command = addAccessOptions(program.command("deliveries"))
    .description("List deliveries, newest first.")
    .option("--state <states>", "only those in this state, or in several with commas", parseStates);
  addKindOptions(command)
    .option("--message-id <id>", "only those of the call with this messageId")
    .option("--user <id>", "only those of messages about this user")
    .option("--not-replayed", "only those that were not replayed");
  addTimeOptions(command)
    .option("--count", "print how many there are, up to 10,000")
    .option("--limit <number>", "the most deliveries, up to 100,000", parseRowLimit, DEFAULT_LIMIT)
    .option("--after <cursor>", "go on where an earlier list ended")
    .option("--json", "print each delivery as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (rawOptions: RawOptions<DeliveriesOptions>, command: Command) => {
      const options = { ...rawOptions, ...readAccess(host, command, rawOptions) };
      end(options.count === true ? await count(host, options) : await list(host, options));
    });
}

async function list(host: Host, options: DeliveriesOptions): Promise<ExitCode> {
  const rows: JsonObject[] = [];
  let shownCount = 0;
  const show = (page: readonly JsonObject[]): void => {
    shownCount += page.length;
    if (options.json === true) page.forEach((delivery) => host.out(JSON.stringify(delivery)));
    else rows.push(...page);
  };
  const outcome = await listDeliveries(host, options, options, show);
  if (rows.length > 0) deliveryTable(rows, host.columns()).forEach((line) => host.out(line));
  if (outcome === undefined) return 1;
  if (outcome.next !== undefined) host.err(`more are left; to go on, add --after ${outcome.next}`);
  else if (shownCount === 0) await tellNoneMatch(host, options);
  return 0;
}

/** `1,204`, or `10,000+` where the server has stopped counting. */
async function count(host: Host, options: DeliveriesOptions): Promise<ExitCode> {
  const answer = await countDeliveries(host, options, options);
  if (answer === undefined) return 1;
  const { count: total, more } = answer;
  host.out(options.json === true ? JSON.stringify(answer) : `${formatCount(total)}${more === true ? "+" : ""}`);
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
