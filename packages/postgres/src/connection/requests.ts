// Runs requests over connections of the pool, each as one transaction: one statement, with a limit on its time if a person waits for it.
// Nothing is left in a session. A request that gets no answer in time is `unavailable`, and its connection is closed; few requests of
// people run at once. Damage is remembered: from then on every request rejects.

import { type Clock, createStoreError } from "@postrider/core";
import type { PostgresPool, PostgresQuery, PostgresClient } from "../pool.js";
import type { TextRow } from "../wire/read-row.js";
import { createConnections, type TakenConnection } from "./connections.js";
import {
  DOUBT_AFTER_MS,
  SILENCE_DEADLINE_MS,
  BRIEF_DEADLINE_MS,
  BRIEF_STATEMENT_MS,
  REQUEST_DEADLINE_MS,
  MAX_BRIEF,
  MAX_WAITING_BRIEF,
} from "./limits.js";
import { endsConnections, nameDatabaseError } from "./name-error.js";
import { createCommitLine, beforeDeadline, type CommitLine } from "./patience.js";

/** Runs one statement. */
type AskDatabase = (text: string, values?: readonly unknown[]) => Promise<readonly TextRow[]>;

/** Runs statements for a store. All reject with a `StoreError`. */
export interface Requests {
  /** A request for which a relay waits: over a connection that has rested, no longer than to the short deadline. */
  readonly ask: AskDatabase;
  /** A request that may take long on any connection, such as a sweep. */
  readonly work: AskDatabase;
  /** A commit, which is not waited for once a later one was answered. */
  readonly commit: AskDatabase;
  /** A request for which a person waits, who may ask again. The database ends it in time too, and only a few run at once. */
  readonly brief: AskDatabase;
  readonly close: () => void;
}

/** The options of `createRequests`. */
interface RequestOptions {
  readonly pool: PostgresPool;
  /** For deadlines, and for the age of connections. */
  readonly clock: Pick<Clock, "after" | "monotonic">;
}

const AS_TEXT = { getTypeParser: () => (value: string) => value };

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
      const storeError = nameDatabaseError(error);
      if (storeError.code === "corrupt") refusal = storeError;
      throw storeError;
    }
  }

  async function requestOver(connection: TakenConnection, way: Way, query: PostgresQuery): Promise<readonly TextRow[]> {
    const watch = watchNotices(connection.client);
    const begunAt = clock.monotonic();
    let isUsable = false;
    try {
      const { rows } = await way.wait(way.run(connection.client, query), connection.hasRested);
      if (watch.isLocalOnly()) throw createStoreError("unavailable", "PostgreSQL: committed on this machine alone");
      isUsable = true;
      return rows as readonly TextRow[];
    } catch (error) {
      // A brief request that fails leaves its transaction open.
      isUsable = isAnswer(error) && way !== ways.brief;
      if (!isUsable && clock.monotonic() - begunAt >= SILENCE_DEADLINE_MS) connections.doubt(begunAt);
      throw error;
    } finally {
      watch.end();
      connection.giveBack(isUsable);
    }
  }

  /** The connection of the oldest commit without an answer may be broken, and others with it. */
  function doubtConnections(): void {
    const oldest = commits.oldest();
    if (oldest !== undefined && clock.monotonic() - oldest >= DOUBT_AFTER_MS) connections.doubt(oldest);
  }

  return {
    ask: (text, values = []) => request(ways.ask, text, values),
    work: (text, values = []) => request(ways.work, text, values),
    commit: (text, values = []) => {
      doubtConnections();
      return request(ways.commit, text, values);
    },
    brief: (text, values = []) => inTurn(() => request(ways.brief, text, values)),
    close: (): void => {
      refusal ??= createStoreError("unavailable", "the store is closed");
    },
  };
}

/** True if the error is an answer of the database, after which the connection can go on. Such errors have a severity. */
function isAnswer(error: unknown): boolean {
  const isError = typeof error === "object" && error !== null && "severity" in error && error.severity === "ERROR";
  return isError && !endsConnections(error);
}

type Rows = Awaited<ReturnType<PostgresClient["query"]>>;

/** A way of making a request. */
interface Way {
  readonly run: (client: PostgresClient, query: PostgresQuery) => Promise<Rows>;
  /** Waits for the answer. `hasRested`: its connection had rested. */
  readonly wait: (answer: Promise<Rows>, hasRested: boolean) => Promise<Rows>;
}

type Ways = Readonly<Record<"ask" | "work" | "commit" | "brief", Way>>;

function createWays(clock: Pick<Clock, "after">, commits: Pick<CommitLine, "wait">): Ways {
  function within(deadlineMs: number, afterRestMs = deadlineMs): Way["wait"] {
    return (answer, hasRested) => beforeDeadline(clock, answer, hasRested ? afterRestMs : deadlineMs);
  }
  return {
    ask: { run: runStatement, wait: within(REQUEST_DEADLINE_MS, SILENCE_DEADLINE_MS) },
    work: { run: runStatement, wait: within(REQUEST_DEADLINE_MS) },
    commit: { run: runStatement, wait: commits.wait },
    brief: { run: runWithTimeLimit, wait: within(BRIEF_DEADLINE_MS) },
  };
}

function runStatement(client: PostgresClient, query: PostgresQuery): Promise<Rows> {
  return client.query(query);
}

/** In a transaction with the limit, so that nothing of it is left in the session, wherever a pooler has put it. */
async function runWithTimeLimit(client: PostgresClient, query: PostgresQuery): Promise<Rows> {
  await client.query({ text: `begin; set local statement_timeout = ${String(BRIEF_STATEMENT_MS)}` });
  const answer = await client.query(query);
  await client.query({ text: "commit" });
  return answer;
}

/** The notice of a commit that a synchronous standby has not confirmed: it comes with success, and nothing is promised. */
const LOCAL_ONLY = /committed locally/;

interface NoticeWatch {
  readonly isLocalOnly: () => boolean;
  readonly end: () => void;
}

/** Listens until `end`. */
function watchNotices(client: PostgresClient): NoticeWatch {
  let isLocalOnly = false;
  const note = ({ message = "" }: { readonly message?: string | undefined }): void => {
    isLocalOnly ||= LOCAL_ONLY.test(message);
  };
  // If a connection breaks, its query rejects too; without a listener the process would end.
  const ignore = (): void => undefined;
  client.on("notice", note);
  client.on("error", ignore);
  return {
    isLocalOnly: () => isLocalOnly,
    end: (): void => {
      client.removeListener("notice", note);
      client.removeListener("error", ignore);
    },
  };
}

/** Makes a request when its turn comes. Rejects as `busy` if that takes too long, or too many wait. */
type InTurn = <T>(request: () => Promise<T>) => Promise<T>;

function createBriefTurns(clock: Pick<Clock, "after">): InTurn {
  const queue = new Set<() => void>();
  let activeCount = 0;

  /** Waits for a turn. */
  async function waitForTurn(): Promise<void> {
    if (activeCount < MAX_BRIEF) {
      activeCount += 1;
      return;
    }
    if (queue.size >= MAX_WAITING_BRIEF) throw tooMany();
    await new Promise<void>((resolve, reject) => {
      const begin = (): void => {
        cancel();
        resolve();
      };
      const cancel = clock.after(BRIEF_DEADLINE_MS, () => {
        queue.delete(begin);
        reject(tooMany());
      });
      queue.add(begin);
    });
  }

  /** Hands the turn to the request that waits longest, if any. */
  function end(): void {
    const [beginNext] = queue;
    if (beginNext === undefined) {
      activeCount -= 1;
      return;
    }
    queue.delete(beginNext);
    beginNext();
  }

  return async (request) => {
    await waitForTurn();
    try {
      return await request();
    } finally {
      end();
    }
  };
}

function tooMany(): Error {
  return createStoreError("busy", "PostgreSQL: too many requests of people at once");
}
