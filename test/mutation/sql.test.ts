// The mutants of SQL fit the sources, and a mutant counts as found only by a test that fails for its sake.

import { existsSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { misfitOf, type Report, SQL_MUTANTS, verdictOf } from "./sql.js";

function reportOf(status: string, ...tests: readonly (readonly [status: string, message?: string])[]): Report {
  const assertionResults = tests.map(([status, message], index) => ({
    ...{ status, title: `test ${String(index)}` },
    failureMessages: message === undefined ? [] : [message],
  }));
  return { testResults: [{ status, assertionResults }] };
}

describe("a mutant of SQL", () => {
  it("has one place in the sources, and a file that is to find it", () => {
    expect(SQL_MUTANTS.flatMap((mutant) => misfitOf(mutant) ?? [])).toEqual([]);
    expect(SQL_MUTANTS.filter(({ path }) => !existsSync(path))).toEqual([]);
  });

  it("that is in no place, or in two, is told by its name", () => {
    const misfit = misfitOf({ name: "odd", file: "claim.ts", from: "select" });
    expect(misfit).toMatch(/^odd: claim\.ts has the text \d+ times, not once$/u);
  });

  it("is found by a test that fails", () => {
    const report = reportOf("failed", ["skipped"], ["failed", "Error: expected 1, but saw 2\n  at a.ts"]);
    expect(verdictOf(report)).toEqual({ kind: "found", by: "test 1" });
  });

  it("survives if all that is played is green", () => {
    expect(verdictOf(reportOf("passed", ["passed"], ["skipped"]))).toEqual({ kind: "survived", by: "" });
  });

  it.each([
    ["did not run", reportOf("passed", ["skipped"])],
    ["did not run", reportOf("failed", ["skipped"])],
    ["cannot run", reportOf("failed", ["failed", "StoreError: PostgreSQL: 42601"])],
    ["ran out of time", reportOf("failed", ["failed", "Error: Test timed out in 240000ms."])],
  ])("counts for nothing if its test %s", (kind, report) => {
    expect(verdictOf(report).kind).toBe(kind);
  });
});
