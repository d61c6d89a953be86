// Stores whose outbox is broken in what it does with the statements of hosts: it sends some again, or merges those of one turn.

import type { Outbox, OutboxCall, RunStatement } from "@postrider/core";
import { overOutbox } from "./outboxes.js";
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

/** Knows errors by their texts. */
export const sendingTimeoutsAgain = (): Storage =>
  sendingWith((run) => async (sql, values) => {
    try {
      return await run(sql, values);
    } catch (error) {
      if (!String(error).includes("timeout")) throw error;
      return run(sql, values);
    }
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
        const key = JSON.stringify(call);
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
  choosingOfATurn((calls) => [...new Map(calls.map((call) => [JSON.stringify(call), call])).values()]);

export const sendingTwoOfATurn = (): Storage => choosingOfATurn((calls) => calls.slice(-2));
