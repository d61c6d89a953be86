// Stores whose outbox is broken in what it does with the statements of hosts: it changes them, sends some again, or merges those of one turn.

import { createStoreError, type Outbox, type OutboxCall, type RunStatement } from "@postrider/core";
import { beginMemoryTransaction, type MemoryDisk } from "@postrider/memory";
import type { HostTransaction } from "@postrider/testkit/contracts";
import { keyOf, overOutbox } from "./outboxes.js";
import type { Storage } from "./storage.js";

/** Each statement is sent by this function in place of the host's. */
const sendingWith = (send: (run: RunStatement) => RunStatement): Storage =>
  overOutbox((outbox) => ({ add: (call, run) => outbox.add(call, send(run)) }));

/** Takes a count of no rows for a statement that has done nothing. */
export const sendingAgainWithoutRows = (): Storage =>
  sendingWith((run) => async (sql, values) => {
    const result = (await run(sql, values)) as { readonly rowCount?: unknown } | null | undefined;
    return result?.rowCount === 0 ? run(sql, values) : result;
  });

const TURNS_OF_PATIENCE = 50;

async function passTurns(): Promise<void> {
  for (let turn = 0; turn < TURNS_OF_PATIENCE; turn += 1) await new Promise(setImmediate);
}

export const sendingTheSlowAgain = (): Storage =>
  sendingWith((run) => async (sql, values) => {
    const running = run(sql, values);
    const isSlow = await Promise.race([running.then(() => false), passTurns().then(() => true)]);
    return isSlow ? Promise.race([running, run(sql, values)]) : running;
  });

/** The statement of a memory disk, whatever else a broken outbox sends with it. */
const ADD = "insert into outbox (source, call) values ($1, $2)";

/** A transaction that takes any statement for the right one. */
function lenient(disk: MemoryDisk): HostTransaction {
  const { run, ...ends } = beginMemoryTransaction(disk);
  return {
    ...ends,
    run: (sql, values) => (sql.startsWith("insert") ? run(ADD, values.slice(0, 2).map(String)) : Promise.resolve()),
  };
}

export const askingFirst = (): Storage =>
  overOutbox(
    (outbox) => ({
      add: async (call, run) => {
        await run("select 1", []);
        await outbox.add(call, run);
      },
    }),
    lenient,
  );

export const namingAPlaceTwice = (): Storage =>
  overOutbox(
    (outbox) => ({ add: (call, run) => outbox.add(call, (sql, values) => run(`${sql} returning $1`, values)) }),
    lenient,
  );

export const givingNumbers = (): Storage =>
  overOutbox(
    (outbox) => ({
      add: (call, run) =>
        outbox.add(call, (sql, values) => run(sql.replace("$2", "$2, $3"), [...values, 7 as unknown as string])),
    }),
    lenient,
  );

export const answeringBeforeItsStatement = (): Storage =>
  overOutbox((outbox) => ({
    add: (call, run) => {
      outbox.add(call, run).catch(() => undefined);
      return Promise.resolve();
    },
  }));

export const wrappingErrors = (): Storage =>
  overOutbox((outbox) => ({
    add: (call, run) =>
      outbox.add(call, run).catch((error: unknown) => {
        throw createStoreError("unavailable", "the statement of a host failed", error);
      }),
  }));

/** A statement that fails so is sent again. */
const sendingAgain = (isRepeated: (error: unknown) => boolean): Storage =>
  overOutbox((outbox) => ({
    add: (call, run) =>
      outbox.add(call, run).catch((error: unknown) => {
        if (!isRepeated(error)) throw error;
        return outbox.add(call, run);
      }),
  }));

export const sendingFailuresAgain = (): Storage => sendingAgain(() => true);

export const sendingConflictsAgain = (): Storage =>
  sendingAgain((error) => ["40P01", "40001"].includes(String((error as { readonly code?: unknown }).code)));

/** Knows errors by their texts. */
export const sendingTimeoutsAgain = (): Storage => sendingAgain((error) => String(error).includes("timeout"));

export const readingTheRowsOfStatements = (): Storage =>
  sendingWith((run) => async (sql, values) => {
    const result = (await run(sql, values)) as { readonly rows?: readonly unknown[] } | null | undefined;
    if (result === null || result?.rows?.length === 1) throw createStoreError("busy", "a row too many");
  });

/** Knows libraries that answer an error. */
export const rejectingErrorsInResults = (): Storage =>
  sendingWith((run) => async (sql, values) => {
    const result = (await run(sql, values)) as { readonly error?: Error } | null | undefined;
    if (result?.error !== undefined) throw result.error;
  });

/** A call waits for the statement of an equal one, of whichever transaction. */
export const waitingForEqualStatements = (): Storage =>
  overOutbox((outbox) => {
    const running = new Map<string, Promise<void>>();
    return {
      add: async (call, run) => {
        const key = keyOf(call);
        await running.get(key);
        const adding = outbox.add(call, run);
        running.set(key, adding);
        await adding.finally(() => running.delete(key));
      },
    };
  });

const PLACES = 100;

/** Has a limit of statements under way, as pools have. */
export const waitingForAPlace = (): Storage =>
  overOutbox((outbox) => {
    const running = new Set<Promise<void>>();
    return {
      add: async (call, run) => {
        while (running.size >= PLACES) await Promise.race(running);
        const adding = outbox.add(call, run);
        running.add(adding);
        await adding.finally(() => running.delete(adding));
      },
    };
  });

/** Of the calls of one turn, those are sent that are chosen. */
const choosingOfATurn = (choose: (calls: readonly OutboxCall[]) => readonly OutboxCall[]): Storage =>
  overOutbox((outbox) => {
    const turns = new Map<RunStatement, OutboxCall[]>();
    return {
      add: async (call, run) => {
        const calls = turns.get(run) ?? [];
        turns.set(run, [...calls, call]);
        if (calls.length > 0) return;
        await Promise.resolve();
        const chosen = choose(turns.get(run) ?? []);
        turns.delete(run);
        await addEach(outbox, chosen, run);
      },
    };
  });

async function addEach(outbox: Outbox, calls: readonly OutboxCall[], run: RunStatement): Promise<void> {
  for (const call of calls) await outbox.add(call, run);
}

export const mergingEqualCallsOfATurn = (): Storage =>
  choosingOfATurn((calls) => [...new Map(calls.map((call) => [keyOf(call), call])).values()]);

export const sendingTheLastOfATurn = (): Storage => choosingOfATurn((calls) => calls.slice(-1));

export const sendingTwoOfATurn = (): Storage => choosingOfATurn((calls) => calls.slice(-2));
