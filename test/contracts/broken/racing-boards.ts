// Boards that look first and act later, so that another process comes between.

import type { BoardRow } from "@postrider/core";
import { inOneStep, overGatedBoard } from "./gated-boards.js";
import { newsOf } from "./plain-board.js";
import type { Storage } from "./storage.js";

/** Looks first who lives, and then announces itself. */
export const lookingBeforeBeating: () => Storage = overGatedBoard(({ plain, step }) => ({
  beat: async (request, now) => {
    const otherProcesses = await step(() =>
      plain.living(request, now).filter(({ process }) => process !== request.process),
    );
    return step(() => {
      plain.announce(request, now);
      return newsOf([...otherProcesses, { process: request.process, share: request.share }], plain.changed(request));
    });
  },
}));

/** The same, of processes that are known: only new ones wait for each other. */
export const lookingBeforeAnnouncing: () => Storage = overGatedBoard((board) => ({
  beat: async (request, now) => {
    const { plain, step, contents } = board;
    const isKnown = contents.processes.has(request.process);
    if (!isKnown) return inOneStep(board).beat(request, now);
    const otherProcesses = await step(() =>
      plain.living(request, now).filter(({ process }) => process !== request.process),
    );
    return step(() => {
      plain.announce(request, now);
      return newsOf([...otherProcesses, { process: request.process, share: request.share }], plain.changed(request));
    });
  },
}));

/** Looks first who lives no more, and then removes these. */
export const removingWhatWasDead: () => Storage = overGatedBoard(({ plain, step, contents }) => ({
  beat: async (request, now) => {
    const dead = await step(() =>
      [...contents.processes]
        .filter(([, { seenAt }]) => Math.abs(now - seenAt) > request.liveForMs)
        .map(([key]) => key),
    );
    return step(() => {
      for (const key of dead) if (key !== request.process) contents.processes.delete(key);
      plain.announce(request, now);
      return newsOf(plain.living(request, now), plain.changed(request));
    });
  },
}));

/** Writes back all processes but the one that leaves. */
export const leavingByWritingAll: () => Storage = overGatedBoard(({ step, contents: { processes } }) => ({
  leave: async (process) => {
    const otherEntries = await step(() => [...processes].filter(([key]) => key !== process));
    await step(() => {
      processes.clear();
      for (const [key, one] of otherEntries) processes.set(key, one);
    });
  },
}));

/** Takes the number of a change in one step, and writes the row in a further one, as a sequence beside a transaction does. */
export const numberingBeforeWriting: () => Storage = overGatedBoard(({ plain, step, contents }) => ({
  write: async (rows) => {
    const first = await step(() => {
      contents.changes += rows.length;
      return contents.changes - rows.length;
    });
    return step(() => {
      const last = contents.changes;
      const refused = rows.flatMap((row, index) => {
        contents.changes = first + index;
        return plain.write(row);
      });
      contents.changes = last;
      return refused;
    });
  },
}));

/** Takes the cursor in a step after that which reads the rows. */
export const takingCursorsLate: () => Storage = overGatedBoard((board) => ({
  beat: async (request, now) => {
    const news = await inOneStep(board).beat(request, now);
    if (news.more) return news;
    return { ...news, next: await board.step(() => String(board.contents.changes)) };
  },
}));

/** Reads all pages of a process from the rows as they were at the first of them, and goes on from the present after the last. */
export const pagingThroughSnapshots: () => Storage = overGatedBoard((board) => {
  const pages = new Map<string, readonly BoardRow[]>();
  return {
    beat: async (request, now) => {
      const { process, limit, since = "0" } = request;
      const { processes, ...all } = await inOneStep(board).beat({ ...request, limit: Infinity }, now);
      const remaining = pages.get(`${process} ${since}`) ?? all.rows;
      pages.delete(`${process} ${since}`);
      const more = remaining.length > limit;
      const next = more ? `${String(Number(since))}.${String(remaining.length)}` : all.next;
      if (more) pages.set(`${process} ${next}`, remaining.slice(limit));
      return { processes, rows: remaining.slice(0, limit), next, more };
    },
  };
});

/** Looks at the stored rows in one step, and writes over them in a further one. */
export const comparingBeforeWriting: () => Storage = overGatedBoard(({ plain, step, contents }) => ({
  write: async (rows) => {
    const currentRows = await step(() => rows.map(({ lane }) => contents.rows.get(lane)?.row));
    return step(() =>
      rows.flatMap((row, index) => {
        const before = currentRows[index];
        if (row.revision !== (before?.revision ?? 0) + 1) return before ?? [];
        contents.rows.delete(row.lane);
        for (let revision = 1; revision < row.revision; revision += 1) plain.write({ ...row, revision });
        return plain.write(row);
      }),
    );
  },
}));

/** Is answered nothing if another was quicker: looks for the stored rows before it writes. */
export const answeringWhatWasStored: () => Storage = overGatedBoard(({ plain, step, contents }) => ({
  write: async (rows) => {
    const before = await step(() => rows.map(({ lane }) => contents.rows.get(lane)?.row));
    const refused = await step(() => rows.flatMap((row) => plain.write(row)));
    return refused.flatMap(({ lane }) => before.find((row) => row?.lane === lane) ?? []);
  },
}));

/** Writes each row in a separate step. */
export const writingRowByRow: () => Storage = overGatedBoard(({ plain, step }) => ({
  write: async (rows) => {
    const refused: BoardRow[] = [];
    for (const row of rows) refused.push(...(await step(() => plain.write(row))));
    return refused;
  },
}));

/** Locks each row in the order in which they come, and writes them once it has all locks. */
export function lockingInAnyOrder(): Storage {
  const locks = new Map<string, Promise<void>>();
  return overGatedBoard(({ plain, step }) => ({
    write: async (rows) => {
      const releases: (() => void)[] = [];
      try {
        for (const { lane } of rows) {
          await step(() => undefined);
          while (locks.has(lane)) await locks.get(lane);
          releases.push(lock(locks, lane));
        }
        return await step(() => rows.flatMap((row) => plain.write(row)));
      } finally {
        for (const release of releases) release();
      }
    },
  }))();
}

/** Locks a row. Returns what unlocks it. */
export function lock(locks: Map<string, Promise<void>>, lane: string): () => void {
  let wake = (): void => undefined;
  locks.set(lane, new Promise((resolve) => (wake = resolve)));
  return () => {
    locks.delete(lane);
    wake();
  };
}
