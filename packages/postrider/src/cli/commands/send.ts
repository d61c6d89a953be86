// postrider send: makes one call to a server, as a client library would, and prints the answer. It checks nothing about
// the call that the server checks, so that refusals can be seen too.

import { CALL_KINDS, type CallKind, type JsonObject } from "@postrider/core";
import { Argument, type Command } from "commander";
import { basicAuthorization } from "../requests/basic-authorization.js";
import type { ExitCode, Host } from "../host.js";
import { objectOption, serverOption } from "../options.js";
import { postJson } from "../requests/post-json.js";

interface SendOptions {
  readonly url: string;
  readonly writeKey: string;
  readonly user?: string;
  readonly anonymous?: string;
  readonly previous?: string;
  readonly group?: string;
  readonly event?: string;
  readonly name?: string;
  readonly category?: string;
  readonly properties?: JsonObject;
  readonly traits?: JsonObject;
  readonly context?: JsonObject;
  readonly integrations?: JsonObject;
  readonly messageId?: string;
  readonly timestamp?: string;
}

const EXAMPLES = `
Examples:
  $ postrider send --url http://127.0.0.1:8080 --write-key wk_website identify --user u1 --traits '{"plan":"pro"}'
  $ postrider send --url http://127.0.0.1:8080 --write-key wk_website track --user u1 --event "Signed Up"
  $ postrider send --url http://127.0.0.1:8080 --write-key wk_website page --anonymous a1 --name Home
  $ postrider send --url http://127.0.0.1:8080 --write-key wk_website screen --user u1 --name Inbox
  $ postrider send --url http://127.0.0.1:8080 --write-key wk_website group --user u1 --group g1
  $ postrider send --url http://127.0.0.1:8080 --write-key wk_website alias --user u1 --previous a1`;

/** Adds the command; `end` is told how it went. */
export function addSend(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("send")
    .description("Make one call to a server and print its answer.")
    .addArgument(new Argument("<kind>", "the kind of call").choices(CALL_KINDS))
    .requiredOption("--url <url>", "the server", serverOption)
    .requiredOption("--write-key <key>", "the write key of the source")
    .option("--user <id>", "userId")
    .option("--anonymous <id>", "anonymousId")
    .option("--previous <id>", "previousId, of an alias")
    .option("--group <id>", "groupId, of a group")
    .option("--event <name>", "event, of a track")
    .option("--name <name>", "name, of a page or screen")
    .option("--category <name>", "category, of a page or screen")
    .option("--properties <json>", "properties, of a track, page or screen", objectOption)
    .option("--traits <json>", "traits, of an identify or group", objectOption)
    .option("--context <json>", "context", objectOption)
    .option("--integrations <json>", "integrations", objectOption)
    .option("--message-id <id>", "messageId; the server makes one if absent")
    .option("--timestamp <time>", "timestamp; the server's time if absent")
    .addHelpText("after", EXAMPLES)
    .action(async (kind: CallKind, options: SendOptions) => end(await send(host, kind, options)));
}

async function send(host: Host, kind: CallKind, options: SendOptions): Promise<ExitCode> {
  const posted = await postJson({
    url: `${options.url}/v1/${kind}`,
    authorization: basicAuthorization(options.writeKey),
    body: callOf(kind, options),
    clock: host.clock,
  });
  if (posted.kind === "unreachable") {
    host.err(`postrider: ${posted.reason}`);
    return 1;
  }
  host.out(posted.text);
  return posted.status === 200 ? 0 : 1;
}

/** What was not given is left out of the JSON. */
function callOf(kind: CallKind, options: SendOptions): object {
  const { event, name, category, properties, traits, context, integrations, messageId, timestamp } = options;
  const ids = {
    userId: options.user,
    anonymousId: options.anonymous,
    previousId: options.previous,
    groupId: options.group,
  };
  return { type: kind, ...ids, event, name, category, properties, traits, context, integrations, messageId, timestamp };
}
