// A pool whose queries pass the gate of the contract suite, and fail as the driver's do when the suite says so.

import type { StoreErrorCode } from "@postrider/core";
import type { PostgresClient, PostgresPool } from "@postrider/postgres";
import type { StorageGate } from "@postrider/testkit/contracts";

/** What the driver rejects with in each case; a connection that breaks has no code. */
const CODES: Readonly<Record<StoreErrorCode, string | undefined>> = {
  busy: "40001",
  full: "53100",
  corrupt: "XX001",
  unavailable: undefined,
};

/** Queries that the server has, those of processes that died among them: it carries them out all the same. */
const underway = new Set<Promise<unknown>>();

/** Resolves once the server has nothing more to do for a process that died. */
export async function whenServerIsDone(): Promise<void> {
  await Promise.allSettled(underway);
}

/** The same pool; each query goes through the gate. */
export function gatedPool(pool: PostgresPool, gate: StorageGate): PostgresPool {
  function failAt(at: "before" | "after"): void {
    const code = gate.fault(at);
    if (code === undefined) return;
    const sqlState = CODES[code];
    if (sqlState === undefined) throw new Error("Connection terminated unexpectedly");
    throw Object.assign(new Error(`a query that fails as ${code}`), { code: sqlState, severity: "ERROR" });
  }

  const taken = new Set<PostgresClient>();

  /** A client goes back once: when it is released, or when its process dies. */
  function giveBack(client: PostgresClient, destroy: boolean): void {
    if (taken.delete(client)) client.release(destroy);
  }

  void gate.died.then(whenServerIsDone).then(() => {
    for (const client of taken) giveBack(client, true);
  });

  return {
    connect: async (): Promise<PostgresClient> => {
      const client = await pool.connect();
      taken.add(client);
      return {
        query: (query) =>
          gate.pass(async () => {
            failAt("before");
            const asked = client.query(query);
            underway.add(asked);
            const answer = await asked.finally(() => underway.delete(asked));
            failAt("after");
            return answer;
          }),
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
        release: (destroy = false) => {
          giveBack(client, destroy);
        },
      };
    },
  };
}
