// postrider replay-trace: replays the trace of an incident on the relay of this version, without a store and without a socket,
// and says where it departs from the incident. Other settings replace the recorded ones, except for endpoints and secrets.

import type { Config } from "@postrider/relay/settings";
import { type Destination, epochMs, readEndpointUrl, type Workspace } from "@postrider/core";
import { defined, formatTimestamp } from "@postrider/core/engine";
import { createRelay } from "@postrider/relay";
import { type Happening, readTrace, replayTrace, type Trace, type TraceReplay } from "@postrider/relay/trace";
import type { Command } from "commander";
import { readFile } from "node:fs/promises";
import { describeProblems } from "../../config/config-problem.js";
import { readConfig } from "../../config/read-config.js";
import { expectedFile } from "../../config/read-text-file.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";

interface ReplayTraceCommandOptions {
  readonly config?: string;
  readonly delivery?: string;
  readonly json?: true;
}

const NOTES = `
A server that runs with --record writes such a trace. Secrets, header values and bodies are not in it: stand-ins of the same
size take their places. Exit status 1 says that the run departs from the incident, or that the trace cannot be read.

Examples:
  $ postrider replay-trace incident.trace
  $ postrider replay-trace incident.trace --delivery del_42
  $ postrider replay-trace incident.trace --config other.json`;

/** Adds the command; `end` gets its exit code. */
export function addReplayTrace(program: Command, host: Host, end: (code: ExitCode) => void): void {
  program
    .command("replay-trace")
    .description("Replay the trace of an incident, and say where this version or other settings depart from it.")
    .argument("<file>", "the trace")
    .option("--config <file>", "replay with the numbers and switches of this config")
    .option("--delivery <id>", "print each step of this delivery")
    .option("--json", "print the result as JSON")
    .addHelpText("after", NOTES)
    .action(async (file: string, options: ReplayTraceCommandOptions) => end(await run(host, file, options)));
}

async function run(host: Host, file: string, options: ReplayTraceCommandOptions): Promise<ExitCode> {
  const config = options.config === undefined ? undefined : readOtherConfig(host, options.config);
  if (config === "refused") return 2;
  const bytes = await readBytes(host, file);
  if (bytes === undefined) return 1;
  try {
    const trace = await readTrace(bytes);
    const replay = await replayTrace(trace, (ports) => createRelay(ports), {
      change: (recorded) => (config === undefined ? recorded : changedSettings(recorded, config.workspace)),
    });
    const happenings = options.delivery === undefined ? [] : replay.happenings(options.delivery);
    const lines =
      options.json === true ? [asJson(trace, replay, options.delivery)] : inWords(trace, replay, happenings);
    lines.forEach((line) => host.out(line));
    return replay.diverged === undefined && trace.segments.length > 0 ? 0 : 1;
  } catch (error) {
    host.err(`postrider: ${error instanceof Error ? error.message : String(error)}`);
    return 1;
  }
}

async function readBytes(host: Host, file: string): Promise<Uint8Array | undefined> {
  try {
    return await readFile(file);
  } catch (error) {
    host.err(`postrider: cannot read ${file}: expected ${expectedFile(error)}`);
    return undefined;
  }
}

function readOtherConfig(host: Host, file: string): Config | "refused" {
  const outcome = readConfig(file, (name) => host.env(name));
  if (outcome.kind === "ok") return outcome.config;
  for (const line of describeProblems(outcome.problems, file)) host.err(line);
  return "refused";
}

function asJson({ isCut, segments }: Trace, replay: TraceReplay, delivery: string | undefined): string {
  const { turns, diverged, unplayed } = replay;
  const result = {
    segments: segments.length,
    isCut,
    turns,
    unplayed,
    diverged,
    happenings: replay.happenings(delivery),
  };
  return JSON.stringify(result, null, 2);
}

function inWords({ isCut, segments }: Trace, replay: TraceReplay, shown: readonly Happening[]): readonly string[] {
  const { turns, diverged, unplayed } = replay;
  const recordedTurns = segments.reduce((sum, segment) => sum + segment.turns.length, 0);
  return [
    ...shown.map(happeningLine),
    ...(isCut ? ["The file was cut: what came after its last whole segment is missing."] : []),
    `${String(turns)} of ${String(recordedTurns)} turns in ${countOf(segments.length, "segment")}, ${countOf(replay.happenings().length, "happening")}.`,
    ...unplayed,
    diverged === undefined ? "The run did all that the incident did." : `The run departs. ${diverged.story}`,
  ];
}

/** The settings of the config, with the endpoints and secrets that the trace has in place of real ones. */
function changedSettings(recorded: Workspace, config: Workspace): Workspace {
  const sources = new Map(recorded.sources.map((source) => [source.id, source]));
  const destinations = new Map(recorded.destinations.map((destination) => [destination.id, destination]));
  return {
    ...config,
    sources: config.sources.map((source) => ({
      ...source,
      ...defined({ writeKey: sources.get(source.id)?.writeKey }),
    })),
    destinations: config.destinations.map((destination) =>
      changedDestination(destination, destinations.get(destination.id)),
    ),
  };
}

function changedDestination(destination: Destination, recorded: Destination | undefined): Destination {
  if (recorded === undefined || placesOf(destination) !== placesOf(recorded)) return destination;
  const areSignedAlike = destination.secrets.length > 0 === recorded.secrets.length > 0;
  return { ...destination, endpoints: recorded.endpoints, ...(areSignedAlike ? { secrets: recorded.secrets } : {}) };
}

/** The URLs without their queries. */
function placesOf({ endpoints }: Destination): string {
  const urls = endpoints.map(({ url }) => {
    const endpoint = readEndpointUrl(url);
    return endpoint.kind === "ok" ? endpoint.id.replace(/[?].*$/, "") : url;
  });
  return JSON.stringify(urls);
}

/** Such as `2026-01-01T00:00:05.000Z rescheduled {"delivery":"del_42","dueAt":…}`. */
function happeningLine({ wallAt, event }: Happening): string {
  const { kind, ...rest } = event as { readonly kind?: unknown };
  return `${formatTimestamp(epochMs(wallAt))} ${String(kind)} ${JSON.stringify(rest)}`;
}
