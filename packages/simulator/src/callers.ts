// The callers of a simulation: each call is sent again, as a client library does, until its receipt says accepted or duplicate, or is
// added to the outbox by a host in a transaction. Each receipt is compared with the ledger.

import type { Outbox, Random, Receipt } from "@postrider/core";
import type { ManualClock, MemoryTransaction } from "@postrider/memory";
import { SIMULATED_SOURCE } from "./build-workspace.js";
import { reportBroken, type Ledger, addHistoryLine } from "./ledger/ledger.js";
import type { Servers } from "./machine/create-machine.js";
import type { SimulatedLoad, SimulationOptions } from "./simulation.js";

export const DEFAULT_LOAD: SimulatedLoad = { calls: 50, overMs: 60_000 };

/** The time that a caller waits for an answer, and the pause before it sends the calls again. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 2_000;
/** The longest time after which an accepted call is sent once more. */
const REPEAT_WITHIN_MS = 10_000;

/** The share of transactions that are rolled back, and the longest time that one takes. */
const ROLLED_BACK_SHARE = 0.1;
const TRANSACTION_MS = 3_000;

/** The outbox as hosts use it. */
export interface HostOutbox extends Pick<Outbox, "add"> {
  readonly begin: () => MemoryTransaction;
}

export interface Callers {
  /** True if every call was answered as accepted, or as a duplicate, and each that a transaction has added is stored. */
  areDone(): boolean;
}

export interface CallersOptions {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly machine: Servers;
  readonly outbox: HostOutbox;
  readonly options: SimulationOptions;
}

interface Call {
  readonly type: "track";
  readonly messageId: string;
  readonly userId: string;
  readonly event: string;
  readonly properties: object;
  readonly integrations?: Readonly<Record<string, boolean>>;
}

export function startCallers({ clock, random, ledger, machine, outbox, options }: CallersOptions): Callers {
  const load = options.load ?? DEFAULT_LOAD;
  const { calls: callCount, overMs, perArrival = 1, repeated = 0, inTransactions = 0 } = load;
  const arrivals = Math.ceil(callCount / perArrival);
  let unanswered = callCount;
  let madeCount = 0;
  /** The calls that hosts have added, and that were not stored when it was last asked. */
  const committedIds = new Set<string>();

  /** Makes one arrival, then sets the timer for the next, so that a long load needs only one timer. */
  function arrive(arrival: number): void {
    const size = Math.min(perArrival, callCount - madeCount);
    const calls = Array.from({ length: size }, () => createCall());
    const added = new Set(inTransactions === 0 ? [] : calls.filter(() => random.unit() < inTransactions));
    for (const call of added) addInTransaction(call);
    submit(calls.filter((call) => !added.has(call)));
    if (arrival + 1 < arrivals) clock.after(overMs / arrivals, () => arrive(arrival + 1));
  }

  function createCall(): Call {
    madeCount += 1;
    const number = madeCount;
    const excludedIds = Object.keys(options.receivers).filter(() => random.unit() < (load.leftOut ?? 0));
    const integrations = Object.fromEntries(excludedIds.map((id) => [id, false]));
    const call = { type: "track" as const, messageId: `m${String(number)}`, userId: `u${String(number % 17)}` };
    const properties = { total: number / 8, items: ["ä", number] };
    return { ...call, event: "Order Completed", properties, ...(excludedIds.length === 0 ? {} : { integrations }) };
  }

  /** Adds a call to the outbox, in a transaction that takes a while. */
  function addInTransaction(call: Call): void {
    const { messageId } = call;
    const transaction = outbox.begin();
    const isRolledBack = random.unit() < ROLLED_BACK_SHARE;
    if (isRolledBack) ledger.withdrawnIds.add(messageId);
    const timed = { ...call, timestamp: new Date(clock.wall()).toISOString() };
    void outbox.add({ source: SIMULATED_SOURCE, call: JSON.stringify(timed) }, transaction.run);
    clock.after(random.unit() * TRANSACTION_MS, () => {
      addHistoryLine(ledger, `${isRolledBack ? "rolled back" : "committed"} ${messageId}`);
      void (isRolledBack ? transaction.rollback() : transaction.commit());
      if (!isRolledBack) committedIds.add(messageId);
      unanswered -= 1;
    });
  }

  function submit(calls: readonly Call[]): void {
    let isAnswered = false;
    const retry = (unaccepted: readonly Call[]): void => {
      if (isAnswered) return;
      isAnswered = true;
      if (unaccepted.length > 0) clock.after(RETRY_MS, () => submit(unaccepted));
    };
    const process = machine.running();
    if (process === undefined) {
      retry(calls);
      return;
    }
    const giveUp = clock.after(PATIENCE_MS, () => retry(calls));
    void process.relay.accept({ source: SIMULATED_SOURCE, calls }).match(
      (receipts) => {
        giveUp();
        const unaccepted = isAnswered ? [] : calls.filter((call, index) => !checkReceipt(call, receipts[index]));
        if (!isAnswered) repeat(calls.filter((call) => !unaccepted.includes(call)));
        retry(unaccepted);
      },
      () => {
        giveUp();
        retry(calls);
      },
    );
  }

  /** Sends a share of accepted calls once more, as a client library does that has not read its answer. */
  function repeat(accepted: readonly Call[]): void {
    if (repeated === 0) return;
    for (const call of accepted.filter(() => random.unit() < repeated)) {
      clock.after(random.unit() * REPEAT_WITHIN_MS, () => {
        const process = machine.running();
        void process?.relay.accept({ source: SIMULATED_SOURCE, calls: [call] }).match(nothing, nothing);
      });
    }
  }

  /** Compares the receipt with the ledger. Returns whether the receipt says that the call is stored. */
  function checkReceipt({ messageId }: Call, receipt: Receipt | undefined): boolean {
    addHistoryLine(ledger, `answered ${messageId} ${String(receipt?.kind)}`);
    if (receipt?.kind !== "accepted" && receipt?.kind !== "duplicate") return false;
    if (!ledger.storedIds.has(messageId))
      reportBroken(ledger, "receipt-is-true", `${messageId} is ${receipt.kind}, not stored`);
    unanswered -= 1;
    return true;
  }

  clock.after(0, () => arrive(0));
  return {
    areDone: (): boolean => {
      for (const id of committedIds) if (ledger.storedIds.has(id)) committedIds.delete(id);
      return unanswered === 0 && committedIds.size === 0;
    },
  };
}

function nothing(): void {
  // The ledger sees what is stored; a call that is sent once more needs no answer.
}
