// The ways in which a request is made: as one statement or in a transaction with a limit, and how long its answer is waited for.

import type { Clock } from "@postrider/core";
import type { PostgresClient, PostgresQuery } from "../pool.js";
import { BRIEF_DEADLINE_MS, BRIEF_STATEMENT_MS, REQUEST_DEADLINE_MS, SILENCE_DEADLINE_MS } from "./limits.js";
import { beforeDeadline, type CommitLine } from "./patience.js";

type Rows = Awaited<ReturnType<PostgresClient["query"]>>;

/** How a request is made. */
export interface Way {
  readonly run: (client: PostgresClient, query: PostgresQuery) => Promise<Rows>;
  /** Waits for the answer; `hasRested` says so of the connection. */
  readonly wait: (answer: Promise<Rows>, hasRested: boolean) => Promise<Rows>;
}

export type Ways = Readonly<Record<"ask" | "work" | "commit" | "brief", Way>>;

export function createWays(clock: Pick<Clock, "after">, commits: Pick<CommitLine, "wait">): Ways {
  function within(deadlineMs: number, afterRestMs = deadlineMs): Way["wait"] {
    return (answer, hasRested) => beforeDeadline(clock, answer, hasRested ? afterRestMs : deadlineMs);
  }
  return {
    ask: { run: runOne, wait: within(REQUEST_DEADLINE_MS, SILENCE_DEADLINE_MS) },
    work: { run: runOne, wait: within(REQUEST_DEADLINE_MS) },
    commit: { run: runOne, wait: commits.wait },
    brief: { run: runWithin, wait: within(BRIEF_DEADLINE_MS) },
  };
}

function runOne(client: PostgresClient, query: PostgresQuery): Promise<Rows> {
  return client.query(query);
}

/** In a separate transaction: nothing of the limit is left in the session, wherever a pooler has put it. */
async function runWithin(client: PostgresClient, query: PostgresQuery): Promise<Rows> {
  await client.query({ text: `begin; set local statement_timeout = ${String(BRIEF_STATEMENT_MS)}` });
  const answer = await client.query(query);
  await client.query({ text: "commit" });
  return answer;
}
