// postrider doctor: for those whose events do not appear. Asks a server, from outside and without making a call, whether
// it is there, knows the key, has seen calls, and what became of one. What the answers mean stands in doctor/.

import type { Command } from "commander";
import { basicAuthorization } from "../basic-authorization.js";
import { diagnoseCall, diagnoseKey, diagnoseServer, diagnoseTraffic, type Finding } from "../doctor/diagnose.js";
import type { ExitCode, Host } from "../host.js";
import { serverOption, tokenOption } from "../options.js";
import { postJson, type Posted } from "../post-json.js";

interface DoctorOptions {
  readonly url: string;
  readonly writeKey?: string;
  readonly token?: string;
  readonly messageId?: string;
}

const EXAMPLES = `
Examples:
  $ postrider doctor --url http://127.0.0.1:8080 --write-key wk_website
  $ postrider doctor --url http://127.0.0.1:8080 --write-key wk_website --token t0ken --message-id m1`;

/** Adds the command; `end` is told how it went. */
export function addDoctor(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("doctor")
    .description("Find out why events do not appear.")
    .requiredOption("--url <url>", "the server", serverOption)
    .option("--write-key <key>", "the write key that the client uses")
    .addOption(tokenOption(host))
    .option("--message-id <id>", "a call, by its messageId")
    .addHelpText("after", EXAMPLES)
    .action(async (options: DoctorOptions) => end(await examine(host, options)));
}

async function examine(host: Host, options: DoctorOptions): Promise<ExitCode> {
  const server = diagnoseServer(await ask(host, `${options.url}/healthz`, ""));
  const findings = server.kind === "bad" ? [server] : [server, ...(await examineFurther(host, options))];
  for (const { kind, text } of findings) host.out(`${kind.padEnd(4)} ${text}`);
  return findings.some(({ kind }) => kind === "bad") ? 1 : 0;
}

async function examineFurther(host: Host, options: DoctorOptions): Promise<readonly Finding[]> {
  return [await examineKey(host, options), ...(await examineCalls(host, options))];
}

async function examineKey({ clock }: Host, { url, writeKey }: DoctorOptions): Promise<Finding> {
  if (writeKey === undefined) return { kind: "open", text: "whether the write key is known: give --write-key" };
  const authorization = basicAuthorization(writeKey);
  return diagnoseKey(await postJson({ url: `${url}/v1/batch`, authorization, body: { batch: [] }, clock }));
}

async function examineCalls(host: Host, { url, token, messageId }: DoctorOptions): Promise<readonly Finding[]> {
  if (token === undefined) return [{ kind: "open", text: "what the server has seen: give --token" }];
  const authorization = `Bearer ${token}`;
  const traffic = diagnoseTraffic(await ask(host, `${url}/api/stats`, authorization));
  if (messageId === undefined) return traffic;
  const query = `messageId=${encodeURIComponent(messageId)}`;
  return [...traffic, ...diagnoseCall(await ask(host, `${url}/api/deliveries?${query}`, authorization))];
}

function ask({ clock }: Host, url: string, authorization: string): Promise<Posted> {
  return postJson({ url, method: "GET", authorization, clock });
}
