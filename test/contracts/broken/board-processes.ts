// Boards that tell wrongly who lives, and with which share.

import { type BoardSteps, overPlainBoard, WORKING_STEPS } from "./plain-board.js";
import type { Storage } from "./storage.js";

const living = (lives: BoardSteps["lives"]): (() => Storage) => overPlainBoard({ lives });

export const dyingEarly: () => Storage = living((ageMs, liveForMs) => Math.abs(ageMs) < Math.max(1, liveForMs));
export const dyingLate: () => Storage = living((ageMs, liveForMs) => Math.abs(ageMs) <= liveForMs + 1);
export const livingAhead: () => Storage = living((ageMs, liveForMs) => ageMs <= liveForMs);
export const dyingAhead: () => Storage = living((ageMs, liveForMs) => ageMs >= 0 && ageMs <= liveForMs);
export const livingBySeconds: () => Storage = living(
  (ageMs, liveForMs) => Math.floor(Math.abs(ageMs) / 1_000) <= Math.floor(liveForMs / 1_000),
);
export const hidingTheDead: () => Storage = overPlainBoard({ removes: false });
export const seenAtTheLatest: () => Storage = overPlainBoard({
  seen: (now, before = now) => (now > before ? now : before),
});
export const seenAtFirst: () => Storage = overPlainBoard({ seen: (now, before = now) => before });
export const keepingFirstShares: () => Storage = overPlainBoard({ announced: (share, before = share) => before });
export const roundingShares: () => Storage = overPlainBoard({ announced: (share) => Math.fround(share) });
export const forgettingWhoAsks: () => Storage = overPlainBoard({
  living: (all, { process }) => all.filter((one) => one.process !== process),
});
export const pagingProcesses: () => Storage = overPlainBoard({ living: (all, { limit }) => all.slice(0, limit) });
export const neverLeaving: () => Storage = overPlainBoard({ leave: () => undefined });
export const leavingTogether: () => Storage = overPlainBoard({
  leave: ({ processes }) => {
    processes.clear();
  },
});
export const leavingWithRows: () => Storage = overPlainBoard({
  leave: (contents, process) => {
    WORKING_STEPS.leave(contents, process);
    for (const [lane, { row }] of contents.rows) if (row.backoff?.prober === process) contents.rows.delete(lane);
  },
});
export const leavingForOthers: () => Storage = overPlainBoard({
  leave: ({ processes }, process) => {
    const gone = processes.has(process) ? process : [...processes.keys()].at(-1);
    if (gone !== undefined) processes.delete(gone);
  },
});
