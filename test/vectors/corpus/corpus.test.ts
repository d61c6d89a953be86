// Checks the promises of the corpus to other implementations: a version, enough cases for each kind of bad input, a
// unique name for each case, and canaries in refused input.

import { describe, expect, it } from "vitest";
import { CALL_FILES, CANARY, type FileName, OTHER_FILES, readCorpus, SETTINGS_FILES } from "./corpus.js";

const FILES: readonly FileName[] = [...CALL_FILES, ...SETTINGS_FILES, ...OTHER_FILES];
const corpus = FILES.map((file) => ({ file, ...readCorpus<{ readonly name: string }>(file) }));

describe("the corpus", () => {
  it.each(corpus)("has a version, ten cases and more, and no name twice: $file", ({ version, about, cases }) => {
    expect(version).toBe(1);
    expect(about).toMatch(/\.$/);
    expect(cases.length).toBeGreaterThanOrEqual(10);
    expect(new Set(cases.map(({ name }) => name)).size).toBe(cases.length);
  });

  it("has 400 cases and more", () => {
    expect(corpus.reduce((sum, { cases }) => sum + cases.length, 0)).toBeGreaterThanOrEqual(400);
  });

  it("plants its canary in many cases, so that an answer which repeats what came in is found", () => {
    const planted = corpus.flatMap(({ cases }) => cases.filter((one) => JSON.stringify(one).includes(CANARY)));
    expect(planted.length).toBeGreaterThanOrEqual(100);
  });
});
