// The commands about lanes: `postrider lanes` lists them, one for each destination; `pause`, `resume` and `probe` change one. All
// show the same table: whether a lane sends, what waits, and why.

import type { EpochMs, JsonObject } from "@postrider/core";
import { formatDuration, isPlainObject, parseTimestamp } from "@postrider/core/engine";
import type { Command } from "commander";
import { addAccessOptions, type RawOptions, readAccess } from "../access.js";
import { fieldOf, objectsIn } from "../deliveries/delivery-json.js";
import { countOf } from "../format-count.js";
import type { ExitCode, Host } from "../host.js";
import { type ApiAccess, askApi, expectApiAnswer, readFromApi } from "../requests/ask-api.js";
import type { Line, Style } from "../terminal/line.js";
import { type Cell, tableLines } from "../terminal/table.js";

interface LanesOptions extends ApiAccess {
  readonly json?: true;
}

interface LaneCommand {
  readonly name: "pause" | "resume" | "probe";
  readonly description: string;
  readonly notes: string;
}

const EXAMPLES = `
Examples:
  $ postrider lanes
  $ postrider lanes --json | jq -r 'select(.mode != "open") | .destination'`;

const PAUSE: LaneCommand = {
  name: "pause",
  description: "Pause a destination: its deliveries wait.",
  notes: `
The pause outlives a restart and a reload of the config. Calls are accepted as before; the retry windows of deliveries that were
tried run on. \`postrider resume\` ends the pause.`,
};

const RESUME: LaneCommand = {
  name: "resume",
  description: "End the pause of a destination.",
  notes: `
Ends what \`postrider pause\` has begun. A destination with "paused": true in the config stays paused: change the config.`,
};

const PROBE: LaneCommand = {
  name: "probe",
  description: "Send the next probe to a destination that is held or blocked now.",
  notes: `
For a receiver that was repaired: a delivery that waits is sent now, not when the next probe is due. If it arrives, the others
follow.`,
};

const COLUMNS = [
  { heading: "destination" },
  { heading: "mode" },
  { heading: "waiting" },
  { heading: "bytes" },
  { heading: "in flight" },
  { heading: "next due" },
  { heading: "window left" },
  { heading: "died" },
  { heading: "because", isCuttable: true },
];

const STYLES: ReadonlyMap<string, Style> = new Map([
  ["open", "good"],
  ["held", "bad"],
  ["refusing", "bad"],
  ["blocked", "bad"],
  ["gone", "bad"],
]);

/** The modes that an operator ends in the settings. */
const CLOSED: ReadonlyMap<string, readonly string[]> = new Map([
  ["off", ['off in the settings ("enabled")']],
  ["gone", ["not in the settings"]],
]);

/** Adds the command; `end` gets its exit code. */
export function addLanes(program: Command, host: Host, end: (code: ExitCode) => void): void {
  addAccessOptions(program.command("lanes"))
    .description("List the destinations: which send, which are held or paused, what waits.")
    .option("--json", "print each lane as a line of JSON")
    .addHelpText("after", EXAMPLES)
    .action(async (rawOptions: RawOptions<LanesOptions>, command: Command) =>
      end(await listLanes(host, { ...rawOptions, ...readAccess(host, command, rawOptions) })),
    );
}

async function listLanes(host: Host, options: LanesOptions): Promise<ExitCode> {
  const answer = await readFromApi(host, options, "/api/lanes");
  if (answer === undefined) return 1;
  const lanes = objectsIn(answer, "lanes");
  if (options.json === true) lanes.forEach((lane) => host.out(JSON.stringify(lane)));
  else if (lanes.length === 0) host.err("the settings have no destinations, and nothing waits");
  else laneTable(lanes, { now: host.clock.wall(), width: host.columns() }).forEach((line) => host.out(line));
  return 0;
}

/** Adds the commands; `end` gets their exit codes. */
export function addLaneRequests(program: Command, host: Host, end: (code: ExitCode) => void): void {
  for (const { name, description, notes } of [PAUSE, RESUME, PROBE]) {
    addAccessOptions(program.command(name))
      .description(description)
      .argument("<destination>", "the id of the destination")
      .option("--json", "print the lane as one line of JSON")
      .addHelpText("after", `${notes}\n\nExamples:\n  $ postrider ${name} crm`)
      .action(async (destination: string, rawOptions: RawOptions<LanesOptions>, command: Command) =>
        end(
          await requestLane(host, { name, destination }, { ...rawOptions, ...readAccess(host, command, rawOptions) }),
        ),
      );
  }
}

async function requestLane(
  host: Host,
  { name, destination }: { readonly name: LaneCommand["name"]; readonly destination: string },
  options: LanesOptions,
): Promise<ExitCode> {
  const path = `/api/lanes/${encodeURIComponent(destination)}/${name}`;
  const lane = expectApiAnswer(host, await askApi(host, options, { path }), 200);
  if (lane === undefined) return 1;
  if (options.json === true) host.out(JSON.stringify(lane));
  else laneTable([lane], { now: host.clock.wall(), width: host.columns() }).forEach((line) => host.out(line));
  if (name === "resume" && lane["mode"] === "paused")
    host.err('the settings still pause it: remove "paused" from its destination in the config, and reload');
  return 0;
}

interface LaneTableSettings {
  readonly now: EpochMs;
  /** The characters of a line; if undefined, nothing is cut. */
  readonly width: number | undefined;
}

function laneTable(lanes: readonly JsonObject[], { now, width }: LaneTableSettings): readonly Line[] {
  return tableLines(
    COLUMNS,
    lanes.map((lane) => rowOf(lane, now)),
    width,
  );
}

function rowOf(lane: JsonObject, now: EpochMs): readonly Cell[] {
  const mode = fieldOf(lane, "mode");
  return [
    fieldOf(lane, "destination"),
    { text: mode, style: STYLES.get(mode) ?? "caution" },
    fieldOf(lane, "deliveries"),
    fieldOf(lane, "bytes"),
    `${fieldOf(lane, "inFlight")}/${fieldOf(lane, "limit")}`,
    nextDueOf(lane, mode, now),
    untilInstant(lane, "windowEndsAt", now),
    lane["deaths"] === 0 ? "-" : { text: fieldOf(lane, "deaths"), style: "bad" },
    causeOf(lane, now),
  ];
}

/** A dash for a lane that sends nothing although deliveries are due: they start when the cause ends, and not at once. */
function nextDueOf(lane: JsonObject, mode: string, now: EpochMs): string {
  const wait = untilInstant(lane, "nextDueAt", now);
  return wait === "now" && mode !== "open" ? "-" : wait;
}

/** `5 min 0 s`, `now` for an instant that is past, or a dash. */
function untilInstant(lane: JsonObject, name: string, now: EpochMs): string {
  const at = parseTimestamp(fieldOf(lane, name));
  if (at === undefined) return "-";
  return at > now ? formatDuration(at - now) : "now";
}

/** The reason for which the lane does not send as fast as it could. */
function causeOf(lane: JsonObject, now: EpochMs): string {
  const { pausedBy, backoff, endpointHolds } = lane;
  const pausers = Array.isArray(pausedBy) ? pausedBy.map(String) : [];
  const holds = Array.isArray(endpointHolds) ? endpointHolds.length : 0;
  const causes = [
    ...(CLOSED.get(fieldOf(lane, "mode")) ?? []),
    ...(pausers.length > 0 ? [`paused by ${pausers.join(" and ")}`] : []),
    ...(isPlainObject(backoff) ? [backoffInWords(backoff, now)] : failureInWords(lane)),
    ...rateInWords(lane, now),
    ...(holds > 0 ? [`Retry-After of ${countOf(holds, "endpoint")}`] : []),
  ];
  return causes.join("; ") || "-";
}

/** The last failure, unless the receiver has taken a message since. */
function failureInWords({ lastFailure }: JsonObject): readonly string[] {
  if (!isPlainObject(lastFailure)) return [];
  return [`last ${lastFailure["isRefusal"] === true ? "refused" : "failed"} with ${fieldOf(lastFailure, "detail")}`];
}

/** The rate limit, while deliveries wait for it. */
function rateInWords({ rate, deliveries }: JsonObject, now: EpochMs): readonly string[] {
  if (!isPlainObject(rate) || deliveries === 0) return [];
  const next = untilInstant(rate, "nextAt", now);
  return next === "now" || next === "-" ? [] : [`rate limit, next in ${next}`];
}

function backoffInWords(backoff: JsonObject, now: EpochMs): string {
  const since = parseTimestamp(fieldOf(backoff, "since"));
  const next = untilInstant(backoff, "nextProbeAt", now);
  const words = [
    [
      fieldOf(backoff, "kind"),
      ...(since === undefined ? [] : [`for ${formatDuration(Math.max(0, now - since))}`]),
    ].join(" "),
    ...(backoff["detail"] === null ? [] : [`after ${fieldOf(backoff, "detail")}`]),
    `next probe ${next === "now" ? next : `in ${next}`}`,
  ];
  return words.join(", ");
}
