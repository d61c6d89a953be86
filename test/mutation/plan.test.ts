// What is played where, and what becomes of a journal: a mutant that is lost on the way would count as noticed or not at random.

import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { LIMITS, type Play, planStages, type Reach } from "./plan.js";
import { type Entry, leftOf, verdictsOf } from "./verdicts.js";

const PATH = "test/a.test.ts";

function reach(given: Partial<Reach> = {}): Reach {
  return { path: PATH, loading: {}, hooks: {}, tests: [], ...given };
}

function test(id: string, hits: Readonly<Record<string, number>>, ms = 10): Reach["tests"][number] {
  return { id, name: `test ${id}`, ms, hits };
}

const mutant = (id: string, file = "src/a.ts"): { readonly id: string; readonly file: string } => ({ id, file });
const plays = (all: readonly Reach[], ...mutants: readonly ReturnType<typeof mutant>[]): readonly (readonly Play[])[] =>
  planStages(mutants, all).map((stage) => stage.flatMap((file) => file.plays));

describe("a plan", () => {
  it("plays a mutant in the tests that reach it, with separate limits", () => {
    const [near, far] = plays(
      [reach({ tests: [test("x", { 1: 3 }, 100), test("y", {}), test("z", { 1: 4 }, 40)] })],
      mutant("1"),
    );
    const { hits, moreOften, testMs, fileMs, slower } = LIMITS;
    expect(near).toEqual([
      {
        ...{ id: "1", isFresh: false, tests: ["x", "z"] },
        ...{ hitLimit: hits + moreOften * 7, testMs: testMs + slower * 100, fileMs: fileMs + slower * 140, ms: 140 },
      },
    ]);
    expect(far).toEqual([]);
  });

  it("plays in all tests of a file what its hooks reach, and anew what has an effect while modules load", () => {
    const tests = [test("x", { 1: 1, 2: 1 })];
    const [near] = plays([reach({ tests, hooks: { 1: 1 }, loading: { 2: 1 } })], mutant("1"), mutant("2"));
    expect(near).toMatchObject([
      { id: "1", isFresh: false, tests: null },
      { id: "2", isFresh: true, tests: null },
    ]);
  });

  it("plays what is only loaded first where its source runs, and then wherever it is loaded", () => {
    const runs = reach({ path: "test/runs.test.ts", loading: { 1: 1 }, tests: [test("x", { 2: 1 }, 90)] });
    const loads = reach({ path: "test/loads.test.ts", loading: { 1: 1 }, tests: [test("y", {}, 5)] });
    const stages = planStages([mutant("1"), mutant("2"), mutant("3")], [runs, loads]);
    const told = stages.map((stage) => stage.map(({ path, plays: all }) => [path, ...all.map(({ id }) => id)]));
    expect(told).toEqual([[["test/runs.test.ts", "1", "2"]], [["test/loads.test.ts", "1"]]]);
  });

  it("begins with the quick files", () => {
    const files = [30, 10, 20].map((ms) => reach({ path: String(ms), tests: [test("x", { 1: 1 }, ms)] }));
    expect(planStages([mutant("1")], files)[0]?.map(({ path }) => path)).toEqual(["10", "20", "30"]);
  });
});

describe("a journal", () => {
  const [stage = []] = planStages([mutant("1"), mutant("2")], [reach({ tests: [test("x", { 1: 1, 2: 1 })] })]);
  const began = (id: string): Entry => ({ path: PATH, id, began: true });
  const survived = (id: string, hits = 1): Entry => ({ path: PATH, id, verdict: "survived", isNoticed: false, hits });
  const killed = (id: string): Entry => ({ path: PATH, id, verdict: "killed", isNoticed: true, hits: 1, by: "test x" });
  const left = (...entries: readonly Entry[]): readonly (readonly [string, boolean | undefined])[] =>
    leftOf(stage, entries).flatMap((file) => file.plays.map(({ id, isAlone }) => [id, isAlone] as const));
  const kinds = (...entries: readonly Entry[]): readonly string[] =>
    [...verdictsOf([mutant("1"), mutant("2")], entries).values()].map(({ kind }) => kind);

  it("leaves what has no verdict, and nothing that has been noticed elsewhere", () => {
    expect(left()).toEqual([
      ["1", false],
      ["2", false],
    ]);
    expect(left(began("1"), survived("1"))).toEqual([["2", false]]);
    expect(left({ ...killed("2"), path: "test/other.test.ts" })).toEqual([["1", false]]);
  });

  it("leaves a mutant that has ended its process to a separate process, and that only once", () => {
    expect(left(began("1"))).toEqual([
      ["1", true],
      ["2", false],
    ]);
    expect(left(began("1"), began("1"))).toEqual([["2", false]]);
    expect(kinds(began("1"), began("1"), survived("2"))).toEqual(["killed", "survived"]);
    expect(kinds(began("1"), began("1"), survived("1"), survived("2"))).toEqual(["survived", "survived"]);
  });

  it("counts a mutant whose code never ran as not reached, whatever its tests did", () => {
    expect(kinds(survived("1", 0), survived("2", 0), survived("2", 3))).toEqual(["not reached", "survived"]);
    expect(kinds()).toEqual(["not reached", "not reached"]);
  });

  it("forgets nothing that was noticed once", () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(began("1"), survived("1"), began("2"), survived("2"))),
        fc.nat(),
        (all, at) => {
          const entries = [...all.slice(0, at), killed("1"), ...all.slice(at)];
          expect(kinds(...entries)[0]).toBe("killed");
          expect(left(...entries).map(([id]) => id)).not.toContain("1");
        },
      ),
    );
  });
});
