// A pool whose requests stay open until they are let go: each runs in a transaction that has not ended, as when its disk or its standby
// does not answer. Others then show whether they wait for it.

import type { PostgresClient, PostgresPool } from "@postrider/postgres";

export interface HeldPool extends PostgresPool {
  /** From now on requests are held once their statement has run: those whose text matches. */
  hold(text: RegExp): void;
  /** Resolves once a request is held. */
  held(): Promise<void>;
  /** Ends the transactions of all that are held, and holds no more. */
  letGo(): void;
}

/** The same pool, which can hold requests. */
export function holdingPool(pool: PostgresPool): HeldPool {
  let holding: RegExp | undefined;
  let letGo: () => void = () => undefined;
  let tellHeld: () => void = () => undefined;
  let released = Promise.resolve();
  let held = Promise.resolve();

  async function queryHeld(
    client: PostgresClient,
    query: Parameters<PostgresClient["query"]>[0],
  ): ReturnType<PostgresClient["query"]> {
    if (holding?.test(query.text) !== true) return client.query(query);
    await client.query({ text: "begin" });
    const answer = await client.query(query).catch(async (error: unknown) => {
      await client.query({ text: "rollback" });
      throw error;
    });
    tellHeld();
    await released;
    await client.query({ text: "commit" });
    return answer;
  }

  return {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: (query) => queryHeld(client, query),
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
        release: (destroy) => {
          client.release(destroy);
        },
      };
    },
    hold: (text): void => {
      holding = text;
      released = new Promise((resolve) => (letGo = resolve));
      held = new Promise((resolve) => (tellHeld = resolve));
    },
    held: () => held,
    letGo: (): void => {
      holding = undefined;
      letGo();
    },
  };
}
