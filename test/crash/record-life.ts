// Records a life of the real server: all changes of its file, and its answers and requests meanwhile. It starts on an empty
// folder, ends once normally, once by kill -9, and then delivers the rest. At the end of each process the recorded steps
// must lead to exactly the bytes in the folder, otherwise the recording is invalid.

import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createSeededRandom } from "@postrider/memory";
import { tempFolder } from "../postrider/config-file.js";
import { until } from "../end-to-end/receiver.js";
import { serve } from "../end-to-end/server-process.js";
import { createDisk, type Disk } from "./disk.js";
import type { Sightings } from "./sightings.js";
import { type DiskStep, parseTrace, type Step, STRACE } from "./parse-trace.js";
import { type Alteration, allSettled, alteredBy, createSite, DATABASE, type Site } from "./site.js";

const CALLERS = 4;
const MAX_TRIES = 3;

export interface RecordOptions {
  /** The calls in each of the three parts of the life. */
  readonly calls: number;
  readonly alterations?: readonly Alteration[];
}

export type LifeStep = Step | { readonly kind: "killed" };

export interface RecordedLife {
  readonly steps: readonly LifeStep[];
  readonly made: ReadonlySet<string>;
  readonly sightings: Sightings;
}

export async function recordLife(options: RecordOptions): Promise<RecordedLife> {
  for (let tries = 1; tries <= MAX_TRIES; tries += 1) {
    const life = await recordOnce(options);
    if (life !== undefined) return life;
  }
  throw new Error("the recording differs from the folder, each time");
}

/** Undefined if the kill came after a write and before the tracer logged it, so that the two differ. */
async function recordOnce({ calls, alterations = [] }: RecordOptions): Promise<RecordedLife | undefined> {
  const site = await createSite();
  const folder = dirname(site.file);
  const disk = createDisk();
  const part = async (name: string, count: number, live: Part): Promise<readonly Step[]> => {
    const log = join(tempFolder(), name);
    const options = alteredBy(["checkpoint-pages", ...alterations]);
    const server = await serve(site.config, { ...options, command: [...STRACE, "-o", log] });
    await site.callers.callUntilGone(server.url, CALLERS, count);
    await live(site, server);
    const steps = parseTrace(readFileSync(log, "utf8"), folder);
    for (const step of steps) if (isOfDisk(step)) disk.apply(step);
    return steps;
  };
  const first = await part("first", calls, endInGoodOrder);
  const second = await part("second", 2 * calls, (_, server) => server.kill());
  if (!isAsRecorded(folder, disk)) return undefined;
  const third = await part("third", 3 * calls, endInGoodOrder);
  if (!isAsRecorded(folder, disk)) return undefined;
  const { made } = site.callers;
  return { steps: [...first, ...second, { kind: "killed" }, ...third], made, sightings: site.receivers.sightings };
}

type Part = (site: Site, server: Awaited<ReturnType<typeof serve>>) => Promise<void>;

const endInGoodOrder: Part = async ({ receivers, callers }, server) => {
  await until(() => receivers.haveAll(callers.made), "arrival of all");
  await allSettled(server.url);
  await server.end();
};

/** Whether the step changes the disk; the other steps are answers and requests. */
export function isOfDisk(step: LifeStep): step is DiskStep {
  return step.kind !== "answered" && step.kind !== "requested" && step.kind !== "killed";
}

function isAsRecorded(folder: string, disk: Disk): boolean {
  const image = disk.cut("all", createSeededRandom(0));
  const present = readdirSync(folder).filter((name) => name.startsWith(DATABASE) && !name.endsWith("-shm"));
  return [...new Set([...image.keys(), ...present])].every(
    (name) => present.includes(name) && image.get(name)?.equals(readFileSync(join(folder, name))) === true,
  );
}
