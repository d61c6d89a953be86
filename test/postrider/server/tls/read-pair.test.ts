import { epochMs } from "@postrider/core";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { readPair } from "../../../../packages/postrider/src/server/tls/tls-pair.js";
import { AUTHORITY, HOSTS, pairFiles } from "./pair-files.js";

const NOW = epochMs(Date.parse("2026-01-01T00:00:00Z"));

describe("the files of a certificate and its key", () => {
  it("are read as they are", () => {
    const pair = AUTHORITY.issue(HOSTS);
    expect(readPair(pairFiles(pair).files, NOW)).toMatchObject({ kind: "ok", pair });
  });

  it.each(["certFile", "keyFile"] as const)("are refused with the reason when %s cannot be read", (which) => {
    const { files } = pairFiles(AUTHORITY.issue(HOSTS));
    const reason = (): string => {
      const read = readPair(files, NOW);
      return read.kind === "refused" ? read.reason : "good";
    };
    writeFileSync(files[which], "x".repeat(1_048_577));
    expect(reason()).toBe(`${files[which]} cannot be read: expected a file of at most 1 MiB`);
    rmSync(files[which]);
    expect(reason()).toBe(`${files[which]} cannot be read: expected a file that exists`);
    mkdirSync(files[which]);
    expect(reason()).toBe(`${files[which]} cannot be read: expected a file, not a folder`);
  });
});
