// The callers of a simulation. They repeat each call, as a client library does, until its receipt says accepted or
// duplicate. Compares each receipt with the ledger.

import type { Random, Receipt } from "@postrider/core";
import type { ManualClock } from "@postrider/memory";
import { SITE } from "./build-workspace.js";
import { blame, type Ledger, tell } from "./ledger/ledger.js";
import type { Machine } from "./machine/create-machine.js";
import type { Load, SimulationOptions } from "./simulation.js";

export const DEFAULT_LOAD: Load = { calls: 50, overMs: 60_000 };

/** How long a caller waits for an answer, and how long it pauses before it sends the calls again. */
const PATIENCE_MS = 15_000;
const RETRY_MS = 2_000;

export interface Callers {
  /** Whether every call was answered as accepted, or as a duplicate. */
  areDone(): boolean;
}

export interface CallersOptions {
  readonly clock: ManualClock;
  readonly random: Random;
  readonly ledger: Ledger;
  readonly machine: Machine;
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

export function startCallers({ clock, random, ledger, machine, options }: CallersOptions): Callers {
  const load = options.load ?? DEFAULT_LOAD;
  const { calls, overMs, perArrival = 1 } = load;
  const arrivals = Math.ceil(calls / perArrival);
  let open = calls;
  let made = 0;

  /** Makes one arrival, then sets the timer for the next, so that a long load needs only one timer. */
  function arrive(arrival: number): void {
    const size = Math.min(perArrival, calls - made);
    submit(Array.from({ length: size }, () => writeCall()));
    if (arrival + 1 < arrivals) clock.after(overMs / arrivals, () => arrive(arrival + 1));
  }

  function writeCall(): Call {
    made += 1;
    const number = made;
    const leftOut = Object.keys(options.receivers).filter(() => random.unit() < (load.leftOut ?? 0));
    const integrations = Object.fromEntries(leftOut.map((name) => [name, false]));
    const call = { type: "track" as const, messageId: `m${String(number)}`, userId: `u${String(number % 17)}` };
    const properties = { total: number / 8, items: ["ä", number] };
    return { ...call, event: "Order Completed", properties, ...(leftOut.length === 0 ? {} : { integrations }) };
  }

  function submit(calls: readonly Call[]): void {
    let isAnswered = false;
    const again = (left: readonly Call[]): void => {
      if (isAnswered) return;
      isAnswered = true;
      if (left.length > 0) clock.after(RETRY_MS, () => submit(left));
    };
    const process = machine.running();
    if (process === undefined) {
      again(calls);
      return;
    }
    const giveUp = clock.after(PATIENCE_MS, () => again(calls));
    void process.relay.accept({ source: SITE, calls }).match(
      (receipts) => {
        giveUp();
        const left = isAnswered ? [] : calls.filter((call, index) => !hear(call, receipts[index]));
        again(left);
      },
      () => {
        giveUp();
        again(calls);
      },
    );
  }

  /** Compares the receipt with the ledger. Returns whether the receipt says that the call is stored. */
  function hear({ messageId }: Call, receipt: Receipt | undefined): boolean {
    tell(ledger, `answered ${messageId} ${String(receipt?.kind)}`);
    if (receipt?.kind !== "accepted" && receipt?.kind !== "duplicate") return false;
    if (!ledger.stored.has(messageId)) blame(ledger, "receipt-is-true", `${messageId} is ${receipt.kind}, not stored`);
    open -= 1;
    return true;
  }

  clock.after(0, () => arrive(0));
  return { areDone: () => open === 0 };
}
