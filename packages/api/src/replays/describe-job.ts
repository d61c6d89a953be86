// The JSON of replay jobs and of their previews. Every key is always present, null if it does not apply.

import type { EpochMs, ReplayFilter, ReplayJob } from "@postrider/core";
import { formatTimestamp } from "@postrider/core/engine";
import type { ReplayPreview } from "@postrider/relay";
import { describeDelivery } from "../handle-list-deliveries.js";

export function describeJob(job: ReplayJob): Readonly<Record<string, unknown>> {
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

function describeFilter(filter: ReplayFilter): Readonly<Record<string, unknown>> {
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

export function describePreview(preview: ReplayPreview): Readonly<Record<string, unknown>> {
  return {
    deliveries: preview.deliveries,
    isWhole: preview.isWhole,
    oldest: instantOrNull(preview.oldest),
    newest: instantOrNull(preview.newest),
    byDestination: Object.fromEntries(preview.byDestination),
    byReason: Object.fromEntries(preview.byReason),
    outOfReach: preview.outOfReach,
    examples: preview.examples.map(describeDelivery),
  };
}

function instantOrNull(at: EpochMs | undefined): string | null {
  return at === undefined ? null : formatTimestamp(at);
}
