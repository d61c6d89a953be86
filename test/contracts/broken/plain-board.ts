// A board in few lines, each step of which a defect may replace. With no defect it keeps the contract.

import type { BeatRequest, BoardProcess, BoardRow, DeliveryStore, EpochMs, LaneBoard } from "@postrider/core";
import { overOneDisk, type Storage } from "./storage.js";

export interface PlainProcess extends BoardProcess {
  readonly seenAt: EpochMs;
}

export interface PlainRow {
  readonly row: BoardRow;
  /** The number of its last change. */
  readonly change: number;
}

/** The contents that all stores on one storage share. */
export interface PlainContents {
  readonly processes: Map<string, PlainProcess>;
  readonly rows: Map<string, PlainRow>;
  changes: number;
}

export interface PlainPage {
  readonly rows: readonly BoardRow[];
  readonly next: number;
  readonly more: boolean;
}

/** The decisions of a board. */
export interface BoardSteps {
  /** The key by which ids are compared. */
  readonly key: (id: string) => string;
  readonly seen: (now: EpochMs, before: EpochMs | undefined) => EpochMs;
  readonly announced: (share: number, before: number | undefined) => number;
  readonly lives: (ageMs: number, liveForMs: number) => boolean;
  readonly removes: boolean;
  readonly living: (all: readonly BoardProcess[], request: BeatRequest) => readonly BoardProcess[];
  readonly follows: (revision: number, stored: number) => boolean;
  readonly kept: (row: BoardRow, before: BoardRow | undefined) => BoardRow;
  readonly refused: (asked: BoardRow, stored: BoardRow | undefined) => BoardRow | undefined;
  readonly after: (change: number, since: number) => boolean;
  readonly page: (changed: readonly PlainRow[], limit: number, last: number) => PlainPage;
  readonly leave: (contents: PlainContents, process: string) => void;
}

export const WORKING_STEPS: BoardSteps = {
  key: (id) => id,
  seen: (now) => now,
  announced: (share) => share,
  lives: (ageMs, liveForMs) => Math.abs(ageMs) <= liveForMs,
  removes: true,
  living: (all) => all,
  follows: (revision, stored) => revision === stored + 1,
  kept: (row) => row,
  refused: (_asked, stored) => stored,
  after: (change, since) => change > since,
  page: (changed, limit, last) => {
    const page = changed.slice(0, limit);
    const more = page.length < changed.length;
    return { rows: page.map(({ row }) => row), more, next: more ? (page.at(-1)?.change ?? 0) : last };
  },
  leave: ({ processes }, process) => void processes.delete(process),
};

export function emptyContents(): PlainContents {
  return { processes: new Map(), rows: new Map(), changes: 0 };
}

/** The methods of a board as steps that take no time. */
export interface PlainBoard {
  announce(request: BeatRequest, now: EpochMs): void;
  living(request: BeatRequest, now: EpochMs): readonly BoardProcess[];
  changed(request: BeatRequest): PlainPage;
  write(row: BoardRow): readonly BoardRow[];
  leave(process: string): void;
}

export function createPlainBoard(contents: PlainContents, defects: Partial<BoardSteps> = {}): PlainBoard {
  const steps = { ...WORKING_STEPS, ...defects };
  const { processes, rows } = contents;
  return {
    announce: ({ process, share, liveForMs }, now) => {
      const before = processes.get(steps.key(process));
      const [seenAt, announced] = [steps.seen(now, before?.seenAt), steps.announced(share, before?.share)];
      processes.set(steps.key(process), { process, share: announced, seenAt });
      for (const [key, one] of processes)
        if (steps.removes && !steps.lives(now - one.seenAt, liveForMs)) processes.delete(key);
    },
    living: (request, now) => {
      const living = [...processes.values()].filter((one) => steps.lives(now - one.seenAt, request.liveForMs));
      return steps.living(
        living.map(({ process, share }) => ({ process, share })),
        request,
      );
    },
    changed: ({ since, limit }) => {
      const from = Number(since ?? 0);
      const changed = [...rows.values()].filter(({ change }) => steps.after(change, from));
      const page = steps.page(
        changed.toSorted((one, other) => one.change - other.change),
        limit,
        contents.changes,
      );
      return page.more && page.rows.length === 0 ? { ...page, next: from } : page;
    },
    write: (row) => {
      const existing = rows.get(steps.key(row.lane))?.row;
      if (steps.follows(row.revision, existing?.revision ?? 0)) {
        contents.changes += 1;
        rows.set(steps.key(row.lane), { row: steps.kept(row, existing), change: contents.changes });
        return [];
      }
      const refused = steps.refused(row, existing);
      return refused === undefined ? [] : [refused];
    },
    leave: (process) => {
      steps.leave(contents, steps.key(process));
    },
  };
}

/** The methods of a board, each of which is one step. */
export function boardInSteps(plain: PlainBoard, step: <T>(work: () => T) => Promise<T>): LaneBoard {
  return {
    beat: (request, now) =>
      step(() => {
        plain.announce(request, now);
        return newsOf(plain.living(request, now), plain.changed(request));
      }),
    write: (rows) => step(() => rows.flatMap((row) => plain.write(row))),
    leave: (process) =>
      step(() => {
        plain.leave(process);
      }),
  };
}

/** The board of a store: it rejects once that is closed, and goes by its clock if it has one. */
export function boardOfStore(store: DeliveryStore, plain: PlainBoard): LaneBoard {
  const board = boardInSteps(plain, async (work) => {
    await store.counts();
    return work();
  });
  return { ...board, beat: async (request, now) => board.beat(request, (await store.clock?.wall()) ?? now) };
}

export function newsOf(
  processes: readonly BoardProcess[],
  { rows, next, more }: PlainPage,
): Awaited<ReturnType<LaneBoard["beat"]>> {
  return { processes, rows, next: String(next), more };
}

/** A storage whose board has these steps in place of those that work. */
export function overPlainBoard(defects: Partial<BoardSteps>): () => Storage {
  return () => {
    const contents = emptyContents();
    return overOneDisk((store) => ({ ...store, board: boardOfStore(store, createPlainBoard(contents, defects)) }));
  };
}
