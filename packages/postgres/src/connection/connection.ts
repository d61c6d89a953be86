// One request after the other over connections of the pool: each is one statement, and with that one transaction. Nothing is left in a
// session. A request that gets no answer in time is `unavailable`, and its connection is closed. Damage is remembered: from then on
// every request rejects.

import { type Clock, createStoreError } from "@postrider/core";
import type { PostgresClient, PostgresPool } from "../pool.js";
import type { TextRow } from "../wire/read-row.js";
import { nameConnectError, nameDatabaseError } from "./name-error.js";

/** How long a request may take, in ms. A failover takes about as long. */
export const REQUEST_DEADLINE_MS = 10_000;

/** What a synchronous standby that does not answer makes of a commit: it comes with success, and nothing is promised. */
const LOCAL_ONLY = /committed locally/;

/** Runs one statement. */
export type AskDatabase = (text: string, values?: readonly unknown[]) => Promise<readonly TextRow[]>;

/** Runs statements for a store. */
export interface Requests {
  readonly ask: AskDatabase;
  readonly close: () => void;
}

/** What requests need. */
export interface RequestOptions {
  readonly pool: PostgresPool;
  /** For the deadline of each request. */
  readonly clock: Pick<Clock, "after">;
}

/** Requests over a pool, until `close`. */
export function createRequests(options: RequestOptions): Requests {
  let refusal: Error | undefined;

  async function ask(text: string, values: readonly unknown[] = []): Promise<readonly TextRow[]> {
    if (refusal !== undefined) throw refusal;
    try {
      return await request(options, text, values);
    } catch (error) {
      const named = nameDatabaseError(error);
      if (named.code === "corrupt") refusal = named;
      throw named;
    }
  }

  return {
    ask,
    close: (): void => {
      refusal ??= createStoreError("unavailable", "the store is closed");
    },
  };
}

async function request(
  { pool, clock }: RequestOptions,
  text: string,
  values: readonly unknown[],
): Promise<readonly TextRow[]> {
  const client = await pool.connect().catch((error: unknown) => {
    throw nameConnectError(error);
  });
  const watch = watchNotices(client);
  let isUsable = false;
  try {
    const { rows } = await beforeDeadline(clock, client.query({ text, values, types: AS_TEXT }));
    if (watch.isLocalOnly()) throw createStoreError("unavailable", "PostgreSQL: committed on this machine alone");
    isUsable = true;
    return rows as readonly TextRow[];
  } catch (error) {
    isUsable = isAnswer(error);
    throw error;
  } finally {
    watch.end();
    client.release(!isUsable);
  }
}

const AS_TEXT = { getTypeParser: () => (value: string) => value };

/** Whether the database answered, so that the connection can go on. Its errors have a severity. */
function isAnswer(error: unknown): boolean {
  return typeof error === "object" && error !== null && "severity" in error && error.severity === "ERROR";
}

function watchNotices(client: PostgresClient): { readonly isLocalOnly: () => boolean; readonly end: () => void } {
  let isLocalOnly = false;
  const note = ({ message = "" }: { readonly message?: string | undefined }): void => {
    isLocalOnly ||= LOCAL_ONLY.test(message);
  };
  // A connection that breaks tells so by its query too; without a listener the process would end.
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

function beforeDeadline<T>(clock: Pick<Clock, "after">, answer: Promise<T>): Promise<T> {
  return new Promise((resolve, reject) => {
    const cancel = clock.after(REQUEST_DEADLINE_MS, () => {
      reject(createStoreError("unavailable", `PostgreSQL: no answer within ${String(REQUEST_DEADLINE_MS)} ms`));
    });
    answer.then(resolve, reject).finally(cancel);
  });
}
