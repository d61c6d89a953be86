// The two text formats that Prometheus reads, and which of them a reader wants: the names of families, the lines before
// their points, and the text of labels, as bytes. The points themselves are the same in both.

import type { MetricFamily, MetricLabels } from "./metrics-snapshot.js";

/** The differences between the formats. */
export interface ExpositionFormat {
  readonly contentType: string;
  /** The lines before the points of a family, each with its end. */
  readonly head: (family: MetricFamily) => string;
  /** The line after all families. */
  readonly end: string;
}

/** The `Content-Type` of the text of `renderPrometheus`. */
export const PROMETHEUS_CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8";

/** The `Content-Type` of OpenMetrics, version 1.0.0. */
const OPENMETRICS_CONTENT_TYPE = "application/openmetrics-text; version=1.0.0; charset=utf-8";

const SUFFIXES = { s: "_seconds", By: "_bytes" } as const;

/** Prometheus' text format 0.0.4. */
export const PROMETHEUS: ExpositionFormat = {
  contentType: PROMETHEUS_CONTENT_TYPE,
  head: (family) => {
    const name = sampleName(family);
    return `# HELP ${name} ${escaped(family.help)}\n# TYPE ${name} ${family.kind}\n`;
  },
  end: "",
};

/** OpenMetrics 1.0: families are named without `_total` and have a unit, and quotes in help texts are escaped. */
const OPENMETRICS: ExpositionFormat = {
  contentType: OPENMETRICS_CONTENT_TYPE,
  head: (family) => {
    const name = familyName(family);
    const unit = family.unit === undefined ? "" : `# UNIT ${name} ${SUFFIXES[family.unit].slice(1)}\n`;
    const help = escaped(family.help).replaceAll('"', '\\"');
    return `# TYPE ${name} ${family.kind}\n${unit}# HELP ${name} ${help}\n`;
  },
  end: "# EOF\n",
};

/** The name of the lines of a family: of a counter, with `_total`. */
export function sampleName(family: MetricFamily): string {
  return `${familyName(family)}${family.kind === "counter" ? "_total" : ""}`;
}

/** Dots become underscores; the unit follows if the name does not end in it. */
function familyName({ name, unit }: MetricFamily): string {
  const base = name.replaceAll(".", "_");
  return unit === undefined || base.endsWith(SUFFIXES[unit]) ? base : `${base}${SUFFIXES[unit]}`;
}

/** OpenMetrics if `accept`, the header of a request, names its version 1.0.0, and does not prefer the other format. */
export function acceptedFormat(accept: string | undefined): ExpositionFormat {
  const ranges = (accept ?? "").split(",").map(rangeOf);
  const quality = (isWanted: (range: AcceptedRange) => boolean): number =>
    Math.max(0, ...ranges.filter(isWanted).map((range) => range.quality));
  const openMetrics = quality(({ type, version }) => type === "application/openmetrics-text" && isVersionOne(version));
  const plainText = quality(({ type, version }) => type === "text/plain" && (version ?? "0.0.4") === "0.0.4");
  return openMetrics > 0 && openMetrics >= plainText ? OPENMETRICS : PROMETHEUS;
}

function isVersionOne(version: string | undefined): boolean {
  return version === "1.0.0";
}

interface AcceptedRange {
  readonly type: string;
  readonly version: string | undefined;
  /** 1 if the range says nothing, or nothing that is a number. */
  readonly quality: number;
}

function rangeOf(text: string): AcceptedRange {
  const [type = "", ...parameters] = text.split(";").map((part) => part.trim().toLowerCase());
  const valueOf = (name: string): string | undefined =>
    parameters.find((parameter) => parameter.startsWith(`${name}=`))?.slice(name.length + 1);
  const quality = Number(valueOf("q") ?? 1);
  return { type, version: valueOf("version"), quality: Number.isFinite(quality) ? quality : 1 };
}

const bytesByLabels = new WeakMap<MetricLabels, Uint8Array>();

const encoder = new TextEncoder();

/** `destination="crm",outcome="delivered"`: without braces, empty without labels. Cached by the object, which a registry creates once. */
export function labelBytes(labels: MetricLabels): Uint8Array {
  const cached = bytesByLabels.get(labels);
  if (cached !== undefined) return cached;
  const bytes = encoder.encode(labels.map(labelText).join(","));
  bytesByLabels.set(labels, bytes);
  return bytes;
}

function labelText([name, value]: MetricLabels[number]): string {
  return `${name.replaceAll(".", "_")}="${escaped(value).replaceAll('"', '\\"')}"`;
}

/** Of the line ends only the line feed ends a line of these formats. */
function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
