// A commit has reached the disk before its promise resolves. The pragma does not prove that: some builds of SQLite answer
// FULL and sync nothing. So the system calls are counted.

import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { newFile, openStore } from "../files.js";
import { runProgram } from "../run-program.js";

const COMMITS = 20;
const hasStrace = spawnSync("strace", ["-V"]).status === 0;
const title = `${String(COMMITS)} commits are at least ${String(COMMITS)} syncs, each before the next commit begins`;

it.skipIf(!hasStrace)(hasStrace ? title : `${title} (SKIPPED: no strace on this machine)`, async () => {
  const file = newFile();
  const trace = newFile();
  const tracer = ["strace", "-f", "-y", "-o", trace, "-e", "trace=fsync,fdatasync,write,pwrite64"];
  await openStore(file).close();
  await runProgram("commit", [file, String(COMMITS)], tracer).ended;

  const lines = readFileSync(trace, "utf8").split("\n");
  const from = lines.findIndex((line) => line.includes('"begin\\n"'));
  const until = lines.findIndex((line) => line.includes('"done\\n"'));
  expect(from).toBeGreaterThan(0);
  const ofLog = lines.slice(from, until).filter((line) => line.includes(`${file}-wal`));
  const syncs = ofLog.filter((line) => /f(data)?sync\(/.test(line));
  expect(syncs.length).toBeGreaterThanOrEqual(COMMITS);
  expect(ofLog.at(-1)).toMatch(/f(data)?sync\(/);
});
