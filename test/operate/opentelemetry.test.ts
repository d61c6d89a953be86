// OpenTelemetry's real SDK reads a registry as a metric producer, and gets the numbers that Prometheus gets.

import { spawnSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { epochMs } from "@postrider/core";
import { createMetricProducer, createRegistry, type MetricFamily, renderPrometheus } from "@postrider/relay/metrics";
import { expect, it } from "vitest";
import { ROOT } from "../house/packages.js";
import { readMetrics, type ReadMetric } from "../programs/opentelemetry/read-metrics.js";
import { parseExposition } from "../metrics/parse-exposition.js";
import { playLife } from "../metrics/simulated-life.js";

const STARTED = epochMs(1_800_000_000_250);
const NOW = epochMs(1_800_000_060_500);

it("reads the counts of simulated lives as Prometheus does", async () => {
  for (const seed of [1, 2, 3]) {
    const { events, host } = await playLife(seed);
    const registry = createRegistry();
    let now = STARTED;
    const lanes = () => host.relay().lanes();
    const producer = createMetricProducer({ registry, lanes, clock: { wall: () => now } });
    for (const event of events) registry.observe(event);
    now = NOW;
    const { metrics, errors, resource } = await readMetrics(producer);
    expect(errors).toEqual([]);
    expect(resource).toHaveProperty("service.name");
    const { families } = registry.snapshot(lanes(), NOW);
    const ours = metrics.filter(({ scope }) => scope === "@postrider/relay/metrics");
    expect(ours).toEqual(families.filter(({ points }) => points.length > 0).map(expected));
    expect(metrics.find(({ name }) => name === "own")).toMatchObject({ scope: "own", points: [{ value: 3 }] });
    expect(samplesOf(ours)).toBe(samplesInText(renderPrometheus({ families })));
  }
});

const AS_PRODUCER = `
  import type { MetricProducer } from "@opentelemetry/sdk-metrics";
  import type { createMetricProducer } from ${JSON.stringify(`${ROOT}/packages/relay/dist/metrics/index.js`)};
  declare const ours: ReturnType<typeof createMetricProducer>;
  export const theirs: MetricProducer = ours;
`;

it("is a MetricProducer for the type checker", () => {
  const folder = `${ROOT}/test/programs/opentelemetry`;
  // Beside the packages that it imports; they are not installed when the tests themselves are compiled.
  const file = `${folder}/node_modules/as-producer.mts`;
  writeFileSync(file, AS_PRODUCER);
  const words = ["--ignoreConfig", "--noEmit", "--strict", "--module", "nodenext", "--skipLibCheck", file];
  const { status, stdout } = spawnSync(`${ROOT}/node_modules/.bin/tsc`, words, { cwd: folder });
  expect([status, String(stdout)]).toEqual([0, ""]);
});

const KINDS = { counter: "SUM", gauge: "GAUGE", histogram: "HISTOGRAM" } as const;

function expected(family: MetricFamily): ReadMetric {
  const { name, unit = "1", kind } = family;
  const times = { startTime: [1_800_000_000, 250_000_000], endTime: [1_800_000_060, 500_000_000] } as const;
  const facts = { scope: "@postrider/relay/metrics", name, unit, kind: KINDS[kind], temporality: "CUMULATIVE" };
  if (family.kind !== "histogram") {
    const points = family.points.map(({ labels, value }) => ({
      ...times,
      attributes: Object.fromEntries(labels),
      value,
    }));
    return { ...facts, points };
  }
  const { bounds } = family;
  const points = family.points.map(({ labels, counts, sum }) => {
    const count = counts.reduce((total, one) => total + one, 0);
    const value = { buckets: { boundaries: bounds, counts }, sum, count };
    return { ...times, attributes: Object.fromEntries(labels), value };
  });
  return { ...facts, points };
}

/** The sum of all counters and of all counts of histograms: the same in both expositions. */
function samplesOf(metrics: readonly ReadMetric[]): number {
  const counted = metrics.filter(({ kind }) => kind !== "GAUGE").flatMap(({ points }) => points);
  return counted.reduce((sum, { value }) => sum + (typeof value === "number" ? value : countOf(value)), 0);
}

function countOf(value: unknown): number {
  return (value as { readonly count: number }).count;
}

function samplesInText(text: string): number {
  const samples = parseExposition(text).flatMap((family) => family.samples);
  return samples.filter(({ name }) => /_(total|count)$/.test(name)).reduce((sum, { value }) => sum + value, 0);
}
