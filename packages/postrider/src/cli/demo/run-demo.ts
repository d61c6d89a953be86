// Runs the demo: a receiver, a server, one call of each kind, a table of the arrivals, and then a line for each further
// message until a signal ends the demo.

import type { ExitCode, Host } from "../host.js";
import { listenOn } from "../../server/listen-on.js";
import { receivedLine } from "../receiver/received-line.js";
import { createReceiver } from "../receiver/receiver.js";
import type { RunningServer } from "../../server/running-server.js";
import { stopOnSignals } from "../stop-on-signals.js";
import { resolvesWithin } from "../../timing/within.js";
import { type Arrivals, createArrivals } from "./arrivals.js";
import { arrivalsTable } from "./arrivals-table.js";
import { demoConfig, type DemoSecrets, drawSecrets } from "./demo-config.js";
import { guide } from "./guide.js";
import { SAMPLE_CALLS } from "./sample-calls.js";
import { sendSamples } from "./send-samples.js";
import { startDemoServer } from "./start-demo-server.js";

export interface DemoOptions {
  /** The port of the server; if it is taken, a free one is used. */
  readonly port: number;
  /** A file that does not exist yet. */
  readonly database: string;
}

/** The time within which all sample calls have to arrive. */
const ARRIVAL_LIMIT_MS = 30_000;

/** Resolves with the exit status once the demo has ended. */
export async function runDemo(host: Host, options: DemoOptions): Promise<ExitCode> {
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
  const listening = await listenOn(receiver, { host: "127.0.0.1", port: 0 });
  if (listening.kind === "refused") return fail(host, listening.reason);
  try {
    return await runServer({ ...options, host, arrivals, secrets, receiverUrl: listening.url });
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
  const started = await startDemoServer(run.host, run, run.secrets);
  if (started.kind === "refused") return fail(run.host, started.reason);
  const { server } = started;
  const ended = stopOnSignals(run.host, server);
  const shown = await Promise.race([show(run, server), ended.then(() => "ended" as const)]);
  if (shown !== "not-arrived") return ended;
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
