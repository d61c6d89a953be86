// The storage under test of a run, the stores that are open on it, and a log of all commands for the message of a
// failure.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import { toPlainJson } from "../../check.js";
import type { DeliveryStoreHarness } from "../harness.js";

export interface TestedStorage {
  /** The stores that are open: one, or two that share the storage. */
  stores(): readonly [DeliveryStore, ...DeliveryStore[]];
  now(): EpochMs;
  advance(ms: number): Promise<void>;
  /** Opens the storage again without closing the stores, as after a crash. */
  crash(): Promise<void>;
  /** Opens the storage once more, beside the stores in use. */
  openAnother(): Promise<void>;
  /** Logs a command; its instants are shown as milliseconds since the start of the run. */
  note(name: string, asked: unknown): void;
  story(): string;
  close(): Promise<void>;
}

/** Opens a storage that is new and empty. */
export async function openTestedStorage(harness: DeliveryStoreHarness): Promise<TestedStorage> {
  const startedAt = harness.now();
  const lines: string[] = [];
  const left: DeliveryStore[] = [];
  let stores: [DeliveryStore, ...DeliveryStore[]] = [await harness.open()];

  return {
    stores: () => stores,
    now: () => harness.now(),
    advance: (ms) => harness.advance(ms),
    crash: async (): Promise<void> => {
      left.push(...stores);
      stores = [await harness.open()];
    },
    openAnother: async (): Promise<void> => {
      stores = [...stores, await harness.open()];
    },
    note: (name, asked): void => {
      const at = String(harness.now() - startedAt);
      lines.push(`  at ${at} ms: ${name} ${asked === undefined ? "" : write(asked, startedAt)}`.trimEnd());
    },
    story: () => lines.join("\n"),
    // Closes crashed stores too: they can no longer change anything, and may have open files.
    close: async (): Promise<void> => {
      for (const store of [...left, ...stores]) await store.close().catch(() => undefined);
    },
  };
}

/** A number is an instant if it is this close to the start: all other numbers of a run are far smaller. */
const SPAN_MS = 1_000_000_000;

function write(asked: unknown, startedAt: EpochMs): string {
  return JSON.stringify(toPlainJson(asked), (_name, value: unknown) => {
    if (Array.isArray(value) && value.length === 0) return undefined;
    const isInstant = typeof value === "number" && Math.abs(value - startedAt) < SPAN_MS;
    return isInstant ? `${String(value - startedAt)} ms` : value;
  });
}
