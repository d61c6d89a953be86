// postrider serve: runs the server in the foreground. Writes one line with its URL to standard output, and log lines to
// standard error.

import { defined } from "@postrider/core/engine";
import type { RelayEvent } from "@postrider/relay";
import type { Command } from "commander";
import { addConfigOption } from "../config-option.js";
import type { ExitCode, Host } from "../host.js";
import { createJsonLogger } from "../../log/log-lines.js";
import { parsePort } from "../options.js";
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

async function serve(host: Host, { config: file, port }: ServeOptions, tls: TlsFiles | undefined): Promise<ExitCode> {
  const logger = createJsonLogger(host.clock, (line) => host.err(line));
  host.onTrouble(({ level, code, detail }) => logger.log(level, { code, detail }));
  const { clock, random } = host;
  const env = (name: string): string | undefined => host.env(name);
  const read = await readConfigInSlices(file, env, clock);
  if (read.kind === "refused") {
    logProblems(read.problems, file, logger);
    return 2;
  }
  const storeEnd = watchStore();
  const started = await startServer({
    // No request is read before `reloads` is there: nothing is waited for between the start and that.
    reload: () => reloads.run(),
    ...defined({ port, tls }),
    observe: storeEnd.observe,
    config: read.config,
    logger,
    clock,
    random,
  });
  if (started.kind === "refused") {
    logger.log("error", { code: started.code, detail: started.reason });
    return started.code === "certificate-refused" ? 2 : 1;
  }
  const { server } = started;
  const reloads = createReloader({ server, file, env, clock, logger });
  host.onSignal("SIGHUP", reloads.request);
  const ended = stopOnSignals(host, server, storeEnd.ended);
  host.out(`listening on ${server.url}`);
  return ended.finally(reloads.end);
}

/** `ended` resolves once `observe` is told that the store ended without a stop of the server. */
function watchStore(): { readonly observe: (event: RelayEvent) => void; readonly ended: Promise<void> } {
  let tell = (): void => undefined;
  const ended = new Promise<void>((resolve) => (tell = resolve));
  return {
    ended,
    observe: ({ kind }) => {
      if (kind === "store-ended") tell();
    },
  };
}
