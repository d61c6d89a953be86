// GET /api/stats and GET /api/series: shows the counters of each source with the connections and memory of callers, all
// read at one moment, and the calls and deliveries of this process over time.

import { type Counts, type SourceCounts, type DestinationId, destinationId, type EpochMs } from "@postrider/core";
import { totalCounts, formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer, notFoundAnswer } from "../index.js";
import type { Relay } from "@postrider/relay";
import {
  component,
  integerSchema,
  listSchema,
  type Of,
  orNull,
  type Properties,
  textSchema,
  instantSchema,
  numberSchema,
  objectSchema,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { faultAnswer, problemAnswer } from "./refuse.js";
import type { IntakeOutcome } from "./recent-calls.js";
import { choiceField, type Fields, instantField, textField, readQuery } from "./read-request.js";

const COUNTS: Properties<Counts> = {
  accepted: integerSchema(),
  filtered: integerSchema(),
  waiting: integerSchema(),
  claimed: integerSchema(),
  delivered: integerSchema(),
  dead: integerSchema(),
  received: integerSchema(),
  refused: integerSchema(),
  duplicates: integerSchema(),
  suppressed: integerSchema(),
  shed: integerSchema(),
};

const SOURCE_COUNTS = component("SourceCounts", { source: textSchema(), ...COUNTS });

const CALLERS = component<CallerUsage>("CallerUsage", {
  connections: integerSchema(),
  requests: integerSchema(),
  reading: integerSchema(),
  bytes: integerSchema(),
  keylessBytes: integerSchema(),
});

const STATS = component("Stats", { ...COUNTS, sources: listSchema(SOURCE_COUNTS), callers: orNull(CALLERS) });

export const SHOW_STATS: ApiOperation = {
  id: "showStats",
  summary: "Shows the counters of all calls and deliveries, and what callers use now.",
  readBy: "viewer",
  answer: { status: 200, description: "the counters", schema: STATS },
  refusals: ["store-unavailable"],
};

/** The connections, requests and memory of the listening process that callers use now. */
export interface CallerUsage {
  readonly connections: number;
  /** Requests that are being read or wait for their answer. */
  readonly requests: number;
  /** Requests whose body is still arriving; a part of `requests`. */
  readonly reading: number;
  /** Bytes of bodies of requests that are in memory. */
  readonly bytes: number;
  /** The part of `bytes` that belongs to requests whose head shows no known key. */
  readonly keylessBytes: number;
}

/**
 * Answers core's `Counts` of all sources together; `sources`, the counts of each source; and `callers`, null if unknown. The
 * law of the counters holds in every answer.
 */
export async function handleShowStats(relay: Pick<Relay, "usage">, callers: CallerUsage | undefined): Promise<Answer> {
  return relay.usage().match((sources) => {
    const stats: Of<typeof STATS> = {
      ...describeCounts(totalCounts(sources)),
      sources: sources.map(describeSource),
      callers: callers === undefined ? null : describeUsage(callers),
    };
    return jsonAnswer(200, stats);
  }, faultAnswer);
}

function describeUsage({ connections, requests, reading, bytes, keylessBytes }: CallerUsage): CallerUsage {
  return { connections, requests, reading, bytes, keylessBytes };
}

function describeSource(counts: SourceCounts): Of<typeof SOURCE_COUNTS> {
  return { source: counts.source, ...describeCounts(counts) };
}

function describeCounts(counts: Counts): Counts {
  return {
    accepted: counts.accepted,
    filtered: counts.filtered,
    waiting: counts.waiting,
    claimed: counts.claimed,
    delivered: counts.delivered,
    dead: counts.dead,
    received: counts.received,
    refused: counts.refused,
    duplicates: counts.duplicates,
    suppressed: counts.suppressed,
    shed: counts.shed,
  };
}

/** The most numbers of a list: those of 6 hours, 10 seconds each. */
const MAX_INTERVALS = 2_160;

const STEPS = { "10": 10, "300": 300 } as const;

const DEFAULT_STEP = 10;

const FIELDS: Fields<SeriesFields> = {
  destination: textField((id) => destinationId(id)),
  step: choiceField(["10", "300"]),
  since: instantField(),
};

const COUNT_SERIES = listSchema(orNull(integerSchema()), { maxItems: MAX_INTERVALS });

const SECONDS = listSchema(orNull(numberSchema()), { maxItems: MAX_INTERVALS });

const CALLS = objectSchema<ReadSeries["calls"]>({
  accepted: COUNT_SERIES,
  filtered: COUNT_SERIES,
  duplicate: COUNT_SERIES,
  suppressed: COUNT_SERIES,
  refused: COUNT_SERIES,
  shed: COUNT_SERIES,
});

const LANE = component<ReadColumns<LaneColumn>>("LaneSeries", {
  delivered: COUNT_SERIES,
  retries: COUNT_SERIES,
  dead: COUNT_SERIES,
  waiting: COUNT_SERIES,
  deliveryP50: SECONDS,
  deliveryP99: SECONDS,
  requestP50: SECONDS,
  requestP99: SECONDS,
});

/** The answer of a series. Each column has a number for each interval of `step` seconds; null where nothing is known. */
export interface SeriesJson {
  readonly step: number;
  readonly from: string;
  readonly until: string;
  readonly calls: ReadSeries["calls"];
  /** Null if the destination has no series. */
  readonly destination: ReadColumns<LaneColumn> | null;
}

const SERIES = objectSchema<SeriesJson>({
  step: integerSchema(),
  from: instantSchema(),
  until: instantSchema(),
  calls: CALLS,
  destination: orNull(LANE),
});

export const SHOW_SERIES: ApiOperation = {
  id: "showSeries",
  summary: "Shows what happened over time, as far as this process remembers it.",
  readBy: "viewer",
  query: { fields: FIELDS },
  answer: { status: 200, description: "what happened over time, for charts", schema: SERIES },
  refusals: ["not-found"],
};

/** Series of the metrics: those of `createSeries` of `@postrider/relay/metrics`. Null is a time without data. */
export interface ReadableSeries {
  /** At most 2,160 intervals, oldest first. `step` is their length in seconds. */
  readonly read: (query: {
    readonly step: 10 | 300;
    readonly destination?: DestinationId | undefined;
    readonly since?: EpochMs | undefined;
  }) => ReadSeries;
}

/** The values of a series. */
interface ReadSeries {
  readonly step: number;
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly calls: ReadColumns<Exclude<IntakeOutcome, "unknown-key">>;
  /** Undefined if the destination has no series. */
  readonly destination: ReadColumns<LaneColumn> | undefined;
}

/** A number for each interval, by the name of the metric. */
type ReadColumns<Name extends string> = Readonly<Record<Name, readonly (number | null)[]>>;

/** The columns of a destination. */
type LaneColumn =
  "delivered" | "retries" | "dead" | "waiting" | "deliveryP50" | "deliveryP99" | "requestP50" | "requestP99";

interface SeriesFields {
  readonly destination: DestinationId;
  readonly step: keyof typeof STEPS;
  readonly since: EpochMs;
}

/** Answers `{ step, from, until, calls, destination }`, or 404 if the host keeps no series. */
export function handleShowSeries(series: ReadableSeries | undefined, query: string): Answer {
  if (series === undefined) return notFoundAnswer();
  const fields = readQuery(query, FIELDS);
  if (fields.kind === "refused") return problemAnswer("bad-query", fields.problems);
  const { step, destination: id, since } = fields.value;
  const values = series.read({ step: step === undefined ? DEFAULT_STEP : STEPS[step], destination: id, since });
  const from = formatTimestamp(values.from);
  const until = formatTimestamp(values.until);
  const { calls, destination = null } = values;
  return jsonAnswer(200, { step: values.step, from, until, calls, destination } satisfies SeriesJson);
}
