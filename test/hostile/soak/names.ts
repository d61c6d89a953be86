// `npm run soak -- names`: each machine of test/hostile/name-set-ups.ts in a network namespace, its host called by curl and by a
// delivery, which must reach the same receiver, or none where the policy forbids it. Needs root, and prints the table.

import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { execPath } from "node:process";
import { fileURLToPath } from "node:url";
import { afterAll, describe, expect, it } from "vitest";
import { NAME_SET_UPS } from "../name-set-ups.js";

const PROGRAM = fileURLToPath(new URL("../programs/play-name-set-up.js", import.meta.url));
const LIMIT_MS = 120_000;

const rows: string[] = [];

function play(setUp: object): { readonly curl: string; readonly delivery: string; readonly word: string } {
  const folder = mkdtempSync(join(tmpdir(), "postrider-names-"));
  const words = ["--net", "--mount", execPath, PROGRAM, folder, JSON.stringify(setUp)];
  try {
    return JSON.parse(execFileSync("unshare", words, { encoding: "utf8", timeout: LIMIT_MS }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("curl and a delivery reach what they should, with", () => {
  it.each(NAME_SET_UPS.map((setUp) => [setUp.what, setUp] as const))(
    "%s",
    (what, setUp) => {
      const { curl, delivery, word } = play(setUp);
      rows.push(`| ${what} | ${curl} | ${delivery} | ${word} |`);
      expect({ curl, delivery }).toEqual({ curl: setUp.curl, delivery: setUp.delivery });
    },
    LIMIT_MS,
  );
});

afterAll(() => {
  console.log(["| set-up | curl | delivery | answer |", "|---|---|---|---|", ...rows].join("\n"));
});
