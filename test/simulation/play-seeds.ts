// Plays seeds in a child process, and reads its results.

import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";

export interface Played {
  readonly seeds: number;
  readonly calls: number;
  readonly deliveries: number;
  readonly requests: number;
  readonly processes: number;
  readonly virtualMs: number;
  readonly cpuMs: number;
  /** Those of the first seeds. */
  readonly traces: string;
  readonly failed: readonly { readonly seed: number; readonly checks: readonly string[]; readonly message: string }[];
}

export interface Seeds {
  readonly from: number;
  readonly until: number;
  /** The step from one seed to the next. */
  readonly step?: number;
  readonly stopsAtFirst?: boolean;
  /** Whether several servers are played. */
  readonly fleets?: boolean;
  /** True if only those seeds are played that draw faults that meet, or a store that takes longer. */
  readonly meeting?: boolean;
}

/** The program over the build of this workspace. */
export const PROGRAM: string = fileURLToPath(new URL("programs/play-seeds.js", import.meta.url));

/** With room for a few simulations, most of what one has made is gone when garbage is collected, and is not copied. */
const YOUNG_SPACE = ["--min-semi-space-size=32", "--max-semi-space-size=32"];

const MAX_OUTPUT_BYTES = 64_000_000;

export function playSeeds(program: string, { from, until, step = 1, ...choices }: Seeds): Promise<Played> {
  const flags = Object.entries({ stop: choices.stopsAtFirst, fleets: choices.fleets, meeting: choices.meeting });
  const chosenFlags = flags.filter(([, isChosen]) => isChosen === true).map(([flag]) => flag);
  const words = [...YOUNG_SPACE, program, from, until, step, ...chosenFlags].map(String);
  return new Promise((resolve, reject) => {
    execFile(process.execPath, words, { maxBuffer: MAX_OUTPUT_BYTES }, (error, stdout, stderr) => {
      if (error !== null) reject(new Error(`${error.message}\n${stderr}`));
      else resolve(JSON.parse(stdout) as Played);
    });
  });
}
