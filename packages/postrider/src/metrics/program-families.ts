// The metrics that a registry of events cannot have: of the process, its callers, its settings, the files of the store and requests to
// delete. They are families like its own, and are read at each scrape; a value that is not there in time is left out.

import type { CallerUsage } from "@postrider/http/api";
import type { Clock } from "@postrider/core";
import type { Relay } from "@postrider/relay";
import type { MetricFacts, MetricFamily, MetricLabels, NumberFamily } from "@postrider/relay/metrics";
import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import { resolvesWithin } from "../timing/within.js";

/** Reads some metrics. If it rejects, they are left out. */
export type ReadFamilies = () => readonly MetricFamily[] | Promise<readonly MetricFamily[]>;

/** The longest wait for a disk or a store, whose metrics are left out then: a collector waits for 10 s by default, and wants the rest. */
const READ_LIMIT_MS = 500;

/** The most requests that are counted: the newest. */
const MAX_COUNTED = 1_000;

const MS_PER_SECOND = 1_000;

const US_PER_SECOND = 1_000_000;

const SETTINGS_REVISION = {
  name: "postrider.settings.revision",
  help: "The revision of the store's settings that is in force; 0 before the first. None if the file owns them.",
};

/** The ends of the names of SQLite's files: the database, and the log of what is not in it yet. */
const STORE_FILES = { db: "", wal: "-wal" } as const;

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

/** The version of the program. */
export function createBuildFamilies(version: string): ReadFamilies {
  return () => [
    gauge({ name: "postrider.build_info", help: "1; its label is the version." }, 1, [["version", version]]),
  ];
}

/** To be created when the process starts: this is its time of start. */
export function createProcessFamilies(clock: Pick<Clock, "wall">): ReadFamilies {
  const startedAt = clock.wall() / MS_PER_SECOND;
  return () => [
    cpuSeconds(),
    gauge(
      { name: "process.resident_memory", help: "Memory that the process has in use.", unit: "By" },
      process.memoryUsage.rss(),
    ),
    gauge({ name: "process.start_time", help: "When the server was started, since 1970.", unit: "s" }, startedAt),
  ];
}

/** User and system time of all threads. */
function cpuSeconds(): NumberFamily {
  const { user, system } = process.cpuUsage();
  const points = [{ labels: [], value: (user + system) / US_PER_SECOND }];
  return { name: "process.cpu", help: "CPU that the process has used.", unit: "s", kind: "counter", points };
}

/** The connections and memory that callers use now. */
export function createCallerFamilies(held: () => CallerUsage): ReadFamilies {
  return () => {
    const { connections, bytes } = held();
    return [
      gauge({ name: "postrider.connections", help: "Connections of callers." }, connections),
      gauge({ name: "postrider.ingest.held", help: "Bytes of request bodies in memory.", unit: "By" }, bytes),
    ];
  };
}

/** `inForce` is undefined if the settings are those of a file. */
export function createSettingsFamilies({ inForce }: { readonly inForce: () => number | undefined }): ReadFamilies {
  return () => [gauge(SETTINGS_REVISION, inForce())];
}

/** Unfinished requests about users, and the age of the oldest: one query of the store. None if the store does not answer it. */
export function createDeletionFamilies(
  relay: Pick<Relay, "deletionRequests">,
  clock: Pick<Clock, "wall">,
): ReadFamilies {
  return async () => {
    const page = await relay.deletionRequests({ unfinished: true, limit: MAX_COUNTED });
    if (page.isErr()) return [];
    const { deletions } = page.value;
    const ages = deletions.map(({ requestedAt }) => (clock.wall() - requestedAt) / MS_PER_SECOND);
    return [
      gauge({ name: "postrider.deletions.unfinished", help: "Requests about users to finish." }, deletions.length),
      gauge(
        // Below 0 only if the clock was set back since.
        { name: "postrider.deletions.oldest", help: "Age of the oldest unfinished one, or 0.", unit: "s" },
        Math.max(0, ...ages),
      ),
    ];
  };
}

/**
 * Asks the file system alone, never the store. `path` is that of the database. A file that does not exist has no point: SQLite makes
 * and removes its log.
 */
export function createStoreFileFamilies(path: string): ReadFamilies {
  return async () => {
    const sizes = await Promise.all(
      Object.entries(STORE_FILES).map(async ([file, end]) => ({ file, bytes: await bytesOf(`${path}${end}`) })),
    );
    const points = sizes.flatMap(({ file, bytes }) =>
      bytes === undefined ? [] : [{ labels: [["file", file]] as const, value: bytes }],
    );
    const files = { name: "postrider.store.file", help: "Bytes of the files of the store.", unit: "By" } as const;
    return [{ ...files, kind: "gauge", points }, await diskFree(path)];
  };
}

async function bytesOf(path: string): Promise<number | undefined> {
  try {
    return (await stat(path)).size;
  } catch {
    return undefined;
  }
}

async function diskFree(path: string): Promise<MetricFamily> {
  const facts = { name: "postrider.store.disk_free", help: "Bytes that its disk has left.", unit: "By" } as const;
  try {
    const { bavail, bsize } = await statfs(dirname(path));
    return gauge(facts, bavail * bsize);
  } catch {
    return gauge(facts, undefined);
  }
}
