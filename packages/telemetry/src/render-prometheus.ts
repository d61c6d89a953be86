// Writes a snapshot in Prometheus' text format 0.0.4: names by the rules that map OpenTelemetry's to it, escaped texts, and
// buckets that are cumulative. Does not know what is measured.

import type { HistogramPoint, MetricFamily, MetricLabels, MetricsSnapshot } from "./metrics-snapshot.js";

/** The `Content-Type` of what `renderPrometheus` writes. */
export const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

const SUFFIXES = { s: "_seconds", By: "_bytes" } as const;

/** The snapshot in Prometheus' text format 0.0.4. Families without points are left out. */
export function renderPrometheus({ families }: MetricsSnapshot): string {
  return families
    .filter(({ points }) => points.length > 0)
    .map(familyText)
    .join("");
}

function familyText(family: MetricFamily): string {
  const name = nameOf(family);
  const lines = [`# HELP ${name} ${escaped(family.help)}`, `# TYPE ${name} ${family.kind}`];
  if (family.kind === "histogram") {
    const bounds = [...family.bounds, Infinity].map((bound) => `le="${numberText(bound)}"} `);
    for (const point of family.points) histogramLines(lines, { name, bounds, point });
  } else {
    for (const { labels, value } of family.points)
      lines.push(`${name}${braced(labelsText(labels))} ${numberText(value)}`);
  }
  return `${lines.join("\n")}\n`;
}

/** Dots become underscores; the unit follows if the name does not end in it, and after that `_total` of a counter. */
function nameOf({ name, unit, kind }: MetricFamily): string {
  const base = name.replaceAll(".", "_");
  const suffix = unit === undefined || base.endsWith(SUFFIXES[unit]) ? "" : SUFFIXES[unit];
  return `${base}${suffix}${kind === "counter" ? "_total" : ""}`;
}

interface PointOfFamily {
  readonly name: string;
  /** The end of the labels of each bucket: one for each of `point.counts`, written once for all points. */
  readonly bounds: readonly string[];
  readonly point: HistogramPoint;
}

function histogramLines(lines: string[], { name, bounds, point }: PointOfFamily): void {
  const labels = labelsText(point.labels);
  const bucketStart = `${name}_bucket{${labels}${labels === "" ? "" : ","}`;
  let count = 0;
  for (const [bucket, bound] of bounds.entries()) {
    count += point.counts[bucket] ?? 0;
    lines.push(`${bucketStart}${bound}${String(count)}`);
  }
  lines.push(
    `${name}_sum${braced(labels)} ${numberText(point.sum)}`,
    `${name}_count${braced(labels)} ${String(count)}`,
  );
}

function labelsText(labels: MetricLabels): string {
  return labels
    .map(([name, value]) => `${name.replaceAll(".", "_")}="${escaped(value).replaceAll('"', '\\"')}"`)
    .join(",");
}

function braced(labels: string): string {
  return labels === "" ? "" : `{${labels}}`;
}

/** Of the line ends only the line feed ends a line of this format. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}

function numberText(value: number): string {
  if (value === Infinity) return "+Inf";
  return value === -Infinity ? "-Inf" : String(value);
}
