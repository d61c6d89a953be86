// What cannot be used is refused at opening, in words that say what to do.

import { openPostgresStore } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

const CLOCK = createSystemClock();

for (const installed of installedServers().slice(0, 1)) {
  describe(`opening a store on ${installed.name}`, () => {
    const { server, pool } = startForSuite(installed);

    function open(schema: string, over = pool()): Promise<string> {
      return openPostgresStore({ pool: over, clock: CLOCK, schema }).then(
        async (store) => {
          await store.close();
          return "opened";
        },
        (error: unknown) => `${String((error as { code?: unknown }).code)}: ${(error as Error).message}`,
      );
    }

    it("makes a schema that is not there, also if several processes open it at once", async () => {
      expect(await Promise.all([open("at once"), open("at once"), open("at once")])).toEqual(Array(3).fill("opened"));
    });

    it("refuses a schema of a newer program, and leaves it as it is", async () => {
      await open("newer");
      await pool().query("insert into newer.version (step, oldest) values (99, 99)");
      expect(await open("newer")).toMatch(/^unavailable: .*newer.* is of a newer program: it has step 99/u);
    });

    it("takes a schema of a newer program whose steps only add", async () => {
      await open("expanded");
      await pool().query("insert into expanded.version (step, oldest) values (2, 1)");
      expect(await open("expanded")).toBe("opened");
    });

    it("refuses a role whose transactions see one snapshot, and says what to set", async () => {
      await pool().query("create role patient login superuser");
      await pool().query("alter role patient set default_transaction_isolation = 'repeatable read'");
      const over = server().pool(1, { user: "patient", database: "postgres" });
      expect(await open("patient", over)).toMatch(/^unavailable: transactions of this role are repeatable read: set/u);
    });

    it("refuses a schema of a build from before the first release", async () => {
      await open("early");
      await pool().query("drop table early.ring");
      expect(await open("early")).toMatch(/^unavailable: the schema early was made by a build from before the first/u);
    });

    it("refuses a role that may not create a schema, and says which right it lacks", async () => {
      await pool().query("create role guest login");
      const guest = server().pool(1, { user: "guest", database: "postgres" });
      expect(await open("guests", guest)).toMatch(/^unavailable: the schema guests cannot be used: .*right.*42501/u);
    });

    it("refuses a database that is not there", async () => {
      const nowhere = server().pool(1, { user: "postgres", database: "nowhere" });
      expect(await open("any", nowhere)).toMatch(/^unavailable: .*there is no such database \(3D000\)/u);
    });
  });
}
