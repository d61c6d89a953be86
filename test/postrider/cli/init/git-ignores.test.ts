import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { needsIgnoreLine } from "../../../../packages/postrider/src/cli/init/first-config.js";
import { tempFolder } from "../../config-file.js";

function repository(ignored?: string): string {
  const folder = tempFolder();
  mkdirSync(join(folder, ".git"));
  if (ignored !== undefined) writeFileSync(join(folder, ".gitignore"), ignored);
  return folder;
}

describe("a line in .gitignore", () => {
  it("is needed in a repository, and in each folder of it", () => {
    const folder = repository();
    mkdirSync(join(folder, "a/b"), { recursive: true });
    expect([needsIgnoreLine(folder), needsIgnoreLine(join(folder, "a/b"))]).toEqual([true, true]);
    expect(needsIgnoreLine(repository("node_modules\ndist\n"))).toBe(true);
  });

  it("is not needed without a repository, or if it is there", () => {
    expect(needsIgnoreLine(tempFolder())).toBe(false);
    for (const line of ["postrider.db*", "/postrider.db*", "*.db*", "x\r\npostrider.db*\r\n"])
      expect(needsIgnoreLine(repository(line))).toBe(false);
  });
});
