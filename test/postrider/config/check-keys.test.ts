import { createHash } from "node:crypto";
import { describe, expect, it } from "vitest";
import { readConfig } from "../../../packages/postrider/src/config/read-config.js";
import { configJson, writeConfig } from "../config-file.js";

function digest(key: string): string {
  return `sha256:${createHash("sha256").update(key).digest("hex")}`;
}

function problemsOf(...keys: readonly string[]): readonly string[] {
  const sources = keys.map((writeKey, index) => ({ id: `s${String(index)}`, writeKey }));
  const read = readConfig(writeConfig(configJson({ sources, destinations: [] })), () => undefined);
  return read.kind === "refused" ? read.problems.map(({ code, path }) => `${code} ${path}`) : [];
}

describe("the write keys of a config", () => {
  it("may be in plain text or digests", () => {
    expect(problemsOf("a", digest("b"), "c", digest("d"))).toEqual([]);
  });

  it("belong to one source each, in either form", () => {
    expect(problemsOf("a", digest("a"))).toEqual(["duplicate-write-key sources[1].writeKey"]);
    expect(problemsOf(digest("schl\u00fcssel"), "schl\u00fcssel")).toEqual(["duplicate-write-key sources[0].writeKey"]);
    expect(problemsOf(digest("a"), digest("a"))).toEqual(["duplicate-write-key sources[1].writeKey"]);
  });
});
