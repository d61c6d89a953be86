// Counts events a second time, one metric after the other and without any state: what a registry must have counted. Shares no
// code with it; the bounds of histograms are taken from the snapshot.

import type { RelayEvent } from "@postrider/relay";
import type { MetricsSnapshot } from "@postrider/relay/metrics";

/** Each point by the name of its metric and its labels. */
export type Counted = Readonly<Record<string, number | Distribution>>;

/** How many values each bucket has, and their sum. */
interface Distribution {
  readonly counts: readonly number[];
  readonly sum: number;
}

type EventOf<Kind extends RelayEvent["kind"]> = Extract<RelayEvent, { readonly kind: Kind }>;

/** What a snapshot says. */
export function pointsOf({ families }: MetricsSnapshot): Counted {
  const points: Record<string, number | Distribution> = {};
  for (const family of families) {
    for (const point of family.points) {
      const key = [family.name, ...point.labels.map(([, value]) => value)].join(" ");
      points[key] = "value" in point ? point.value : { counts: point.counts, sum: point.sum };
    }
  }
  return points;
}

/** What the snapshot has to say after these events. Statuses that HTTP does not name are written as their class. */
export function recount(events: readonly RelayEvent[], { families }: MetricsSnapshot): Counted {
  const counts: Record<string, number> = {};
  const values: Record<string, number[]> = {};
  const add = (key: string, amount = 1): void => void (counts[key] = (counts[key] ?? 0) + amount);
  const record = (key: string, value: number): void => void (values[key] ??= []).push(Math.max(0, value));
  const each = <Kind extends RelayEvent["kind"]>(kind: Kind, count: (event: EventOf<Kind>) => void): void => {
    events.filter((event): event is EventOf<Kind> => event.kind === kind).forEach(count);
  };
  each("accepted", ({ source, deliveries, warnings = [] }) => {
    add(`postrider.calls ${source} ${deliveries.length > 0 ? "accepted" : "filtered"}`);
    for (const { code } of warnings) add(`postrider.call.warnings ${source} ${code}`);
  });
  for (const kind of ["duplicate", "suppressed", "refused"] as const) {
    each(kind, ({ source }) => add(`postrider.calls ${source} ${kind}`));
  }
  each("shed", ({ source, calls }) => add(`postrider.calls ${source} shed`, calls));
  each("delivered", ({ destination, at, acceptedAt }) => {
    add(`postrider.deliveries ${destination} delivered`);
    record(`postrider.delivery.duration ${destination}`, (at - acceptedAt) / 1_000);
  });
  each("died", ({ destination, reason }) => add(`postrider.deliveries ${destination} ${reason}`));
  each("ended", ({ destination, reason, deliveries }) =>
    add(`postrider.deliveries ${destination} ${reason}`, deliveries),
  );
  each("rescheduled", ({ destination }) => add(`postrider.retries ${destination}`));
  each("replayed", ({ destination }) => add(`postrider.replays ${destination}`));
  each("stale", ({ destination }) => add(`postrider.stale_settlements ${destination}`));
  each("local-fault", ({ destination }) => add(`postrider.local_faults ${destination}`));
  each("lane-held", ({ destination }) => add(`postrider.lane.holds ${destination}`));
  each("store-fault", ({ code }) => add(`postrider.store.faults ${code}`));
  each("notification-sent", ({ notification }) => add(`postrider.notifications ${notification} sent`));
  each("notification-failed", ({ notification }) => add(`postrider.notifications ${notification} failed`));
  each("synced", ({ audience, report }) => {
    add(`postrider.audience.changes ${audience} entered`, report.entered);
    add(`postrider.audience.changes ${audience} departed`, report.departed);
    add(`postrider.audience.changes ${audience} changed`, report.changed);
  });
  each("attempted", ({ destination, attempt: { result, durationMs } }) => {
    const how = result.kind === "silent" ? result.fault : statusText(result.status);
    record(`http.client.request.duration ${destination} POST ${how}`, durationMs / 1_000);
  });
  each("committed", ({ ms, calls, settlements }) => {
    record("postrider.store.commit.duration", ms / 1_000);
    record("postrider.store.commit.size", calls + settlements);
  });
  each("claimed", ({ overdueMs }) => record("postrider.claim.overdue", overdueMs / 1_000));
  each("answered", ({ route, status, ms }) =>
    record(`http.server.request.duration ${route} ${statusText(status)}`, ms / 1_000),
  );
  const distributions = Object.entries(values).map(([key, of]) => {
    const family = families.find(({ name }) => name === key.split(" ")[0]);
    return [key, distribution(of, family?.kind === "histogram" ? family.bounds : [])] as const;
  });
  return { ...counts, ...Object.fromEntries(distributions) };
}

function distribution(values: readonly number[], bounds: readonly number[]): Distribution {
  const edges = [-Infinity, ...bounds, Infinity];
  const counts = edges.slice(1).map((edge, index) => values.filter((one) => one > edges[index]! && one <= edge).length);
  return { counts, sum: values.reduce((sum, one) => sum + one, 0) };
}

function statusText(status: number): string {
  return status === 599 ? "5xx" : String(status);
}
