// A pool of a host that runs each request within a transaction of its library, in a savepoint: commits do what they do without.

import { destinationId, epochMs, leaseToken, type NewMessage, sourceId } from "@postrider/core";
import { openPostgresStore, type PostgresPool } from "@postrider/postgres";
import { createSystemClock } from "@postrider/system";
import { describe, expect, it } from "vitest";
import { installedServers } from "../programs/postgres/servers.js";
import { startForSuite } from "./suite-server.js";

function inSavepoints(pool: PostgresPool): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: async (query) => {
          await client.query({ text: "begin" });
          await client.query({ text: "savepoint here" });
          const answer = await client.query(query);
          await client.query({ text: "release savepoint here" });
          await client.query({ text: "commit" });
          return answer;
        },
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
        release: (destroy) => client.release(destroy),
      };
    },
  };
}

for (const installed of installedServers().slice(0, 1)) {
  describe(`a store on ${installed.name} whose requests are in savepoints`, () => {
    const { pool } = startForSuite(installed);

    it("tells new messages from duplicates", async () => {
      const now = epochMs(Date.now());
      const store = await openPostgresStore({ pool: inSavepoints(pool()), clock: createSystemClock() });
      const message = (messageId: string): NewMessage => ({
        ...{ source: sourceId("website"), messageId, type: "track", receivedAt: now, filtered: [] },
        body: new Uint8Array([1]) as NewMessage["body"],
        deliveries: [{ destination: destinationId("crm"), start: { kind: "waiting", dueAt: now } }],
      });
      const commit = async (...ids: readonly string[]): Promise<readonly string[]> => {
        const nothing = { settle: [], replay: [], append: [], tally: [] };
        const lease = { token: leaseToken("t"), leaseMs: 30_000 };
        const { accepted } = await store.commit({ ...nothing, accept: ids.map(message), lease }, now);
        return accepted.map(({ kind }) => kind);
      };
      expect(await commit("m1")).toEqual(["stored"]);
      expect(await commit("m1", "m2", "m2", "m3")).toEqual(["duplicate", "stored", "duplicate", "stored"]);
    });
  });
}
