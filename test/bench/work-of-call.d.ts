import type { PostgresPool } from "@postrider/postgres";

/** Blocks that were read or found in memory, over all statements; and the nodes of each plan, with their rows and loops. */
export interface Work {
  readonly blocks: number;
  readonly statements: readonly string[];
}

export function workOfCommits(pool: PostgresPool): Promise<Readonly<Record<number, Work>>>;
