// What waits for the next commit, in the order in which it came, and how much of it there is.

import type { MonoMs } from "@postrider/core";
import type { Result } from "neverthrow";
import { COMMIT_ROWS } from "../limits.js";
import { type WriteResult, bytesOf, rowsOf, type WriteRequest } from "./write-request.js";
import type { StoreFault } from "./storage.js";

/** What one caller waits for. */
export interface PendingWrite {
  readonly written: WriteRequest;
  readonly since: MonoMs;
  readonly answer: (result: Result<WriteResult, StoreFault>) => void;
}

export interface Gathering {
  add(part: PendingWrite): void;
  /** The part that has waited longest. */
  first(): PendingWrite | undefined;
  rows(): number;
  bytes(): number;
  /** Takes the first part, and as many behind it as fit one commit. */
  takeNext(): readonly PendingWrite[];
}

export function createGathering(): Gathering {
  const parts: PendingWrite[] = [];
  let rows = 0;
  let bytes = 0;

  return {
    add: (part): void => {
      parts.push(part);
      rows += rowsOf(part.written);
      bytes += bytesOf(part.written);
    },
    first: () => parts[0],
    rows: () => rows,
    bytes: () => bytes,
    takeNext: () => {
      const taken = parts.splice(0, countFitting(parts));
      for (const { written } of taken) {
        rows -= rowsOf(written);
        bytes -= bytesOf(written);
      }
      return taken;
    },
  };
}

/** At least one, however large it is. */
function countFitting(parts: readonly PendingWrite[]): number {
  let rows = 0;
  const beyond = parts.findIndex(({ written }) => {
    rows += rowsOf(written);
    return rows > COMMIT_ROWS;
  });
  return beyond === -1 ? parts.length : Math.max(1, beyond);
}
