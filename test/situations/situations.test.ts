// Each prepared situation is looked at as an operator would: the commands name what caused it, as data and in words. With
// SITUATIONS_TO=FOLDER what they print is written to files without names, to be given to a person who has to name the cause, and
// FOLDER-key.json says which is which.

import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { join } from "node:path";
import { beforeAll, describe, expect, it } from "vitest";
import { ENDED } from "./ended.js";
import { INTAKE } from "./intake.js";
import { factsOf, look, type Situation } from "./situation.js";
import { TWO_CAUSES } from "./two-causes.js";
import { WAITING } from "./waiting.js";

const ONE_CAUSE = [...ENDED, ...WAITING, ...INTAKE];
const ALL = [...ONE_CAUSE, ...TWO_CAUSES];

const FOLDER = process.env["SITUATIONS_TO"];

beforeAll(() => {
  if (FOLDER !== undefined) mkdirSync(FOLDER, { recursive: true });
});

describe.each([
  ["one cause", ONE_CAUSE],
  ["two causes", TWO_CAUSES],
])("a situation with %s", (_count, situations) => {
  it.each(situations)("is named: $name", async (situation) => {
    const prepared = await situation.prepare();
    const screen = await look(prepared);
    keep(situation, screen);
    expect(await factsOf(prepared)).toEqual([...situation.facts].sort());
    for (const words of situation.says) expect(screen).toMatch(words);
  });
});

describe("the situations", () => {
  it("are as many as were promised, and each has its causes", () => {
    expect(ONE_CAUSE.length).toBeGreaterThanOrEqual(25);
    expect(TWO_CAUSES).toHaveLength(15);
    expect(TWO_CAUSES.filter(({ causes, says }) => causes.length !== 2 || says.length < 2)).toEqual([]);
    expect(new Set(ALL.map(({ name }) => name)).size).toBe(ALL.length);
  });
});

/** Writes a screen to a file whose number says nothing about the situation. */
function keep({ name, causes }: Situation, screen: string): void {
  if (FOLDER === undefined) return;
  const file = `${fileNumber(name)}.txt`;
  writeFileSync(join(FOLDER, file), screen);
  const path = `${FOLDER}-key.json`;
  writeFileSync(path, JSON.stringify({ ...readKey(path), [file]: { name, causes } }, null, 2));
}

function fileNumber(name: string): string {
  const shuffled = ALL.map((one) => one.name).toSorted((one, other) => (digest(one) < digest(other) ? -1 : 1));
  return String(shuffled.indexOf(name) + 1).padStart(2, "0");
}

function digest(text: string): string {
  return createHash("sha256").update(text).digest("hex");
}

function readKey(path: string): object {
  try {
    return JSON.parse(readFileSync(path, "utf8")) as object;
  } catch {
    return {};
  }
}
