// Servers whose clocks are wrong, beside the same run with right ones.

import { describe, expect, it } from "vitest";
import { openPool } from "../programs/postgres/driver.js";
import { installedServers } from "../programs/postgres/servers.js";
import { findFaketime, playSkewed, type SkewReport, type Wrongness } from "./skewed-fleet.js";
import { startForSuite } from "./suite-server.js";

const RIGHT: readonly Wrongness[] = [[0], [0], [0]];
/** One ahead, one behind, and one that steps by ten minutes, there and back. */
const WRONG: readonly Wrongness[] = [[90], [-90], [0, 600, 0, -600, 0]];
/** By how much attempts may come later or earlier on a busy machine: far less than the clocks are wrong. */
const SLACK_MS = 6_000;

const faketime = findFaketime();

for (const installed of installedServers().slice(0, 1)) {
  describe.skipIf(faketime === undefined)(`servers on ${installed.name}`, () => {
    const { newDatabase } = startForSuite(installed);

    async function play(clocks: readonly Wrongness[]): Promise<SkewReport> {
      const store = await newDatabase();
      const pool = openPool(store);
      try {
        return await playSkewed({ store, pool, faketime: faketime ?? "" }, clocks);
      } finally {
        await pool.end();
      }
    }

    it("with wrong clocks repeat nothing and keep each window, as with right ones", async () => {
      const [right, wrong] = [await play(RIGHT), await play(WRONG)];
      const range = ({ triedMs }: SkewReport): readonly number[] => [Math.min(...triedMs), Math.max(...triedMs)];
      console.log(JSON.stringify([right, wrong].map((report) => ({ ...report, triedMs: range(report) }))));
      expect(wrong.repeats).toBe(right.repeats);
      const [least = 0, most = 0] = range(right);
      expect(range(wrong)[0]).toBeGreaterThan(least - SLACK_MS);
      expect(range(wrong)[1]).toBeLessThan(most + SLACK_MS);
    });
  });
}
