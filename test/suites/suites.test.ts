// Every test belongs to one suite, and a suite tells what it costs.

import { mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { read } from "../house/packages.js";
import { cpuOfChildrenMs, createReference, describePrice } from "./price.js";
import { SUITES } from "./suites.js";

const PRICE = {
  wallMs: 120_000,
  cpuMs: 200_000,
  referenceMs: 2_000,
  keptRatio: 100,
  durations: "there is no such file",
};

describe("each project of vitest.config.ts", () => {
  const projects = [...read("vitest.config.ts").matchAll(/project\(\{\s*name: "(\w+)"/g)].map(([, name]) => name!);
  const steps = Object.values(SUITES).flatMap(({ stages }) => stages.flat());
  const played = steps.flatMap(({ command }) => command.filter((_, index) => command[index - 1] === "--project"));

  it("is played by exactly one suite", () => {
    expect(projects.length).toBeGreaterThan(5);
    expect(played.toSorted()).toEqual(projects.toSorted());
  });
});

describe("the price of a suite", () => {
  it("has the dearest files first, ten at most", () => {
    const durations = join(mkdtempSync(join(tmpdir(), "price-")), "durations");
    const rows = Array.from({ length: 12 }, (_, index) => ({
      file: `f${index}`,
      project: "p",
      loadMs: 500,
      testMs: index,
    }));
    writeFileSync(durations, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
    const lines = describePrice({ ...PRICE, durations })
      .split("\n")
      .filter((line) => line.startsWith("  "));
    expect(lines).toHaveLength(10);
    expect(lines[0]).toContain("f11 (p)");
  });

  it.each([
    [250_000, false],
    [250_001, true],
  ])("of %i ms of CPU beside 2 s of the loop, kept at 100, is warned of: %s", (cpuMs, isWarned) => {
    expect(describePrice({ ...PRICE, cpuMs }).includes("WARNING")).toBe(isWarned);
  });

  it("has no warning where no ratio is kept", () => {
    const told = describePrice({ ...PRICE, cpuMs: 900_000, keptRatio: undefined });
    expect(told).toMatch(/450 times the reference loop \(2\.00 s\)$/);
  });

  it("says so where the platform does not tell the CPU time of children", () => {
    expect(describePrice({ ...PRICE, cpuMs: undefined })).toContain("took 2.0 min; this platform does not tell");
  });

  it("is compared with a loop that costs something, and counts children on Linux", () => {
    const reference = createReference();
    reference.run();
    expect(reference.cpuMs()).toBeGreaterThan(0);
    expect(typeof cpuOfChildrenMs()).toBe(process.platform === "linux" ? "number" : "undefined");
  });
});
