// Decisions whose mutants have each of the verdicts: what `play.test.ts` plays.

export const GREETING = "hello";

export function isLarge(size: number): boolean {
  return size > 10;
}

export function countTo(end: number): number {
  let at = 0;
  while (at < end) at += 1;
  return at;
}

export function countBy(pace: string): number {
  const step = pace === "fast" ? 2 : 1;
  let at = 0;
  // With a step of 1 this goes round forever, though its code is unchanged.
  for (let left = 4; left > 0; left = Math.floor(left / step)) if ((at = at | left) < 0) break;
  return at;
}

export function whenOn(lamps: number): Promise<void> {
  return lamps > 0 ? Promise.resolve() : new Promise(() => undefined);
}

const given: string[] = [];

/** What it was given once, it keeps. */
export function giveOnce(word: string): boolean {
  if (word === "") given.push(word);
  return given.length === 0;
}

export function neverCalled(): string {
  return "nothing";
}

export function reportLater(faults: number): void {
  if (faults > 0) void Promise.reject(new Error("no test hears of it"));
}
