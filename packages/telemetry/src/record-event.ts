// Decides which metrics an event is recorded in. Takes of an event its codes, numbers, and the ids of destinations and sources.

import type { RelayEvent } from "@postrider/relay";
import type { EventMetrics } from "./event-metrics.js";
import type { LabelOf } from "./label-values.js";
import { MS_PER_SECOND } from "./limits.js";
import { statusLabel } from "./status-label.js";

/** What a registry keeps: the metrics, and which texts have a label. */
export interface Recorded {
  readonly metrics: EventMetrics;
  readonly destination: LabelOf;
  readonly source: LabelOf;
  readonly audience: LabelOf;
  readonly route: LabelOf;
}

type EventOf<Kind extends RelayEvent["kind"]> = Extract<RelayEvent, { readonly kind: Kind }>;

/** Records an event; some kinds have no metric. */
export function recordEvent(recorded: Recorded, event: RelayEvent): void {
  switch (event.kind) {
    case "accepted":
    case "duplicate":
    case "suppressed":
    case "refused":
    case "shed":
      recordCall(recorded, event);
      return;
    case "attempted":
    case "delivered":
    case "rescheduled":
    case "replayed":
    case "died":
    case "stale":
    case "local-fault":
    case "lane-held":
    case "ended":
      recordDelivery(recorded, event);
      return;
    case "committed":
    case "claimed":
    case "answered":
    case "store-fault":
    case "synced":
    case "notification-sent":
    case "notification-failed":
      recordWork(recorded, event);
      return;
    case "outdated":
    case "slip":
    case "released":
    case "schedule-fault":
    case "orphaned":
    case "outbox-waits":
    case "lane-blocked":
    case "lane-open":
    case "lane-paused":
    case "lane-resumed":
    case "pulled-in":
    case "deletion-requested":
    case "purged":
    case "deletion-finished":
    case "replay-job-done":
    case "swept":
    case "store-ended":
    case "store-stalled":
    case "store-answers":
    case "configured":
      return;
  }
}

/** A call that became no delivery, though it was accepted for some destination, was filtered everywhere. */
function recordCall(
  { metrics, source }: Recorded,
  event: EventOf<"accepted" | "duplicate" | "suppressed" | "refused" | "shed">,
): void {
  const isFiltered = event.kind === "accepted" && event.deliveries.length === 0;
  const calls = event.kind === "shed" ? event.calls : 1;
  metrics.calls.add(calls, source(event.source), isFiltered ? "filtered" : event.kind);
  if (event.kind !== "accepted" || event.warnings === undefined) return;
  for (const { code } of event.warnings) metrics.warnings.add(1, source(event.source), code);
}

function recordDelivery(
  { metrics, destination }: Recorded,
  event: EventOf<
    "attempted" | "delivered" | "rescheduled" | "replayed" | "died" | "stale" | "local-fault" | "lane-held" | "ended"
  >,
): void {
  const label = destination(event.destination);
  switch (event.kind) {
    case "attempted":
      recordAttempt(metrics, label, event.attempt);
      return;
    case "delivered":
      metrics.deliveries.add(1, label, "delivered");
      metrics.delivered.record((event.at - event.acceptedAt) / MS_PER_SECOND, label);
      return;
    case "died":
      metrics.deliveries.add(1, label, event.reason);
      return;
    case "ended":
      metrics.deliveries.add(event.deliveries, label, event.reason);
      return;
    case "rescheduled":
      metrics.retries.add(1, label);
      return;
    case "replayed":
      metrics.replays.add(1, label);
      return;
    case "stale":
      metrics.stale.add(1, label);
      return;
    case "local-fault":
      metrics.localFaults.add(1, label);
      return;
    case "lane-held":
      metrics.holds.add(1, label);
      return;
  }
}

function recordAttempt(metrics: EventMetrics, label: string, attempt: EventOf<"attempted">["attempt"]): void {
  const { result, durationMs } = attempt;
  const how = result.kind === "answered" ? statusLabel(result.status) : result.fault;
  metrics.attempts.record(durationMs / MS_PER_SECOND, label, how);
}

function recordWork(
  { metrics, audience, route }: Recorded,
  event: EventOf<
    "committed" | "claimed" | "answered" | "store-fault" | "synced" | "notification-sent" | "notification-failed"
  >,
): void {
  switch (event.kind) {
    case "committed":
      metrics.commits.record(event.ms / MS_PER_SECOND);
      metrics.commitSizes.record(event.calls + event.settlements);
      return;
    case "claimed":
      metrics.overdue.record(event.overdueMs / MS_PER_SECOND);
      return;
    case "answered":
      metrics.answers.record(event.ms / MS_PER_SECOND, route(event.route), statusLabel(event.status));
      return;
    case "store-fault":
      metrics.storeFaults.add(1, event.code);
      return;
    case "synced":
      recordSync(metrics, audience(event.audience), event.report);
      return;
    case "notification-sent":
    case "notification-failed":
      metrics.notifications.add(1, event.notification, event.kind === "notification-sent" ? "sent" : "failed");
      return;
  }
}

function recordSync(metrics: EventMetrics, label: string, report: EventOf<"synced">["report"]): void {
  for (const kind of ["entered", "departed", "changed"] as const)
    metrics.audienceChanges.add(report[kind], label, kind);
}
