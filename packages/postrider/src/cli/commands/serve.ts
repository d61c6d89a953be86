// postrider serve: runs the server in the foreground. Writes lines with its URL and that of the console to standard output, and log
// lines to standard error. With --settings store it first writes a config with a store and keys, and all else is set up in the console.

import type { ReloadOutcome } from "@postrider/http/api";
import type { Config } from "@postrider/relay/settings";
import type { Random } from "@postrider/core";
import { defined } from "@postrider/core/engine";
import { type Command, Option } from "commander";
import { existsSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { createObservers } from "../../assembly/observers.js";
import { ALL_ROLES, type Roles } from "../../assembly/front.js";
import { createTraceFile, type TraceFile } from "../../assembly/trace-file.js";
import { logProblems } from "../../config/config-problem.js";
import { readConfigInSlices } from "../../config/read-config.js";
import { reasonOf } from "../../log/printable.js";
import type { ServerLogger, ServerLogLevel } from "../../log/server-logger.js";
import { createReloader } from "../../server/reload.js";
import type { RunningServer } from "../../server/running-server.js";
import { type StartResult, startServer } from "../../server/start-server.js";
import type { TlsFiles } from "../../server/tls/tls-pair.js";
import type { ExitCode, Host } from "../host.js";
import { ensureSecret, makeSecretFolder, schemaFor } from "../init/first-config.js";
import { addConfigOption, parseLogLevel, parseMegabytes, parsePort } from "../options.js";
import { createHostLog, createServerObserver, startEntry } from "../serve/server-log.js";
import { stopOnSignals } from "../signals.js";

interface ServeOptions {
  readonly config: string;
  readonly port?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly logFormat?: "json" | "text";
  readonly logLevel?: ServerLogLevel;
  readonly record?: string;
  readonly recordMb: number;
  readonly accept?: true;
  readonly deliver?: true;
  readonly settings?: "store";
}

/** Beside the config, and not the folder of secrets to which settings may refer. */
const KEYS_FOLDER = "postrider-keys";

const NOTES = `
Signals:
  SIGTERM, SIGINT   stop once the deliveries under way are settled; a second signal stops at once
  SIGHUP            read the config and the certificate again; what is bad changes nothing
  SIGUSR2           with --record, write the trace of what has happened up to now

Example:
  $ postrider serve --config postrider.json --port 8080
  $ postrider serve --settings store     # in an empty folder: set up all else in the console`;

/** Adds the command; `end` gets its exit code. */
export function addServe(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const command = program.command("serve");
  addConfigOption(command, () => command.opts<ServeOptions>().settings === "store")
    .description("Take calls over HTTP and deliver them.")
    .option("--port <number>", "listen on this port instead of the config's; 0 uses a free one", parsePort)
    .option("--accept", "only take calls: other servers on the same store deliver them")
    .option("--deliver", "only deliver: calls are answered 503, for other servers on the same store")
    .addOption(
      new Option(
        "--settings <owner>",
        "store: without a config, make one whose settings are set up in the console and kept in the store",
      ).choices(["store"]),
    )
    .option("--tls-cert <file>", "serve https with this certificate, PEM; those of its authorities follow it")
    .option("--tls-key <file>", "the private key of that certificate, PEM, not encrypted")
    .addOption(
      new Option("--log-format <format>", "how the log is written; on a terminal text, otherwise json").choices([
        "json",
        "text",
      ]),
    )
    .option("--log-level <level>", "the least important lines of the log: debug, info, warn or error", parseLogLevel)
    .option(
      "--record <path>",
      "record for replay-trace; write to this file or folder at SIGUSR2, corruption and the end",
    )
    .option("--record-mb <number>", "about how much memory the recording may use, in megabytes", parseMegabytes, 64)
    .addHelpText("after", NOTES)
    .action(async (options: ServeOptions, command: Command) =>
      end(await serve(host, options, tlsFiles(options, command))),
    );
}

/** Both files, or neither. Ends the command with an error if only one is given. */
function tlsFiles({ tlsCert, tlsKey }: ServeOptions, command: Command): TlsFiles | undefined {
  if (tlsCert !== undefined && tlsKey !== undefined) return { certFile: tlsCert, keyFile: tlsKey };
  if (tlsCert === undefined && tlsKey === undefined) return undefined;
  return command.error(`error: give both --tls-cert and --tls-key, or neither`);
}

async function serve(host: Host, options: ServeOptions, tls: TlsFiles | undefined): Promise<ExitCode> {
  const { config: file, logFormat: format, logLevel: level } = options;
  const logger = createHostLog(host, { format, level });
  if (options.settings === "store") {
    const outcome = writeFirstStore(file, host.random);
    if (outcome.kind === "refused") {
      host.err(`postrider: ${outcome.reason}`);
      return 1;
    }
    if (outcome.kind === "written") host.out(`wrote ${file}, and keys beside it that only you can read`);
  }
  host.onTrouble(({ level: troubleLevel, code, detail }) => logger.log(troubleLevel, { code, detail }));
  const result = await readConfigInSlices(file, (name) => host.env(name), host.clock);
  if (result.kind === "ok") return run(host, { ...options, tls, config: result.config, file, logger });
  logProblems(result.problems, file, logger);
  return 2;
}

/** Both options, or neither, mean both roles. */
function rolesOf({ accept, deliver }: Pick<ServeOptions, "accept" | "deliver">): Roles {
  return accept === deliver ? ALL_ROLES : { accepts: accept === true, delivers: deliver === true };
}

interface Run extends Pick<ServeOptions, "port" | "logLevel" | "record" | "recordMb" | "accept" | "deliver"> {
  readonly config: Config;
  /** The file of the config, as the operator named it. */
  readonly file: string;
  readonly tls: TlsFiles | undefined;
  readonly logger: ServerLogger;
}

async function run(host: Host, options: Run): Promise<ExitCode> {
  const { config, file, port, tls, logger, logLevel } = options;
  const { clock, random } = host;
  const [trace, beganAt] = [traceFileOf(host, options), clock.monotonic()];
  logger.log("info", startEntry(config, tls !== undefined));
  const observer = createServerObserver(logLevel === "debug" ? logger : undefined);
  // `reloads` is there before the first request is read, since nothing is awaited between the start and its creation.
  const reload = (): Promise<ReloadOutcome> => reloads.run();
  const references = { folder: dirname(resolve(file)), env: (name: string) => host.env(name) };
  const serverOptions = {
    reload,
    references,
    roles: rolesOf(options),
    observe: createObservers(observer.observe, trace?.observe).tell,
    ...defined({ port, tls }),
  };
  const startResult = await startServer({
    ...serverOptions,
    ...defined({ record: trace?.record }),
    config,
    logger,
    clock,
    random,
  });
  if (startResult.kind === "refused") return refuse(startResult, logger);
  const { server } = startResult;
  const reloads = createReloader({ server, file, ...defined({ port }), env: (name) => host.env(name), clock, logger });
  host.onSignal("SIGHUP", reloads.request);
  const exitCode = stopOnSignals(host, server, observer.storeEnded);
  logger.log("info", { code: "listening", url: server.url, process: server.relay.process() });
  announce(host, server);
  const code = await exitCode.finally(reloads.end);
  await trace?.save();
  logger.log("info", { code: "stopped", durationMs: Math.round(clock.monotonic() - beganAt) });
  return code;
}

function announce(host: Host, server: RunningServer): void {
  const page = server.consoleUrl();
  host.out(`listening on ${server.url}`);
  if (page !== undefined) host.out(`console ${page} logs in once, within 10 minutes`);
}

function refuse({ code, reason }: Extract<StartResult, { readonly kind: "refused" }>, logger: ServerLogger): ExitCode {
  logger.log("error", { code, detail: reason });
  return code === "certificate-refused" || code === "config-refused" ? 2 : 1;
}

/** The recording that was asked for. SIGUSR2 does not exist on Windows, where a trace is written at the end. */
function traceFileOf(host: Host, { record: path, recordMb: megabytes, logger }: Run): TraceFile | undefined {
  if (path === undefined) return undefined;
  const trace = createTraceFile({ path, megabytes, clock: host.clock, logger });
  if (process.platform !== "win32") host.onSignal("SIGUSR2", () => void trace.save());
  return trace;
}

type FirstStoreResult = { readonly kind: "written" | "there" } | { readonly kind: "refused"; readonly reason: string };

/** Writes the config unless the file is there. */
function writeFirstStore(file: string, random: Random): FirstStoreResult {
  if (existsSync(file)) return { kind: "there" };
  const folder = join(dirname(file), KEYS_FOLDER);
  const config = {
    $schema: schemaFor(dirname(file)),
    store: "sqlite:./postrider.db",
    settings: "store",
    sealingKeys: [`file:./${KEYS_FOLDER}/sealing-key`],
    apiToken: `file:./${KEYS_FOLDER}/api-token`,
  };
  try {
    makeSecretFolder(folder);
    for (const name of ["sealing-key", "api-token"]) ensureSecret(join(folder, name), random);
    writeFileSync(file, `${JSON.stringify(config, null, 2)}\n`, { flag: "wx" });
  } catch (error) {
    return { kind: "refused", reason: `cannot write ${resolve(file)} and its keys (${reasonOf(error)})` };
  }
  return { kind: "written" };
}
