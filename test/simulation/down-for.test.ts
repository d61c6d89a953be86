import { describe, expect, it } from "vitest";
import { read } from "../house/packages.js";
import { downFor, type Fate, PENDING_KINDS, type Pending } from "./down-for.js";

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const COUNT = 30;
/** The longest that a retry waits by the default policy: 15 min and half as much again. */
const LONGEST_MS = 22.5 * MINUTE_MS;

const DOWN = {
  "1 min": MINUTE_MS,
  "3 h 59": 4 * HOUR_MS - MINUTE_MS,
  "4 h 01": 4 * HOUR_MS + MINUTE_MS,
  "30 d": 30 * 24 * HOUR_MS,
} as const;
type Down = keyof typeof DOWN;

/** The deliveries whose window has ended when the process comes back. It began with the first attempt that was recorded. */
const EXPIRED: Readonly<Record<Down, readonly Pending[]>> = {
  "1 min": [],
  "3 h 59": ["tried for three hours"],
  "4 h 01": ["tried once", "in flight for the second time", "tried for three hours"],
  "30 d": ["tried once", "in flight for the second time", "tried for three hours"],
};

const rows: string[] = [];

describe.each(Object.keys(DOWN) as Down[])("a process that was down for %s", (down) => {
  it.each(PENDING_KINDS)("delivers what was %s, unless its window has ended", async (pending) => {
    const fate = await downFor(DOWN[down], pending, COUNT);
    rows.push(rowOf(down, pending, fate));
    if (EXPIRED[down].includes(pending)) {
      expect(fate).toMatchObject({ became: { "dead(expired)": COUNT }, requestsEach: 0, replayed: COUNT });
      return;
    }
    expect(fate).toMatchObject({ became: { delivered: COUNT }, requestsEach: 1 });
    expect(fate.lastMs).toBeLessThan(LONGEST_MS);
    if (pending === "never tried") expect(fate.lastMs).toBeLessThan(1_000);
    if (pending === "in flight for the first time") expect(fate.lastMs).toBeLessThan(31_000);
  });
});

describe("the table of outcomes", () => {
  it("is the one in docs/simulation.md", () => {
    const told = read("docs/simulation.md").replaceAll(/ +/g, " ");
    for (const row of rows) expect(told).toContain(row.replaceAll(/ +/g, " "));
  });
});

function rowOf(down: string, pending: string, fate: Fate): string {
  const outcome = Object.keys(fate.became).join(", ");
  const then = fate.replayed > 0 ? `${outcome}; delivered by a replay` : outcome;
  return `| ${down} | ${pending} | ${then} | ${whenOf(fate)} |`;
}

/** In words, since the instants themselves change with every draw of chance. */
function whenOf({ lastMs }: Fate): string {
  if (lastMs === undefined) return "";
  if (lastMs < 1_000) return "at once";
  return lastMs < 31_000 ? "within 31 s" : "as each is due, within 23 min";
}
