// The counters and histograms that events are recorded in: their names, units, bounds and labels. Which event is recorded in
// which is decided by the registry.

import { type Counter, createCounter, createHistogram, type Histogram, type LabelsOf } from "./instruments.js";
import { COMMIT_SECONDS, COMMIT_SIZES, DELIVERY_SECONDS, HTTP_SECONDS, OVERDUE_SECONDS } from "./limits.js";
import type { MetricLabels } from "./metrics-snapshot.js";

/** The name of the label of a destination. */
export const DESTINATION = "destination";

const FAULT = "error.type";
const STATUS = "http.response.status_code";
const POST: MetricLabels[number] = ["http.request.method", "POST"];

export type EventMetrics = ReturnType<typeof createCounters> & ReturnType<typeof createHistograms>;

/** All metrics of events, each without points. */
export function createEventMetrics(): EventMetrics {
  return { ...createCounters(), ...createHistograms() };
}

function createCounters(): Readonly<Record<CounterName, Counter>> {
  const counter = (name: string, help: string, ...names: readonly string[]): Counter =>
    createCounter({ name: `postrider.${name}`, help }, named(...names));
  return {
    calls: counter("calls", "Calls, by what came of them.", "source", "outcome"),
    warnings: counter("call.warnings", "Warnings about calls that were accepted.", "source", "code"),
    deliveries: counter("deliveries", "Deliveries that have ended, by how.", DESTINATION, "outcome"),
    retries: counter("retries", "Rounds that ended with a further one to come.", DESTINATION),
    replays: counter("replays", "Deliveries that repeat an ended one.", DESTINATION),
    stale: counter("stale_settlements", "Settlements that had no effect, since the lease had ended.", DESTINATION),
    localFaults: counter("local_faults", "Rounds that had only faults of this machine.", DESTINATION),
    holds: counter("lane.holds", "How often a lane was held, since its receiver failed.", DESTINATION),
    storeFaults: counter("store.faults", "Failures of the store, by their code.", "code"),
    notifications: counter("notifications", "Notifications, by what became of them.", "notification", "outcome"),
    audienceChanges: counter("audience.changes", "Users who entered, left or changed by a sync.", "audience", "kind"),
  };
}

function createHistograms(): Readonly<Record<HistogramName, Histogram>> {
  const seconds = (name: string, help: string, bounds: readonly number[], labelsOf: LabelsOf): Histogram =>
    createHistogram({ name, help, unit: "s" }, bounds, labelsOf);
  const size = { name: "postrider.store.commit.size", help: "Calls and settlements that share one commit." };
  return {
    delivered: seconds(
      "postrider.delivery.duration",
      "From acceptance, or replay, until delivered.",
      DELIVERY_SECONDS,
      named(DESTINATION),
    ),
    attempts: seconds("http.client.request.duration", "Attempts, to their status or fault.", HTTP_SECONDS, ofAttempt),
    commits: seconds("postrider.store.commit.duration", "Commits, from request to success.", COMMIT_SECONDS, named()),
    commitSizes: createHistogram(size, COMMIT_SIZES, named()),
    overdue: seconds(
      "postrider.claim.overdue",
      "How long the first delivery of a claim could have been claimed before.",
      OVERDUE_SECONDS,
      named(),
    ),
    answers: seconds(
      "http.server.request.duration",
      "Requests to the HTTP fronts, from body to answer.",
      HTTP_SECONDS,
      named("http.route", STATUS),
    ),
  };
}

type CounterName =
  | "calls"
  | "warnings"
  | "deliveries"
  | "retries"
  | "replays"
  | "stale"
  | "localFaults"
  | "holds"
  | "storeFaults"
  | "notifications"
  | "audienceChanges";
type HistogramName = "delivered" | "attempts" | "commits" | "commitSizes" | "overdue" | "answers";

/** Labels of these names, in this order: at most two. */
function named(...names: readonly string[]): LabelsOf {
  return (...values) => names.map((name, index) => [name, values[index] ?? ""]);
}

/** An attempt has a status, or the fault in place of one: no fault begins with a digit. */
function ofAttempt(destination: string, result: string): MetricLabels {
  return [["postrider.destination", destination], POST, [/^\d/.test(result) ? STATUS : FAULT, result]];
}
