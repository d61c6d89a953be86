// A pool of a process that ends at a statement: from then on nothing of it is sent, and nothing is answered.

import type { PostgresClient, PostgresPool, PostgresQuery } from "@postrider/postgres";

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
  const over = new AbortController();
  const happened = new Promise<void>((resolve) => over.signal.addEventListener("abort", () => resolve()));
  const isOver = (): boolean => over.signal.aborted;

  function end(): Promise<never> {
    over.abort();
    return NEVER;
  }

  async function query(client: PostgresClient, asked: PostgresQuery): ReturnType<PostgresClient["query"]> {
    const isPlace = asked.text.includes(statement);
    if (isOver() || (isPlace && at === "before")) return end();
    const answer = await client.query(asked);
    return isOver() || isPlace ? end() : answer;
  }

  return {
    happened,
    pool: {
      connect: async (): Promise<PostgresClient> => {
        if (isOver()) return NEVER;
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
