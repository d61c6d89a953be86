// A pool whose database takes no commit for a usual one, so that each is made by the function for all of them; and what commits a pool
// has been asked for.

import type { PostgresPool, PostgresQuery } from "@postrider/postgres";

type Query = (query: PostgresQuery) => Promise<{ readonly rows: readonly unknown[] }>;

const USUAL = /\.commit_usual\(/u;
const ANY = /\.commit\(/u;

/** The same pool; usual commits do not reach its database. */
export function withoutUsualCommits(pool: PostgresPool): PostgresPool {
  return over(pool, (query) => (given) => (USUAL.test(given.text) ? Promise.resolve({ rows: [{}] }) : query(given)));
}

/** The same pool, and the kinds of commits that it was asked for, in their order. */
export function notingCommits(pool: PostgresPool): PostgresPool & { readonly commits: ("usual" | "any")[] } {
  const commits: ("usual" | "any")[] = [];
  const noting = over(pool, (query) => (given) => {
    if (USUAL.test(given.text)) commits.push("usual");
    else if (ANY.test(given.text)) commits.push("any");
    return query(given);
  });
  return { ...noting, commits };
}

/** The same pool, whose queries go through a function. */
export function over(pool: PostgresPool, through: (query: Query) => Query): PostgresPool {
  return {
    connect: async () => {
      const client = await pool.connect();
      return {
        query: through((query) => client.query(query)),
        on: (event, listener) => client.on(event, listener),
        removeListener: (event, listener) => client.removeListener(event, listener),
        release: (destroy) => {
          client.release(destroy);
        },
      };
    },
  };
}
