// Instructions are counted by perf where it is there and may, and elsewhere it is said why not. A program of the test stands for perf.

import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { countInstructions, findPerf, readCounts } from "./instructions.js";

const PATH = process.env["PATH"] ?? "";
let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "bench-perf-"));
  process.env["PATH"] = `${folder}${delimiter}${PATH}`;
});

afterEach(() => {
  process.env["PATH"] = PATH;
  rmSync(folder, { recursive: true, force: true });
});

function installPerf(script: string): void {
  const file = join(folder, "perf");
  writeFileSync(file, `#!/bin/sh\n${script}\n`);
  chmodSync(file, 0o755);
}

describe("what counts instructions", () => {
  it("is missing where perf is not installed", () => {
    process.env["PATH"] = folder;
    expect(findPerf()).toEqual({ missing: "perf is not installed" });
  });

  it("is missing where the machine has no counter", () => {
    installPerf("echo '<not supported>,,instructions:u,0,100.00,,' >&2");
    expect(findPerf()).toEqual({ missing: "this machine has no counter of instructions" });
  });

  it("is missing where perf may not, with its words", () => {
    installPerf("echo 'Access to performance monitoring is limited.' >&2; exit 255");
    expect(findPerf()).toEqual({ missing: "perf says: Access to performance monitoring is limited." });
  });

  it("is there where perf counts", () => {
    installPerf("echo '123456,,instructions:u,1000,100.00,,' >&2");
    expect(findPerf()).toEqual({});
  });
});

it("counts until it is told to end, by thread", async () => {
  installPerf(
    [
      `[ "$*" = "stat -x , -e instructions:u --per-thread -p 4711" ] || exit 1`,
      `trap "echo 'node-4711,5000,,instructions:u,1,100.00,,' >&2; exit 0" INT`,
      "while :; do sleep 0.01; done",
    ].join("\n"),
  );
  const counting = await countInstructions(4_711);
  expect([...(await counting.end())]).toEqual([[4_711, 5_000]]);
});

it("reads only lines with a count, whatever the names of threads", () => {
  const text = [
    "# started on Sat Jan 31 12:00:00 2026",
    "",
    "node-4711,812345678,,instructions:u,2000,100.00,,",
    "V8Worker-4712,5000,,instructions:u,100,100.00,,",
    "my-odd-7-name-4713,6,,instructions:u,100,100.00,,",
    "node-4714,<not counted>,,instructions:u,0,100.00,,",
  ].join("\n");
  expect([...readCounts(text)]).toEqual([
    [4_711, 812_345_678],
    [4_712, 5_000],
    [4_713, 6],
  ]);
});
