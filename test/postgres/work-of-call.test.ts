// A commit makes PostgreSQL do the same as when its instructions were counted: a change of a plan, or a further statement, is seen without
// valgrind.

import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { workOfCommits } from "../bench/work-of-call.js";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

/** A page of an index is split where random keys happen to fall. */
const MOST_BLOCKS = 1.05;

interface Kept {
  readonly workServer: string;
  readonly workOfCommits: Awaited<ReturnType<typeof workOfCommits>>;
}

const kept = JSON.parse(readFileSync(new URL("../bench/instructions.json", import.meta.url), "utf8")) as Kept;

// Plans differ between versions, and that of npm's is the one of the lock file.
for (const installed of installedServers().filter(({ name }) => name.endsWith("of npm"))) {
  describe(`a commit on ${installed.name}`, () => {
    const { server } = startForSuite(installed);

    it("makes the statements, with the plans, rows and loops, of `npm run bench -- instructions --keep`, and no more blocks", async () => {
      expect(installed.name, "a new version wants `--keep` again").toBe(kept.workServer);
      const work = await workOfCommits(server().pool(1));
      expect(statementsOf(work)).toEqual(statementsOf(kept.workOfCommits));
      for (const [calls, { blocks }] of Object.entries(work))
        expect(blocks).toBeLessThanOrEqual(MOST_BLOCKS * (kept.workOfCommits[Number(calls)]?.blocks ?? 0));
    });
  });
}

function statementsOf(work: Kept["workOfCommits"]): unknown {
  return Object.entries(work).map(([calls, { statements }]) => [calls, statements]);
}
