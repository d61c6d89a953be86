// Reduces the events of a relay to counters and histograms, with bounded labels: decides which metrics an event is recorded in. Of an
// event it takes codes, numbers, and the ids of destinations, sources and audiences.

import type { EpochMs, LaneStatus } from "@postrider/core";
import type { RelayEvent } from "../index.js";
import { createEventMetrics, type EventMetrics, createLabelValues, type LabelOf } from "./event-metrics.js";
import { createLaneGauges } from "./lane-gauges.js";
import type { MetricsSnapshot } from "./metrics-snapshot.js";
import { MS_PER_SECOND } from "./limits.js";

/** The counts of all events since it was created. */
export interface Registry {
  /** Counts one event: pass it to `observe` of a relay and of its HTTP fronts. It neither throws nor waits. */
  readonly observe: (event: RelayEvent) => void;
  /**
   * All metrics: what was observed, and the lanes as gauges. `lanes` is what `lanes()` of the relay answers, and `now` is the
   * time of the wall clock of the relay, in milliseconds since 1970.
   */
  snapshot(lanes: readonly LaneStatus[], now: EpochMs): MetricsSnapshot;
}

/**
 * A registry without any counts. Of destinations, sources, audiences and routes each, the first 500 have a label; all others
 * are counted as `other`.
 */
export function createRegistry(): Registry {
  const contents: RegistryContents = {
    metrics: createEventMetrics(),
    destinationLabel: createLabelValues(),
    sourceLabel: createLabelValues(),
    audienceLabel: createLabelValues(),
    routeLabel: createLabelValues(),
  };
  const laneGauges = createLaneGauges(contents.destinationLabel);
  return {
    observe: (event) => recordEvent(contents, event),
    snapshot: (lanes, now) => ({
      families: [...Object.values(contents.metrics).map((metric) => metric.family()), ...laneGauges(lanes, now)],
    }),
  };
}

/** The contents of a registry: the metrics, and the texts that have a label. */
interface RegistryContents {
  readonly metrics: EventMetrics;
  readonly destinationLabel: LabelOf;
  readonly sourceLabel: LabelOf;
  readonly audienceLabel: LabelOf;
  readonly routeLabel: LabelOf;
}

type EventOf<Kind extends RelayEvent["kind"]> = Extract<RelayEvent, { readonly kind: Kind }>;

/** Records an event; some kinds have no metric. */
function recordEvent(contents: RegistryContents, event: RelayEvent): void {
  switch (event.kind) {
    case "accepted":
    case "duplicate":
    case "suppressed":
    case "refused":
    case "shed":
      recordCall(contents, event);
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
      recordDelivery(contents, event);
      return;
    case "committed":
    case "claimed":
    case "answered":
    case "store-fault":
    case "synced":
    case "notification-sent":
    case "notification-failed":
      recordWork(contents, event);
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

/** A call that was accepted but became no delivery counts as `filtered`. */
function recordCall(
  { metrics, sourceLabel }: RegistryContents,
  event: EventOf<"accepted" | "duplicate" | "suppressed" | "refused" | "shed">,
): void {
  const isFiltered = event.kind === "accepted" && event.deliveries.length === 0;
  const calls = event.kind === "shed" ? event.calls : 1;
  metrics.calls.add(calls, sourceLabel(event.source), isFiltered ? "filtered" : event.kind);
  if (event.kind !== "accepted" || event.warnings === undefined) return;
  for (const { code } of event.warnings) metrics.warnings.add(1, sourceLabel(event.source), code);
}

function recordDelivery(
  { metrics, destinationLabel }: RegistryContents,
  event: EventOf<
    "attempted" | "delivered" | "rescheduled" | "replayed" | "died" | "stale" | "local-fault" | "lane-held" | "ended"
  >,
): void {
  const label = destinationLabel(event.destination);
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
  const outcome = result.kind === "answered" ? statusLabel(result.status) : result.fault;
  metrics.attempts.record(durationMs / MS_PER_SECOND, label, outcome);
}

function recordWork(
  { metrics, audienceLabel, routeLabel }: RegistryContents,
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
      metrics.answers.record(event.ms / MS_PER_SECOND, routeLabel(event.route), statusLabel(event.status));
      return;
    case "store-fault":
      metrics.storeFaults.add(1, event.code);
      return;
    case "synced":
      recordSync(metrics, audienceLabel(event.audience), event.report);
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

/** The statuses that HTTP's registry names, and those that proxies use: each is a label. */
const NAMED_STATUSES: ReadonlySet<number> = new Set([
  ...[200, 201, 202, 203, 204, 205, 206, 207, 208, 226],
  ...[300, 301, 302, 303, 304, 305, 307, 308],
  ...[400, 401, 402, 403, 404, 405, 406, 407, 408, 409, 410, 411, 412, 413, 414, 415, 416, 417],
  ...[418, 421, 422, 423, 424, 425, 426, 428, 429, 431, 451, 499],
  ...[500, 501, 502, 503, 504, 505, 506, 507, 508, 510, 511, 520, 521, 522, 523, 524, 525, 526],
]);

const STATUS_LABELS: ReadonlyMap<number, string> = new Map(
  [...NAMED_STATUSES].map((status) => [status, String(status)]),
);

/** `"503"`; of a status that HTTP does not name, its class, as `"5xx"`. */
function statusLabel(status: number): string {
  return STATUS_LABELS.get(status) ?? `${String(Math.floor(status / 100) % 10)}xx`;
}
