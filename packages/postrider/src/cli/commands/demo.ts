// postrider demo: runs a receiver and a server on this machine, sends a call of each kind, shows a table of what arrived and how to
// go on, and then a line for each further message until a signal ends the demo.

import { decodeConfig } from "@postrider/relay/settings";
import { type Command, Option } from "commander";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { listenOn } from "../../server/listen-on.js";
import type { RunningServer } from "../../server/running-server.js";
import { type StartResult, startServer } from "../../server/start-server.js";
import { resolvesWithin } from "../../timing/within.js";
import {
  type Arrivals,
  createArrivals,
  DEMO_WRITE_KEY,
  type DemoAddresses,
  type DemoArrival,
  demoConfig,
  type DemoSecrets,
  drawSecrets,
  SAMPLE_CALLS,
  sendSamples,
} from "../demo/samples.js";
import type { ExitCode, Host } from "../host.js";
import { parsePort } from "../options.js";
import { createReceiver, receivedLine } from "../receiver/receiver.js";
import { createHostLog } from "../serve/server-log.js";
import { stopOnSignals } from "../signals.js";

interface DemoCommandOptions {
  readonly port: number;
}

/** The time within which all sample calls have to arrive. */
const ARRIVAL_LIMIT_MS = 30_000;

const NOTES = `
If the port is taken, the demo says so and uses a free one.

Examples:
  $ postrider demo
  $ PORT=0 postrider demo`;

/** Adds the command; `end` gets its exit code. */
export function addDemo(program: Command, host: Host, end: (code: ExitCode) => void): void {
  const port = new Option("--port <number>", "the port of the server; 0 uses a free one");
  program
    .command("demo")
    .description("Run a server and a receiver, send a call of each kind, show what arrived, and keep running.")
    .addOption(port.env("PORT").argParser(parsePort).default(8080))
    .addHelpText("after", NOTES)
    .action(async (options: DemoCommandOptions) => end(await demo(host, options)));
}

/** The database is in a temporary folder, which is removed when the demo ends. */
async function demo(host: Host, { port }: DemoCommandOptions): Promise<ExitCode> {
  const folder = mkdtempSync(join(tmpdir(), "postrider-demo-"));
  try {
    return await runDemo(host, { port, database: join(folder, "postrider.db") });
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

interface DemoOptions {
  /** The port of the server; if it is taken, a free one is used. */
  readonly port: number;
  /** A file that does not exist yet. */
  readonly database: string;
}

/** Resolves with the exit status once the demo has ended. */
async function runDemo(host: Host, options: DemoOptions): Promise<ExitCode> {
  const arrivals = createArrivals(host.clock);
  const secrets = drawSecrets(host.random);
  const receiver = createReceiver({
    secret: secrets.sharedSecret,
    status: 200,
    delayMs: 0,
    clock: host.clock,
    onReceived: (received) => {
      if (!arrivals.note(received)) host.out(receivedLine(received));
    },
  });
  const receiverResult = await listenOn(receiver, { host: "127.0.0.1", port: 0 });
  if (receiverResult.kind === "refused") return fail(host, receiverResult.reason);
  try {
    return await runServer({ ...options, host, arrivals, secrets, receiverUrl: receiverResult.url });
  } finally {
    receiver.close();
    receiver.closeAllConnections();
  }
}

interface DemoRun extends DemoOptions {
  readonly host: Host;
  readonly arrivals: Arrivals;
  readonly secrets: DemoSecrets;
  readonly receiverUrl: string;
}

async function runServer(run: DemoRun): Promise<ExitCode> {
  const startResult = await startDemoServer(run.host, run, run.secrets);
  if (startResult.kind === "refused") return fail(run.host, startResult.reason);
  const { server } = startResult;
  const exitCode = stopOnSignals(run.host, server);
  const outcome = await Promise.race([show(run, server), exitCode.then(() => "ended" as const)]);
  if (outcome !== "not-arrived") return exitCode;
  await server.stop();
  return fail(run.host, "not all of the calls arrived");
}

async function show(
  { host, arrivals, secrets, ...addresses }: DemoRun,
  server: RunningServer,
): Promise<"shown" | "not-arrived"> {
  const { url } = server;
  host.out(`server    ${url}  on SQLite, in ${addresses.database}`);
  host.out(`receiver  ${addresses.receiverUrl}  verifies signatures`);
  await sendSamples(host, url, arrivals);
  const haveArrived = await resolvesWithin(host.clock, ARRIVAL_LIMIT_MS, arrivals.all());
  say(host, [
    "",
    `${String(SAMPLE_CALLS.length)} calls sent over HTTP; what arrived:`,
    ...arrivalsTable(arrivals.list()),
  ]);
  if (!haveArrived) return "not-arrived";
  const config = demoConfig({ ...addresses, port: Number(new URL(url).port), database: "./postrider.db" }, secrets);
  say(host, ["", ...guide({ url, apiToken: secrets.apiToken, consoleUrl: server.consoleUrl() ?? "", config }), ""]);
  return "shown";
}

function say(host: Host, lines: readonly string[]): void {
  for (const line of lines) host.out(line);
}

function fail(host: Host, reason: string): ExitCode {
  host.err(`postrider: ${reason}`);
  return 1;
}

/** Starts the server. If it uses a free port, says so on standard output. */
async function startDemoServer(host: Host, addresses: DemoAddresses, secrets: DemoSecrets): Promise<StartResult> {
  const startResult = await startOnPort(host, addresses, secrets);
  if (startResult.kind === "ok" || startResult.code !== "port-taken") return startResult;
  host.out(`port ${String(addresses.port)} is taken by another program, so the demo uses a free one`);
  return startOnPort(host, { ...addresses, port: 0 }, secrets);
}

async function startOnPort(host: Host, addresses: DemoAddresses, secrets: DemoSecrets): Promise<StartResult> {
  const decoded = decodeConfig(demoConfig(addresses, secrets));
  if (decoded.kind === "refused")
    return { kind: "refused", code: "config-refused", reason: "the demo's config is wrong" };
  const logger = createHostLog(host);
  return startServer({ config: decoded.value, logger, clock: host.clock, random: host.random });
}

/** A header and a line for each arrival, in columns. */
function arrivalsTable(arrivals: readonly DemoArrival[]): readonly string[] {
  const rows = arrivals.map(({ kind, signature, latencyMs }) => row(kind, signature, `${latencyMs.toFixed(1)} ms`));
  return [row("kind", "signature", "latency"), ...rows];
}

function row(kind: string, signature: string, latency: string): string {
  return `  ${kind.padEnd(10)}${signature.padEnd(11)}${latency.padStart(10)}`;
}

interface GuideFacts {
  /** The URL of the server. */
  readonly url: string;
  readonly apiToken: string;
  /** The address of the console, which logs in once. */
  readonly consoleUrl: string;
  /** The config that is shown. */
  readonly config: object;
}

/** The lines of the text. */
function guide({ url, apiToken, consoleUrl, config }: GuideFacts): readonly string[] {
  return [
    "Make a call; its message is shown below:",
    `  curl -u ${DEMO_WRITE_KEY}: -d '{"userId":"u1","event":"Signed Up"}' ${url}/v1/track`,
    "",
    "See it in a browser; this address logs in once, within 10 minutes:",
    `  ${consoleUrl}`,
    "",
    "See its delivery:",
    `  curl -H 'Authorization: Bearer ${apiToken}' '${url}/api/deliveries?limit=1'`,
    "",
    "The config of this server; save it as postrider.json to run your own:",
    ...JSON.stringify(config, null, 2).split("\n"),
    "  npx postrider serve --config postrider.json --port 0",
    "",
    "Ctrl-C ends the demo and removes its database.",
  ];
}
