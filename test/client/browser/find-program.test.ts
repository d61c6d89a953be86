import { chmodSync, mkdtempSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { expect, it } from "vitest";
import { findProgram } from "./find-program.js";

it("finds the first name that can be run, in any folder", () => {
  const [one, two] = [mkdtempSync(join(tmpdir(), "path-")), mkdtempSync(join(tmpdir(), "path-"))];
  const path = ["", one, two].join(delimiter);
  expect(findProgram(["first", "second"], path)).toBeUndefined();
  writeFileSync(join(one, "first"), "", { mode: 0o600 });
  expect(findProgram(["first", "second"], path)).toBeUndefined();
  writeFileSync(join(one, "second"), "", { mode: 0o700 });
  expect(findProgram(["first", "second"], path)).toBe(join(one, "second"));
  writeFileSync(join(two, "first"), "", { mode: 0o700 });
  expect(findProgram(["first", "second"], path)).toBe(join(two, "first"));
  chmodSync(join(two, "first"), 0o600);
  expect(findProgram(["first", "second"], path)).toBe(join(one, "second"));
});
