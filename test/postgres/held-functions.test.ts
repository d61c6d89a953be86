// The races of the contract suite, in orders in which a call also stops within a function: a lock that the function does not take, or
// takes too late, is seen each time, whatever the machine is busy with.

import { afterAll, describe, expect, it } from "vitest";
import { POSTGRES_STEPS } from "../../packages/postgres/src/schema/migrate.js";
import { installedServers } from "../programs/postgres/servers.js";
import { createHeldFunctions, HOLD_PLACES, type HeldFunctions, withHolds } from "./held-functions.js";
import type { GatedPool } from "./harness.js";
import { withoutUsualCommits } from "./usual-pool.js";
import { audienceCases, deliveryCases } from "./store-suites.js";
import { startForSuite } from "./suite-server.js";

const RACE = /, between two processes$/;
/** The races of what a usual commit does too. */
const OF_COMMITS = /^(two settlements|a settlement at|a message id|two commits|a request and a commit)/;
/** The outbox has plain statements, and no function to hold a call in. */
const OF_STATEMENTS = /^the same entries are removed/;

it("each place is in the schema exactly once", () => {
  const held = POSTGRES_STEPS.map(({ sql }) => withHolds(sql)).join("\n");
  expect(held.split("perform hold_here();")).toHaveLength(HOLD_PLACES.length + 1);
});

for (const installed of installedServers().slice(0, 1)) {
  describe(`calls held within functions on ${installed.name}`, () => {
    const { server } = startForSuite(installed);
    let held: HeldFunctions | undefined;
    const gated: GatedPool = (gate) => {
      held ??= createHeldFunctions(server().pool());
      return held.gatedPool(gate);
    };
    afterAll(() => held?.close());
    const plain = (): never => {
      throw new Error("each store of these cases is behind the gate");
    };
    const audiences = audienceCases(plain, gated);
    for (const { name, run } of [...deliveryCases(plain, gated), ...audiences])
      if (RACE.test(name) && !OF_STATEMENTS.test(name)) it(name, run);

    describe("where no commit is a usual one", () => {
      const unusual: GatedPool = (gate) => withoutUsualCommits(gated(gate));
      for (const { name, run } of deliveryCases(plain, unusual))
        if (RACE.test(name) && OF_COMMITS.test(name)) it(name, run);
    });

    it("an append beside a drop leaves no member without its set", async () => {
      const race = audiences.find(({ name }) => name.startsWith("an append and a drop") && RACE.test(name));
      await race?.run();
      const orphans = `select count(*)::int4 as count from postrider.member m
        where not exists (select from postrider.member_set s where s.id = m.member_set)`;
      expect((await server().pool(1).query(orphans)).rows).toEqual([{ count: 0 }]);
    });
  });
}
