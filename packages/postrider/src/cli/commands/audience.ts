// postrider audience: creates and lists the audiences and computed traits of a server, by its API. Members are uploaded in
// audience-sync.ts.

import type { JsonObject } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type Command, Option } from "commander";
import { type AccessOptions, addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { expectApiAnswer, type ApiAccess, askApi, readFromApi } from "../requests/ask-api.js";
import { tellUnknownNames } from "../requests/tell-unknown-names.js";
import type { ExitCode, Host } from "../host.js";
import { appendValue } from "../options.js";
import { audienceInWords } from "../audiences/sync.js";
import { addAudienceSync } from "./audience-sync.js";

interface CreateOptions extends ApiAccess {
  readonly destination?: readonly string[];
  readonly kind?: string;
  readonly sendsAs?: string;
}

const EXAMPLES = `
Examples:
  $ postrider audience create "Big Spenders" --destination crm
  $ postrider audience sync big_spenders members.csv
  $ postrider audience list`;

const CREATE_EXAMPLES = `
Examples:
  $ postrider audience create "Big Spenders" --destination crm
  $ postrider audience create Score --kind trait --destination crm --destination mail`;

/** Adds the command and its subcommands; `end` gets the exit code. */
export function addAudience(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const audience = program
    .command("audience")
    .description("Manage audiences and computed traits, and send their changes to destinations.")
    .addHelpText("after", EXAMPLES);
  addCreate(audience, host, end);
  addAudienceSync(audience, host, end);
  addList(audience, host, end);
}

function addCreate(audience: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(audience.command("create"))
    .description("Create an audience or a computed trait.")
    .argument("<name>", "its name; its key is derived from it")
    .option("--destination <id>", "a destination that gets its changes; may be given several times", appendValue)
    .addOption(new Option("--kind <kind>", "a set of users, or a value for each").choices(["audience", "trait"]))
    .addOption(new Option("--sends-as <call>", "what destinations get").choices(["identify", "track"]))
    .addHelpText("after", CREATE_EXAMPLES)
    .action(async (name: string, rawOptions: RawOptions<CreateOptions>, command: Command) => {
      if (rawOptions.destination === undefined) command.error("error: name at least one --destination");
      end(await create(host, name, { ...rawOptions, ...readAccess(host, command, rawOptions) }));
    });
}

async function create(host: Host, name: string, options: CreateOptions): Promise<ExitCode> {
  const { destination: destinations, kind, sendsAs } = options;
  const body = { name, kind, sendsAs, destinations };
  const answer = expectApiAnswer(host, await askApi(host, options, { path: "/api/audiences", body }), 201);
  if (answer === undefined) {
    await tellUnknownNames(host, options, defined({ destinations }));
    return 1;
  }
  host.out(`created ${String(answer["key"])}`);
  return 0;
}

function addList(audience: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(audience.command("list"))
    .description("List audiences and the state of their syncs, one per line.")
    .action(async (rawOptions: AccessOptions, command: Command) =>
      end(await list(host, readAccess(host, command, rawOptions))),
    );
}

async function list(host: Host, access: ApiAccess): Promise<ExitCode> {
  const answer = await readFromApi(host, access, "/api/audiences");
  if (answer === undefined) return 1;
  for (const audience of answer["audiences"] as readonly JsonObject[]) host.out(audienceInWords(audience));
  return 0;
}
