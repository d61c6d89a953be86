// GET /api/series: what happened over time: calls of this process by outcome, and one destination, or all of them. Does not know how
// it is kept.

import { type DestinationId, destinationId, type EpochMs } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import { type Answer, jsonAnswer, notFoundAnswer } from "@postrider/http";
import type { IntakeOutcome } from "./calls/recent-calls.js";
import {
  component,
  instantSchema,
  integerSchema,
  listSchema,
  numberSchema,
  objectSchema,
  type Of,
  orNull,
} from "./contract/json-schema.js";
import type { ApiOperation } from "./contract/operation.js";
import { choiceField, type Fields, instantField, textField } from "./read-fields.js";
import { readQuery } from "./read-query.js";
import { problemAnswer } from "./refuse.js";

/** Series of the metrics: those of `createSeries` of `@postrider/telemetry`. Null is a time of which nothing is known. */
export interface ReadableSeries {
  /** At most 2,160 intervals, oldest first. `step` is their length in seconds. */
  readonly read: (query: {
    readonly step: 10 | 300;
    readonly destination?: DestinationId | undefined;
    readonly since?: EpochMs | undefined;
  }) => ReadSeries;
}

/** What is read of series. */
export interface ReadSeries {
  readonly step: number;
  readonly from: EpochMs;
  readonly until: EpochMs;
  readonly calls: ReadColumns<Exclude<IntakeOutcome, "unknown-key">>;
  /** Undefined if the destination has no series. */
  readonly destination: ReadColumns<LaneColumn> | undefined;
}

/** A number for each interval, by the name of what it is. */
export type ReadColumns<Name extends string> = Readonly<Record<Name, readonly (number | null)[]>>;

/** What is told of a destination. */
export type LaneColumn =
  ("delivered" | "retries" | "dead" | "waiting") | ("deliveryP50" | "deliveryP99" | "requestP50" | "requestP99");

/** The most numbers of a list: those of 6 hours, 10 seconds each. */
const MAX_INTERVALS = 2_160;

const STEPS = { "10": 10, "300": 300 } as const;
const DEFAULT_STEP = 10;

interface SeriesFields {
  readonly destination: DestinationId;
  readonly step: keyof typeof STEPS;
  readonly since: EpochMs;
}

const FIELDS: Fields<SeriesFields> = {
  destination: textField((id) => destinationId(id)),
  step: choiceField(["10", "300"]),
  since: instantField(),
};

const COUNTS = listSchema(orNull(integerSchema()), { maxItems: MAX_INTERVALS });
const SECONDS = listSchema(orNull(numberSchema()), { maxItems: MAX_INTERVALS });
const CALLS = objectSchema<ReadSeries["calls"]>({
  ...{ accepted: COUNTS, filtered: COUNTS, duplicate: COUNTS, suppressed: COUNTS, refused: COUNTS, shed: COUNTS },
});
const LANE = component<ReadColumns<LaneColumn>>("LaneSeries", {
  ...{ delivered: COUNTS, retries: COUNTS, dead: COUNTS, waiting: COUNTS },
  ...{ deliveryP50: SECONDS, deliveryP99: SECONDS, requestP50: SECONDS, requestP99: SECONDS },
});
const SERIES = objectSchema({
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

/** Answers `{ step, from, until, calls, destination }`, or 404 if the host keeps no series. */
export function handleShowSeries(series: ReadableSeries | undefined, query: string): Answer {
  if (series === undefined) return notFoundAnswer();
  const asked = readQuery(query, FIELDS);
  if (asked.kind === "refused") return problemAnswer("bad-query", asked.problems);
  const { step, destination: id, since } = asked.value;
  const read = series.read({ step: step === undefined ? DEFAULT_STEP : STEPS[step], destination: id, since });
  const [from, until] = [formatTimestamp(read.from), formatTimestamp(read.until)];
  const { calls, destination = null } = read;
  return jsonAnswer(200, { step: read.step, from, until, calls, destination } satisfies Of<typeof SERIES>);
}
