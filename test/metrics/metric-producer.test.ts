// The metrics of a registry in the structures of OpenTelemetry's SDK: kinds, times, units, and the numbers of the snapshot.

import { destinationId, epochMs, type LaneStatus } from "@postrider/core";
import { createMetricProducer, createRegistry } from "@postrider/relay/metrics";
import { expect, it } from "vitest";

const STARTED = epochMs(1_800_000_000_250);
const NOW = epochMs(1_800_000_060_500);
const TIMES = { startTime: [1_800_000_000, 250_000_000], endTime: [1_800_000_060, 500_000_000] };
const CRM = destinationId("crm");

function laneWith(bytes: number): LaneStatus {
  const about = { lane: CRM, mode: "open", pausedBy: [], endpointHolds: [] } as const;
  return { ...about, deliveries: 0, bytes, inFlight: 0, limit: 0, deaths: 0 };
}

function createScene(lanes: readonly LaneStatus[]) {
  let now = STARTED;
  const registry = createRegistry();
  const producer = createMetricProducer({ registry, lanes: () => lanes, clock: { wall: () => now } });
  now = NOW;
  const metrics = async () => {
    const { resourceMetrics, errors } = await producer.collect();
    expect(errors).toEqual([]);
    expect(resourceMetrics.scopeMetrics.map(({ scope }) => scope)).toEqual([{ name: "@postrider/relay/metrics" }]);
    return resourceMetrics.scopeMetrics.flatMap((scope) => scope.metrics);
  };
  return { registry, metrics, producer };
}

it("a producer has no metric that has no points", async () => {
  expect(await createScene([]).metrics()).toEqual([]);
});

it("a producer has counters, gauges and histograms since its start, each with its unit and its labels", async () => {
  const { registry, metrics } = createScene([laneWith(4_096)]);
  for (let count = 0; count < 3; count += 1) registry.observe({ kind: "store-fault", code: "busy", at: NOW });
  for (const overdueMs of [4, 90, 7_200_000]) {
    registry.observe({ kind: "claimed", destination: CRM, deliveries: 1, overdueMs, at: NOW });
  }
  const produced = new Map((await metrics()).map((metric) => [metric.descriptor.name, metric]));
  expect(produced.get("postrider.store.faults")).toMatchObject({
    descriptor: { unit: "1", valueType: 1, description: expect.stringContaining("store") as string },
    ...{ dataPointType: 3, isMonotonic: true, aggregationTemporality: 1 },
    dataPoints: [{ ...TIMES, attributes: { code: "busy" }, value: 3 }],
  });
  expect(produced.get("postrider.lane.bytes")).toMatchObject({
    ...{ descriptor: { unit: "By" }, dataPointType: 2, aggregationTemporality: 1 },
    dataPoints: [{ ...TIMES, attributes: { destination: "crm" }, value: 4_096 }],
  });
  const overdue = produced.get("postrider.claim.overdue");
  expect(overdue).toMatchObject({ descriptor: { unit: "s" }, dataPointType: 0 });
  const [point] = overdue?.dataPointType === 0 ? overdue.dataPoints : [];
  expect(point).toMatchObject({ ...TIMES, attributes: {}, value: { sum: 7_200.094, count: 3 } });
  const { boundaries = [], counts = [] } = point?.value.buckets ?? {};
  expect(counts.flatMap((count, index) => Array<unknown>(count).fill(boundaries[index]))).toEqual([
    0.005,
    0.1,
    undefined,
  ]);
});

it("a producer leaves the resource to the reader", async () => {
  const { resource } = (await createScene([]).producer.collect()).resourceMetrics;
  const other = { attributes: { "service.name": "a" } };
  expect(resource.merge(other)).toBe(other);
  expect([resource.attributes, resource.getRawAttributes()]).toEqual([{}, []]);
});
