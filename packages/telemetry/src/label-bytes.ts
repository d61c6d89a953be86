// The text of the labels of a point, as bytes. Points keep their labels from one snapshot to the next, so that each is written once.

import type { MetricLabels } from "./metrics-snapshot.js";

const written = new WeakMap<MetricLabels, Uint8Array>();
const encoder = new TextEncoder();

/** `destination="crm",outcome="delivered"`: without braces, empty without labels. */
export function labelBytes(labels: MetricLabels): Uint8Array {
  const known = written.get(labels);
  if (known !== undefined) return known;
  const bytes = encoder.encode(labels.map(labelText).join(","));
  written.set(labels, bytes);
  return bytes;
}

function labelText([name, value]: MetricLabels[number]): string {
  return `${name.replaceAll(".", "_")}="${escaped(value).replaceAll('"', '\\"')}"`;
}

/** Of the line ends only the line feed ends a line of these formats. */
export function escaped(text: string): string {
  return text.replaceAll("\\", "\\\\").replaceAll("\n", "\\n");
}
