// The writes that wait for the next commit, in the order of their arrival, and their total size.

import type { MonoMs, SettleResult, Settlement } from "@postrider/core";
import type { Result } from "neverthrow";
import { COMMIT_ROWS } from "../limits.js";
import type { StoreFault } from "./store-fault.js";
import { bytesOf, needsSpace, rowsOf, type WriteOutcome, type WriteRequest } from "./write-request.js";

/** The write that one caller waits for. */
export type PendingWrite = PendingRequest | PendingSettlement;

export interface PendingRequest {
  readonly written: WriteRequest;
  readonly since: MonoMs;
  readonly answer: (result: Result<WriteOutcome, StoreFault>) => void;
}

export interface PendingSettlement {
  readonly written: Settlement;
  readonly since: MonoMs;
  readonly answer: (result: Result<SettleResult, StoreFault>) => void;
}

export interface GatheredWrites {
  add(part: PendingWrite): void;
  /** The write that has waited longest. */
  first(): PendingWrite | undefined;
  /** Whether a caller waits for one of them. */
  isAwaited(): boolean;
  rows(): number;
  bytes(): number;
  /** Takes the first write, and as many after it as fit one commit. */
  takeNext(): readonly PendingWrite[];
}

export function createGatheredWrites(): GatheredWrites {
  const parts: PendingWrite[] = [];
  let awaited = 0;
  let rows = 0;
  let bytes = 0;

  return {
    add: (part): void => {
      parts.push(part);
      if (needsSpace(part.written)) awaited += 1;
      rows += rowsOf(part.written);
      bytes += bytesOf(part.written);
    },
    first: () => parts[0],
    isAwaited: () => awaited > 0,
    rows: () => rows,
    bytes: () => bytes,
    takeNext: () => {
      const taken = parts.splice(0, countFitting(parts));
      for (const { written } of taken) {
        if (needsSpace(written)) awaited -= 1;
        rows -= rowsOf(written);
        bytes -= bytesOf(written);
      }
      return taken;
    },
  };
}

/** How many of the first writes fit one commit: at least one, whatever its size. */
function countFitting(parts: readonly PendingWrite[]): number {
  let rows = 0;
  const beyond = parts.findIndex(({ written }) => {
    rows += rowsOf(written);
    return rows > COMMIT_ROWS;
  });
  return beyond === -1 ? parts.length : Math.max(1, beyond);
}
