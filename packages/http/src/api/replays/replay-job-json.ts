// Describes the routes of /api/replay-jobs and writes jobs and their previews as JSON. Every key is always present, null if
// it does not apply.

import {
  DEAD_REASONS,
  type DeadReason,
  type MessageType,
  type ReplayedState,
  type ReplayJob,
  type ReplayFilter,
  FAULTS,
} from "@postrider/core";
import type { ReplayPreview } from "@postrider/relay";
import { formatTimestamp } from "@postrider/core/engine";
import {
  choiceSchema,
  component,
  flagSchema,
  instantSchema,
  integerSchema,
  listSchema,
  objectSchema,
  orNull,
  type SchemaOf,
  textSchema,
} from "../contract/json-schema.js";
import { DELIVERY, type DeliveryJson, describeDelivery } from "../handle-deliveries.js";
import { instantOrNull } from "../lane-json.js";
import type { ApiOperation } from "../contract/operation.js";
import { FILTERS, type QueryFilters } from "../delivery-filters.js";
import { choiceListField, type Fields } from "../read-request.js";

interface ReplayFilterJson {
  readonly states: readonly ReplayedState[];
  readonly reason: DeadReason | null;
  readonly details: readonly string[] | null;
  readonly source: string | null;
  readonly destination: string | null;
  readonly type: MessageType | null;
  readonly since: string | null;
  readonly until: string | null;
}

const FILTER = objectSchema<ReplayFilterJson>({
  states: listSchema(choiceSchema<ReplayedState>(["dead", "delivered"])),
  reason: DELIVERY.reason,
  details: orNull(listSchema(textSchema())),
  source: orNull(textSchema()),
  destination: orNull(textSchema()),
  type: orNull(DELIVERY.type),
  since: orNull(instantSchema()),
  until: orNull(instantSchema()),
});

/** A replay job in an answer. */
export interface ReplayJobJson {
  readonly id: string;
  readonly state: ReplayJob["state"];
  readonly createdAt: string;
  readonly endedAt: string | null;
  readonly expected: number;
  readonly replayed: number;
  readonly skipped: number;
  readonly filter: ReplayFilterJson;
}

const JOB: SchemaOf<ReplayJobJson> = component("ReplayJob", {
  id: textSchema(),
  state: choiceSchema<ReplayJob["state"]>(["running", "done", "cancelled"]),
  createdAt: instantSchema(),
  endedAt: orNull(instantSchema()),
  expected: integerSchema(),
  replayed: integerSchema(),
  skipped: integerSchema(),
  filter: FILTER,
});

export function describeJob(job: ReplayJob): ReplayJobJson {
  return {
    id: job.id,
    state: job.state,
    createdAt: formatTimestamp(job.createdAt),
    endedAt: instantOrNull(job.endedAt),
    expected: job.expected,
    replayed: job.replayed,
    skipped: job.skipped,
    filter: describeFilter(job.filter),
  };
}

function describeFilter(filter: ReplayFilter): ReplayFilterJson {
  return {
    states: filter.states,
    reason: filter.reason ?? null,
    details: filter.details ?? null,
    source: filter.source ?? null,
    destination: filter.destination ?? null,
    type: filter.type ?? null,
    since: instantOrNull(filter.acceptedSince),
    until: instantOrNull(filter.acceptedBefore),
  };
}

/** The deliveries that a replay job would replay, in an answer. `isWhole`: false if the counts are lower bounds. */
export interface ReplayPreviewJson {
  readonly deliveries: number;
  readonly isWhole: boolean;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly byDestination: readonly { readonly destination: string; readonly deliveries: number }[];
  readonly byReason: readonly { readonly reason: DeadReason | "delivered"; readonly deliveries: number }[];
  readonly outOfReach: ReplayPreview["outOfReach"];
  readonly examples: readonly DeliveryJson[];
}

const PREVIEW: SchemaOf<ReplayPreviewJson> = component("ReplayPreview", {
  deliveries: integerSchema(),
  isWhole: flagSchema(),
  oldest: orNull(instantSchema()),
  newest: orNull(instantSchema()),
  byDestination: listSchema(objectSchema({ destination: textSchema(), deliveries: integerSchema() })),
  byReason: listSchema(
    objectSchema({
      reason: choiceSchema<DeadReason | "delivered">([...DEAD_REASONS, "delivered"]),
      deliveries: integerSchema(),
    }),
  ),
  outOfReach: objectSchema({ purged: integerSchema(), "destination-removed": integerSchema() }),
  examples: listSchema(component("Delivery", DELIVERY)),
});

export function describePreview(preview: ReplayPreview): ReplayPreviewJson {
  return {
    deliveries: preview.deliveries,
    isWhole: preview.isWhole,
    oldest: instantOrNull(preview.oldest),
    newest: instantOrNull(preview.newest),
    byDestination: Array.from(preview.byDestination, ([destination, deliveries]) => ({ destination, deliveries })),
    byReason: Array.from(preview.byReason, ([reason, deliveries]) => ({ reason, deliveries })),
    outOfReach: preview.outOfReach,
    examples: preview.examples.map(describeDelivery),
  };
}

/** The filters of a job, by their names in a list. A job always leaves replayed deliveries out, and selects no message or user. */
export interface JobFilters extends Omit<QueryFilters, "state" | "messageId" | "user" | "notReplayed"> {
  readonly state: readonly ReplayedState[];
}

const JOB_FILTERS: Fields<JobFilters> = {
  state: choiceListField(["dead", "delivered"]),
  reason: FILTERS.reason,
  destination: FILTERS.destination,
  source: FILTERS.source,
  type: FILTERS.type,
  status: FILTERS.status,
  fault: choiceListField(FAULTS),
  since: FILTERS.since,
  until: FILTERS.until,
};

interface FilterBody {
  readonly kind: "json";
  readonly fields: Fields<JobFilters>;
  readonly required: readonly [];
  readonly code: "bad-replay";
}

export const FILTER_BODY: FilterBody = { kind: "json", fields: JOB_FILTERS, required: [], code: "bad-replay" };

export const START_REPLAY: ApiOperation = {
  id: "startReplay",
  summary: "Starts a job that replays all deliveries which match a filter and were not replayed before.",
  body: FILTER_BODY,
  answer: { status: 202, description: "a job that replays all that a filter finds", schema: JOB },
  refusals: ["destination-removed", "too-many-jobs", "not-supported", "store-unavailable"],
};

export const PREVIEW_REPLAY: ApiOperation = {
  id: "previewReplay",
  summary: "Counts what a replay job with this filter would replay.",
  readBy: "viewer",
  body: FILTER_BODY,
  answer: { status: 200, description: "what such a job would replay", schema: PREVIEW },
  refusals: ["destination-removed", "not-supported", "store-unavailable"],
};

export interface ReplayJobsJson {
  readonly jobs: readonly ReplayJobJson[];
}

const JOBS: SchemaOf<ReplayJobsJson> = objectSchema<ReplayJobsJson>({ jobs: listSchema(JOB) });

export const LIST_REPLAY_JOBS: ApiOperation = {
  id: "listReplayJobs",
  summary: "Lists the replay jobs that are kept.",
  readBy: "viewer",
  answer: { status: 200, description: "the jobs, the latest first", schema: JOBS },
  refusals: ["not-supported", "store-unavailable"],
};

export const SHOW_REPLAY_JOB: ApiOperation = {
  id: "showReplayJob",
  summary: "Shows one replay job.",
  readBy: "viewer",
  answer: { status: 200, description: "how far one has come", schema: JOB },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};

export const CANCEL_REPLAY: ApiOperation = {
  id: "cancelReplay",
  summary: "Ends a running replay job. What it has replayed stays replayed.",
  answer: { status: 200, description: "the job, which replays nothing more", schema: JOB },
  refusals: ["not-found", "not-supported", "store-unavailable"],
};
