// Boards that do half of something when their storage fails, or say that they did it.

import type { BoardRow } from "@postrider/core";
import { inOneStep, overGatedBoard } from "./gated-boards.js";
import { newsOf } from "./plain-board.js";
import type { Storage } from "./storage.js";

/** Announces a share in one step, and removes who lives no more in a further one. */
export const removingLater: () => Storage = overGatedBoard(({ plain, step }) => ({
  beat: async (request, now) => {
    await step(() => {
      plain.announce({ ...request, liveForMs: Infinity }, now);
    });
    return step(() => {
      plain.announce(request, now);
      return newsOf(plain.living(request, now), plain.changed(request));
    });
  },
}));

/** Answers that no other process lives, and that nothing has changed, when it cannot read. */
export const beatingAlone: () => Storage = overGatedBoard((board) => ({
  beat: (request, now) =>
    inOneStep(board)
      .beat(request, now)
      .catch(() => newsOf([request], { rows: [], next: Number(request.since ?? 0), more: false })),
}));

/** Reads the rows in a step after that which announces, and is busy if it cannot. */
export const busyAfterBeating: () => Storage = overGatedBoard(({ plain, step }) => ({
  beat: async (request, now) => {
    const living = await step(() => {
      plain.announce(request, now);
      return plain.living(request, now);
    });
    return newsOf(living, await step(() => plain.changed(request)));
  },
}));

/** Reads what was refused in a step after the write, and is busy if it cannot. */
export const busyAfterWriting: () => Storage = overGatedBoard(({ plain, step }) => ({
  write: async (rows) => {
    const refused = await step(() => rows.flatMap((row) => plain.write(row)));
    await step(() => undefined);
    return refused;
  },
}));

/** Says that a process has left although it could not be told. */
export const leavingSilently: () => Storage = overGatedBoard((board) => ({
  leave: (process) =>
    inOneStep(board)
      .leave(process)
      .catch(() => undefined),
}));

/** Answers a write before it takes effect. */
export const writingBehind: () => Storage = overGatedBoard(({ plain, step, contents }) => ({
  write: async (rows) => {
    const isNext = (row: BoardRow): boolean => row.revision === (contents.rows.get(row.lane)?.row.revision ?? 0) + 1;
    const refused = await step(() => rows.filter((row) => !isNext(row)).flatMap((row) => plain.write(row)));
    step(() => rows.flatMap((row) => plain.write(row))).catch(() => undefined);
    return refused;
  },
}));
