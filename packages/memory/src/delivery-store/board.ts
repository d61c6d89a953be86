// The parts by which the processes of a memory delivery store act as one: its board and its hints. All stores on one disk have the same.
// A cursor is the number of the last change that was returned.

import {
  type BoardNews,
  type BoardRow,
  createStoreError,
  type EpochMs,
  type Hints,
  type LaneBoard,
} from "@postrider/core";
import type { BoardContents, Answering, HintListeners } from "./contents.js";
import type { MemoryStoreBounds } from "./bounds.js";

export function createMemoryBoard(
  board: BoardContents,
  { maxBoardRows }: Pick<MemoryStoreBounds, "maxBoardRows">,
  { answer, timeFor }: Answering,
): LaneBoard {
  return {
    beat: ({ process, share, liveForMs, since, limit }, now) =>
      answer(() => {
        const seenAt = timeFor(now);
        board.processes.set(process, { share, seenAt });
        removeDead(board, liveForMs, seenAt);
        const processes = [...board.processes].map(([id, entry]) => ({ process: id, share: entry.share }));
        return { processes, ...changedSince(board, Number(since ?? 0), limit) };
      }),
    write: (rows) =>
      answer(() => {
        const added = rows.filter(({ lane, revision }) => revision === 1 && !board.rows.has(lane));
        if (board.rows.size + added.length > maxBoardRows) {
          throw createStoreError("full", "the memory store is at its bound");
        }
        return rows.flatMap((row) => (replace(board, row) ? [] : existingRows(board.rows, row.lane)));
      }),
    leave: (process) => answer(() => void board.processes.delete(process)),
  };
}

function removeDead({ processes }: BoardContents, liveForMs: number, now: EpochMs): void {
  for (const [process, { seenAt }] of processes) if (Math.abs(now - seenAt) > liveForMs) processes.delete(process);
}

function changedSince(
  { rows, changes }: BoardContents,
  since: number,
  limit: number,
): Pick<BoardNews, "rows" | "next" | "more"> {
  const laterChanges = changes.after(since) ?? [];
  const page = laterChanges.slice(0, limit);
  const more = page.length < laterChanges.length;
  const next = more ? (page.at(-1)?.[1] ?? since) : changes.lastNumber();
  return { rows: page.flatMap(([lane]) => existingRows(rows, lane)), next: String(next), more };
}

function replace({ rows, changes }: BoardContents, row: BoardRow): boolean {
  if (row.revision !== (rows.get(row.lane)?.revision ?? 0) + 1) return false;
  changes.note(row.lane);
  rows.set(row.lane, copy(row));
  return true;
}

function existingRows(rows: BoardContents["rows"], lane: BoardRow["lane"]): readonly BoardRow[] {
  const row = rows.get(lane);
  return row === undefined ? [] : [copy(row)];
}

function copy({ backoff, tokens, holds, ...row }: BoardRow): BoardRow {
  return {
    ...row,
    ...(backoff && { backoff: { ...backoff } }),
    ...(tokens && { tokens: { ...tokens } }),
    holds: holds.map((hold) => ({ ...hold })),
  };
}

/** Hints of one store, which end with `close`. */
export interface MemoryHints {
  readonly hints: Hints;
  readonly close: () => void;
}

/** Each hint arrives once, in a later turn of the microtask queue, at all listeners of other stores on the disk. */
export function createMemoryHints(listeners: HintListeners, answer: Answering["answer"]): MemoryHints {
  const store = {};
  let isOpen = true;
  return {
    hints: {
      tell: (lanes) =>
        answer(() => {
          const others = [...listeners].filter(([, owner]) => owner !== store);
          for (const [listener] of others)
            void Promise.resolve([...lanes]).then((copy) => listeners.has(listener) && listener(copy));
        }),
      listen: (onHint) => {
        if (!isOpen) return () => undefined;
        const listener: typeof onHint = (lanes) => onHint(lanes);
        listeners.set(listener, store);
        return () => void listeners.delete(listener);
      },
    },
    close: (): void => {
      isOpen = false;
      for (const [listener, owner] of listeners) if (owner === store) listeners.delete(listener);
    },
  };
}
