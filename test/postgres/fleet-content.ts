// What the tables of a fleet hold, row by row, past all counters.

import type { Replicated } from "../programs/postgres/replicated.js";

export interface Content {
  readonly messages: number;
  readonly ended: number;
  readonly waiting: number;
  readonly leases: number;
}

export async function readContent(database: Pick<Replicated, "pool">): Promise<Content> {
  const pool = database.pool(1);
  try {
    const counts = ["message", "ended", "waiting", "lease"].map(
      (table) => `(select count(*)::int from postrider.${table})`,
    );
    const [messages, ended, waiting, leases] = counts;
    const { rows } = await pool.query(
      `select ${messages} as messages, ${ended} as ended, ${waiting} as waiting, ${leases} as leases`,
    );
    return rows[0] as unknown as Content;
  } finally {
    await pool.end();
  }
}
