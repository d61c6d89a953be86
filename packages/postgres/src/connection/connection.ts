// One request after the other over connections of the pool: each is one statement, and with that one transaction. Nothing is left in a
// session. A request that gets no answer in time is `unavailable`, and its connection is closed. Damage is remembered: from then on
// every request rejects.

import { type Clock, createStoreError } from "@postrider/core";
import type { PostgresPool, PostgresQuery } from "../pool.js";
import type { TextRow } from "../wire/read-row.js";
import { createConnections, type TakenConnection } from "./connections.js";
import { DOUBT_AFTER_MS, SILENCE_DEADLINE_MS } from "./limits.js";
import { endsConnections, nameDatabaseError } from "./name-error.js";
import { watchNotices } from "./notices.js";
import { createBriefTurns } from "./brief-turns.js";
import { createCommitLine } from "./patience.js";
import { createWays, type Way } from "./ways.js";

/** Runs one statement. */
export type AskDatabase = (text: string, values?: readonly unknown[]) => Promise<readonly TextRow[]>;

/** Runs statements for a store. All reject with a `StoreError`. */
export interface Requests {
  /** What a relay waits for: of a connection that has rested, no longer than to the short deadline. */
  readonly ask: AskDatabase;
  /** What may take long wherever it runs, such as a sweep. */
  readonly work: AskDatabase;
  /** A commit, which is not waited for once a later one was answered. */
  readonly commit: AskDatabase;
  /** What a person waits for, who may ask again. The database ends it in time too, and only a few run at once. */
  readonly brief: AskDatabase;
  readonly close: () => void;
}

/** What requests need. */
export interface RequestOptions {
  readonly pool: PostgresPool;
  /** For deadlines, and for the age of connections. */
  readonly clock: Pick<Clock, "after" | "monotonic">;
}

/** Requests over a pool, until `close`. */
export function createRequests({ pool, clock }: RequestOptions): Requests {
  const connections = createConnections({ pool, clock });
  const commits = createCommitLine(clock);
  const ways = createWays(clock, commits);
  const inTurn = createBriefTurns(clock);
  let refusal: Error | undefined;

  async function request(way: Way, text: string, values: readonly unknown[]): Promise<readonly TextRow[]> {
    if (refusal !== undefined) throw refusal;
    try {
      return await requestOver(await connections.take(), way, { text, values, types: AS_TEXT });
    } catch (error) {
      if (endsConnections(error)) connections.distrust();
      const named = nameDatabaseError(error);
      if (named.code === "corrupt") refusal = named;
      throw named;
    }
  }

  async function requestOver(taken: TakenConnection, way: Way, query: PostgresQuery): Promise<readonly TextRow[]> {
    const watch = watchNotices(taken.client);
    const begunAt = clock.monotonic();
    let isUsable = false;
    try {
      const { rows } = await way.wait(way.run(taken.client, query), taken.hasRested);
      if (watch.isLocalOnly()) throw createStoreError("unavailable", "PostgreSQL: committed on this machine alone");
      isUsable = true;
      return rows as readonly TextRow[];
    } catch (error) {
      // A brief one leaves its transaction open.
      isUsable = isAnswer(error) && way !== ways.brief;
      if (!isUsable && clock.monotonic() - begunAt >= SILENCE_DEADLINE_MS) connections.doubt(begunAt);
      throw error;
    } finally {
      watch.end();
      taken.giveBack(isUsable);
    }
  }

  /** A commit that has no answer yet has begun before this one, and perhaps its connection is broken, and others with it. */
  function doubtBefore(): void {
    const oldest = commits.oldest();
    if (oldest !== undefined && clock.monotonic() - oldest >= DOUBT_AFTER_MS) connections.doubt(oldest);
  }

  return {
    ask: (text, values = []) => request(ways.ask, text, values),
    work: (text, values = []) => request(ways.work, text, values),
    commit: (text, values = []) => {
      doubtBefore();
      return request(ways.commit, text, values);
    },
    brief: (text, values = []) => inTurn(() => request(ways.brief, text, values)),
    close: (): void => {
      refusal ??= createStoreError("unavailable", "the store is closed");
    },
  };
}

const AS_TEXT = { getTypeParser: () => (value: string) => value };

/** Whether the database answered, so that the connection can go on. Its errors have a severity. */
function isAnswer(error: unknown): boolean {
  const isError = typeof error === "object" && error !== null && "severity" in error && error.severity === "ERROR";
  return isError && !endsConnections(error);
}
