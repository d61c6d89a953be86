// The conditions of a figure: the machine, its load, the versions, and how long a sync of its disk takes.

import { readFileSync, closeSync, fsyncSync, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { cpus, loadavg, tmpdir, totalmem } from "node:os";
import { join } from "node:path";
import { now } from "./now.js";
import { CORES } from "./settings.js";
import { quantile } from "./statistics.js";

const SYNCS = 200;

export function describeMachine({ redis, postgres }) {
  const load = loadavg()
    .map((value) => value.toFixed(1))
    .join(", ");
  const versions = ["undici", "bullmq", "pg-boss", "plainjob"].map((name) => `${name} ${versionOf(name)}`);
  return [
    `Node ${process.version}, ${CORES} cores (${cpus()[0].model.trim()}), ${Math.round(totalmem() / 1e9)} GB`,
    `load ${load} before; a sync takes ${syncMs().toFixed(2)} ms (median)`,
    [...versions, `Redis ${redis.version ?? "missing"}`, `PostgreSQL ${postgres.version ?? "missing"}`].join(", "),
  ].join("\n");
}

export function load() {
  return loadavg()[0].toFixed(1);
}

function versionOf(name) {
  const manifest = new URL(`../../node_modules/${name}/package.json`, import.meta.url);
  return JSON.parse(readFileSync(manifest, "utf8")).version;
}

function syncMs() {
  const folder = mkdtempSync(join(tmpdir(), "postrider-bench-sync-"));
  const file = openSync(join(folder, "file"), "w");
  const block = Buffer.alloc(4_096, 1);
  const times = Array.from({ length: SYNCS }, () => {
    const before = now();
    writeSync(file, block);
    fsyncSync(file);
    return now() - before;
  });
  closeSync(file);
  rmSync(folder, { recursive: true, force: true });
  return quantile(times, 0.5);
}
