import { readFileSync } from "node:fs";
import { FETCH_SUPPORTS } from "@postrider/fetch";
import { expect, it } from "vitest";

it("the README tells what the manifest tells", () => {
  const readme = readFileSync(new URL("../../packages/fetch/README.md", import.meta.url), "utf8");
  const rows = [...readme.matchAll(/^\| `(\w+)` +\| (.+?) +\|$/gm)].map(([, part, reason]) => [part, { reason }]);
  expect(Object.fromEntries(rows)).toEqual(FETCH_SUPPORTS);
});
