// Where a run takes place: the storage under test, the stores that are open on it, and a record of what was asked of them
// in words, so that a failure can tell its story.

import type { DeliveryStore, EpochMs } from "@postrider/core";
import { plain } from "../../check.js";
import type { DeliveryStoreHarness } from "../harness.js";

export interface Bench {
  /** The stores that are open: one, or two that share the storage. */
  stores(): readonly [DeliveryStore, ...DeliveryStore[]];
  now(): EpochMs;
  advance(ms: number): Promise<void>;
  /** Leaves the stores as they are, without a word, and opens the storage again. */
  crash(): Promise<void>;
  /** Opens the storage once more, beside the stores in use. */
  openAnother(): Promise<void>;
  /** Takes down what is asked; instants in it are shown as milliseconds since the run began. */
  note(name: string, asked: unknown): void;
  story(): string;
  close(): Promise<void>;
}

/** Opens a storage that is new and empty. */
export async function openBench(harness: DeliveryStoreHarness): Promise<Bench> {
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
    // Those that crashed too: it is too late for them to change anything, and they may hold files.
    close: async (): Promise<void> => {
      for (const store of [...left, ...stores]) await store.close().catch(() => undefined);
    },
  };
}

/** Further from the start than any instant of a run lies; what is nearer is an instant, since no other number is as large. */
const SPAN_MS = 1_000_000_000;

function write(asked: unknown, startedAt: EpochMs): string {
  return JSON.stringify(plain(asked), (_name, value: unknown) => {
    if (Array.isArray(value) && value.length === 0) return undefined;
    const isInstant = typeof value === "number" && Math.abs(value - startedAt) < SPAN_MS;
    return isInstant ? `${String(value - startedAt)} ms` : value;
  });
}
