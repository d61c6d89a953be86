// POST /api/deliveries/ID/replay, POST /api/replay and the routes of /api/replay-jobs: delivers one delivery again, the dead
// ones of a destination up to a limit, or all that match a filter by a job, which can be previewed and cancelled.

import { type DeliveryId, DEAD_REASONS, destinationId, type ReplayFilter, replayJobId } from "@postrider/core";
import { type Answer, jsonAnswer, type RequestBody } from "../../index.js";
import type { Relay, ReplayRequest, ReplayJobFault, ReplayJobs } from "@postrider/relay";
import { defined } from "@postrider/core/engine";
import { objectSchema, type Of, textSchema, flagSchema, integerSchema } from "../contract/json-schema.js";
import type { ApiOperation } from "../contract/operation.js";
import { faultAnswer, notSupportedAnswer, refuse } from "../refuse.js";
import { readObjectBody, choiceField, countField, type Fields, instantField, textField } from "../read-request.js";
import { queryOf } from "../delivery-filters.js";
import { describeJob, describePreview, FILTER_BODY, type JobFilters, type ReplayJobsJson } from "./replay-job-json.js";

const REPLAYED_ONE = objectSchema({ id: textSchema() });

export const REPLAY_ONE: ApiOperation = {
  id: "replayDelivery",
  summary: "Delivers the message of one delivery again.",
  answer: { status: 202, description: "the id of the new delivery", schema: REPLAYED_ONE },
  refusals: ["not-found", "not-finished", "purged", "destination-removed", "store-unavailable"],
};

/** Answers `{ id }`, the id of the new delivery. */
export async function handleReplayOne(relay: Pick<Relay, "replay">, id: DeliveryId): Promise<Answer> {
  return relay
    .replay(id)
    .match((newId) => jsonAnswer(202, { id: newId } satisfies Of<typeof REPLAYED_ONE>), faultAnswer);
}

const MAX_REPLAY = 10_000;

const FIELDS: Fields<Required<ReplayRequest>> = {
  destination: textField((id) => destinationId(id)),
  reason: choiceField(DEAD_REASONS),
  since: instantField(),
  until: instantField(),
  limit: countField(MAX_REPLAY),
};

const BODY = { kind: "json", fields: FIELDS, required: ["destination"], code: "bad-replay" } as const;

const REPLAYED_MANY = objectSchema({ replayed: integerSchema(), more: flagSchema() });

export const REPLAY_MANY: ApiOperation = {
  id: "replayDeliveries",
  summary: "Delivers dead deliveries of one destination again, newest first, up to a limit.",
  body: BODY,
  answer: { status: 202, description: "how many", schema: REPLAYED_MANY },
  refusals: ["destination-removed", "store-unavailable"],
};

/** Answers `{ replayed, more }`. */
export async function handleReplayMany(relay: Pick<Relay, "replayMany">, body: RequestBody): Promise<Answer> {
  const request = await readObjectBody(body, BODY);
  if (request.kind === "refused") return request.answer;
  return relay
    .replayMany(request.value)
    .match(({ replayed, more }) => jsonAnswer(202, { replayed, more } satisfies Of<typeof REPLAYED_MANY>), faultAnswer);
}

/** Answers the counts of what a job with this filter would replay. */
export function handlePreviewReplay(relay: ReplayJobs, body: RequestBody): Promise<Answer> {
  return withFilter(body, (filter) =>
    relay.previewReplay(filter).match((preview) => jsonAnswer(200, describePreview(preview)), jobFaultAnswer),
  );
}

/** Answers the new job, of which nothing is done yet. */
export function handleStartReplay(relay: ReplayJobs, body: RequestBody): Promise<Answer> {
  return withFilter(body, (filter) =>
    relay.startReplay(filter).match((job) => jsonAnswer(202, describeJob(job)), jobFaultAnswer),
  );
}

/** Answers `{ jobs }`, the latest first. */
export async function handleListReplayJobs(relay: ReplayJobs): Promise<Answer> {
  return relay
    .replayJobs()
    .match((jobs) => jsonAnswer(200, { jobs: jobs.map(describeJob) } satisfies ReplayJobsJson), jobFaultAnswer);
}

export async function handleShowReplayJob(relay: ReplayJobs, id: string): Promise<Answer> {
  return relay.replayJob(replayJobId(id)).match((job) => jsonAnswer(200, describeJob(job)), jobFaultAnswer);
}

/** Answers the job as it is then: one that has ended before stays as it was. */
export async function handleCancelReplay(relay: ReplayJobs, id: string): Promise<Answer> {
  return relay.cancelReplay(replayJobId(id)).match((job) => jsonAnswer(200, describeJob(job)), jobFaultAnswer);
}

async function withFilter(body: RequestBody, ask: (filter: ReplayFilter) => PromiseLike<Answer>): Promise<Answer> {
  const request = await readObjectBody(body, FILTER_BODY);
  return request.kind === "refused" ? request.answer : ask(filterOf(request.value));
}

function filterOf({ state = ["dead"], ...others }: Partial<JobFilters>): ReplayFilter {
  const { reason, details, source, destination, type, acceptedSince, acceptedBefore } = queryOf(others);
  return { states: state, ...defined({ reason, details, source, destination, type, acceptedSince, acceptedBefore }) };
}

function jobFaultAnswer(fault: ReplayJobFault): Answer {
  switch (fault.code) {
    case "not-found":
      return refuse(404, fault.code, "there is no such replay job, or it was removed");
    case "not-supported":
      return notSupportedAnswer("replay jobs");
    case "too-many-jobs":
      return refuse(409, fault.code, "1,000 replay jobs are running: cancel one first");
    case "destination-removed":
      return refuse(409, fault.code, "the destination is not in the settings");
    case "unavailable":
    case "corrupt":
    case "stopped":
      return faultAnswer(fault);
  }
}
