// The metrics that a registry of events cannot have: of the process, the files of the store, requests to delete. They are
// families like its own, and are read at each scrape. Does not know what the parts measure.

import type { Clock } from "@postrider/core";
import type { MetricFamily, MetricFacts, MetricLabels, NumberFamily } from "@postrider/telemetry";
import { resolvesWithin } from "../timing/within.js";

/** Reads some metrics. If it rejects, they are left out. */
export type ReadFamilies = () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;

/** What a disk or a store has not told by then is left out: a collector waits for 10 s by default, and wants the rest. */
const READ_LIMIT_MS = 500;

/** Reads all parts at once, in their order. */
export function createProgramFamilies(
  parts: readonly ReadFamilies[],
  clock: Pick<Clock, "after">,
): () => Promise<readonly MetricFamily[]> {
  return async () => (await Promise.all(parts.map((read) => readInTime(read, clock)))).flat();
}

async function readInTime(read: ReadFamilies, clock: Pick<Clock, "after">): Promise<readonly MetricFamily[]> {
  let families: readonly MetricFamily[] = [];
  const reading = (async () => {
    families = await read();
  })();
  await resolvesWithin(clock, READ_LIMIT_MS, reading).catch(() => false);
  return families;
}

/** A gauge of one point, or of none if its value is not known. */
export function gauge(facts: MetricFacts, value: number | undefined, labels: MetricLabels = []): NumberFamily {
  return { ...facts, kind: "gauge", points: value === undefined ? [] : [{ labels, value }] };
}
