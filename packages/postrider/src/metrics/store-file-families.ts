// How large the files of a store are, and how much room their disk has. Asks the file system alone, never the store.

import { stat, statfs } from "node:fs/promises";
import { dirname } from "node:path";
import type { MetricFamily } from "@postrider/telemetry";
import { gauge, type ReadFamilies } from "./program-families.js";

/** The ends of the names of SQLite's files: the database, and the log of what is not in it yet. */
const FILES = { db: "", wal: "-wal" } as const;

/** `path` is that of the database. A file that does not exist has no point: SQLite makes and removes its log. */
export function createStoreFileFamilies(path: string): ReadFamilies {
  return async () => {
    const sizes = await Promise.all(
      Object.entries(FILES).map(async ([file, end]) => ({ file, bytes: await bytesOf(`${path}${end}`) })),
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
