// A pool of a process that ends at a statement: from then on nothing of it is sent, and nothing is answered.

import type { PostgresClient, PostgresPool } from "@postrider/postgres";

export interface CutPlace {
  /** A part of the text of the statement. */
  readonly statement: string;
  /** Whether the server carries the statement out. */
  readonly at: "before" | "after";
}

export interface CutPool {
  readonly pool: PostgresPool;
  /** Resolves once the process has ended. */
  readonly happened: Promise<void>;
}

const NEVER = new Promise<never>(() => undefined);

export function cutPool(pool: PostgresPool, { statement, at }: CutPlace): CutPool {
  let isOver = false;
  const { promise: happened, resolve } = deferred();

  function end(): Promise<never> {
    isOver = true;
    resolve();
    return NEVER;
  }

  const query = async (client: PostgresClient, asked: Parameters<PostgresClient["query"]>[0]) => {
    if (isOver) return NEVER;
    const isPlace = asked.text.includes(statement);
    if (isPlace && at === "before") return end();
    const answer = await client.query(asked);
    return isPlace || isOver ? end() : answer;
  };

  return {
    happened,
    pool: {
      connect: async (): Promise<PostgresClient> => {
        if (isOver) return NEVER;
        const client = await pool.connect();
        return {
          query: (asked) => query(client, asked),
          on: (event, listener) => client.on(event, listener),
          removeListener: (event, listener) => client.removeListener(event, listener),
          release: (destroy) => client.release(destroy),
        };
      },
    },
  };
}

function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined;
  const promise = new Promise<void>((settle) => {
    resolve = settle;
  });
  return { promise, resolve };
}
