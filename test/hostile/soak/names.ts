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

const PROGRAMS = new URL("../programs/", import.meta.url);
const LIMIT_MS = 120_000;

interface Played {
  readonly curl: string;
  readonly delivery: string;
  readonly word: string;
}

const rows: string[] = [];

/** What a program prints, as JSON, in a network namespace. */
function play(program: string, ...words: readonly string[]): unknown {
  const folder = mkdtempSync(join(tmpdir(), "postrider-names-"));
  const path = fileURLToPath(new URL(program, PROGRAMS));
  const all = ["--net", "--mount", execPath, path, folder, ...words];
  try {
    return JSON.parse(execFileSync("unshare", all, { encoding: "utf8", timeout: LIMIT_MS }));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

describe("curl and a delivery reach what they should, with", () => {
  it.each(NAME_SET_UPS.map((setUp) => [setUp.what, setUp] as const))(
    "%s",
    (what, setUp) => {
      const { curl, delivery, word } = play("play-name-set-up.js", JSON.stringify(setUp)) as Played;
      rows.push(`| ${what} | ${curl} | ${delivery} | ${word} |`);
      expect({ curl, delivery }).toEqual({ curl: setUp.curl, delivery: setUp.delivery });
    },
    LIMIT_MS,
  );
});

it(
  "names that the system looks up without an end hold up no look-up of the process",
  () => {
    expect(play("hang-look-ups.js")).toEqual(["database", ...Array.from({ length: 6 }, () => "timeout")]);
  },
  LIMIT_MS,
);

afterAll(() => {
  console.log(["| set-up | curl | delivery | answer |", "|---|---|---|---|", ...rows].join("\n"));
});
