// What the routes of /api/replay-jobs read and answer.

import { FAULTS, type ReplayedState } from "@postrider/core";
import { listSchema, objectSchema, type SchemaOf } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { FILTERS, type QueryFilters } from "../delivery-filters.js";
import { choiceListField, type Fields } from "../read-fields.js";
import { JOB, PREVIEW, type ReplayJobJson } from "./replay-job-json.js";

/** The filters of a job, by the names of a list. It replays what was not replayed, of any message and any user. */
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

export interface ReplayJobsJson {
  readonly jobs: readonly ReplayJobJson[];
}

const JOBS: SchemaOf<ReplayJobsJson> = objectSchema<ReplayJobsJson>({ jobs: listSchema(JOB) });

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
