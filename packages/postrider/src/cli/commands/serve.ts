// postrider serve: runs the server in the foreground. Writes one line with its URL to standard output, and log lines to
// standard error.

import { defined } from "@postrider/core/engine";
import type { ReloadOutcome } from "@postrider/api";
import type { Config } from "@postrider/codec";
import { type Command, Option } from "commander";
import { addConfigOption } from "../config-option.js";
import type { ExitCode, Host } from "../host.js";
import { createHostLog } from "../host-log.js";
import { parseLogLevel, parsePort } from "../options.js";
import type { ServerLogger, ServerLogLevel } from "../../log/server-logger.js";
import { createServerObserver } from "../serve/observe-server.js";
import { startEntry } from "../serve/start-entry.js";
import { logProblems } from "../../config/config-problem.js";
import { readConfigInSlices } from "../../config/read-config.js";
import { createReloader } from "../../server/reload.js";
import { stopOnSignals } from "../stop-on-signals.js";
import { startServer } from "../../server/start-server.js";
import type { TlsFiles } from "../../server/tls/tls-pair.js";

interface ServeOptions {
  readonly config: string;
  readonly port?: number;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly logFormat?: "json" | "text";
  readonly logLevel?: ServerLogLevel;
}

const NOTES = `
Signals:
  SIGTERM, SIGINT   stop once the deliveries under way are settled; a second signal stops at once
  SIGHUP            read the config and the certificate again; what is bad changes nothing

Example:
  $ postrider serve --config postrider.json --port 8080`;

/** Adds the command; `end` gets its exit code. */
export function addServe(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addConfigOption(program.command("serve"))
    .description("Take calls over HTTP and deliver them.")
    .option("--port <number>", "listen on this port instead of the config's; 0 uses a free one", parsePort)
    .option("--tls-cert <file>", "serve https with this certificate, PEM; those of its authorities follow it")
    .option("--tls-key <file>", "the private key of that certificate, PEM, not encrypted")
    .addOption(
      new Option("--log-format <format>", "how the log is written; on a terminal text, otherwise json").choices([
        "json",
        "text",
      ]),
    )
    .option("--log-level <level>", "the least important lines of the log: debug, info, warn or error", parseLogLevel)
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
  host.onTrouble(({ level: grave, code, detail }) => logger.log(grave, { code, detail }));
  const read = await readConfigInSlices(file, (name) => host.env(name), host.clock);
  if (read.kind === "ok") return run(host, { ...options, tls, config: read.config, file, logger });
  logProblems(read.problems, file, logger);
  return 2;
}

interface Run extends Pick<ServeOptions, "port" | "logLevel"> {
  readonly config: Config;
  /** The file of the config, as the operator named it. */
  readonly file: string;
  readonly tls: TlsFiles | undefined;
  readonly logger: ServerLogger;
}

async function run(host: Host, { config, file, port, tls, logger, logLevel }: Run): Promise<ExitCode> {
  const { clock, random } = host;
  const beganAt = clock.monotonic();
  logger.log("info", startEntry(config, tls !== undefined));
  const { observe, storeEnded } = createServerObserver(logLevel === "debug" ? logger : undefined);
  // No request is read before `reloads` is there: nothing is waited for between the start and that.
  const reload = (): Promise<ReloadOutcome> => reloads.run();
  const started = await startServer({ ...defined({ port, tls }), reload, observe, config, logger, clock, random });
  if (started.kind === "refused") {
    logger.log("error", { code: started.code, detail: started.reason });
    return started.code === "certificate-refused" ? 2 : 1;
  }
  const { server } = started;
  const reloads = createReloader({ server, file, env: (name) => host.env(name), clock, logger });
  host.onSignal("SIGHUP", reloads.request);
  const ended = stopOnSignals(host, server, storeEnded);
  host.out(`listening on ${server.url}`);
  const code = await ended.finally(reloads.end);
  logger.log("info", { code: "stopped", durationMs: Math.round(clock.monotonic() - beganAt) });
  return code;
}
