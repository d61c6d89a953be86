// Runs a server once for each of its system calls on the disk, with a fault in that one. Prints the answers to callers, the
// answers of health, and the losses.

import { expect, it } from "vitest";
import { canTrace, warnWithoutTrace } from "../../crash/can-trace.js";
import { liveThrough, type LifeTold } from "../disk-scene.js";

const CALLS = 4;
const MAX_LIVES = 400;
/** After this many runs in a row without a fault, all system calls have been tested. */
const UNTOUCHED_IN_A_ROW = 3;

warnWithoutTrace("makes system calls fail");

it.skipIf(!canTrace).each(["fsync,fdatasync:error=EIO", "pwrite64:error=EIO", "pwrite64:error=ENOSPC"])(
  "a fault at each %s loses nothing that was answered",
  async (fault) => {
    const table = new Map<string, number[]>();
    let repeated = 0;
    let untouched = 0;
    for (let place = 1; place <= MAX_LIVES && untouched < UNTOUCHED_IN_A_ROW; place += 1) {
      const told = await liveThrough({ inject: `${fault}:when=${String(place)}`, calls: CALLS });
      repeated += told.repeated;
      untouched = told.kind === "untouched" ? untouched + 1 : 0;
      table.set(lineOf(told), [...(table.get(lineOf(told)) ?? []), place]);
    }
    console.log(`${fault}, ${String(CALLS)} calls in each life; lost 0, sent twice ${String(repeated)}:`);
    for (const [line, places] of table)
      console.log(`  ${String(places.length).padStart(4)} lives: ${line} (at ${span(places)})`);
    expect(table.size).toBeGreaterThan(1);
  },
);

function lineOf({ kind, words, heard, health }: LifeTold): string {
  if (kind === "refused") return `did not start: ${/cannot use the store [^:]*: (.*)/.exec(words)?.[1] ?? words}`;
  const statuses = heard.map(({ status }) => String(status ?? "none")).join(" ");
  return `callers heard ${statuses}; health ${health?.reason ?? "green"}`;
}

function span(places: readonly number[]): string {
  return `${String(places[0])}..${String(places.at(-1))}`;
}
