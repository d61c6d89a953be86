// Writes replay jobs and their previews as JSON.

import type { ReplayFilter, ReplayJob } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { ReplayPreview } from "@postrider/relay";
import { instantOrNull } from "../describe-lane.js";
import { describeDelivery } from "../handle-list-deliveries.js";
import type { ReplayFilterJson, ReplayJobJson, ReplayPreviewJson } from "./replay-job-json.js";

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
