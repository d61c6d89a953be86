// Decides which part of each lane's limit a process may use (decision: lane board). A part is announced before it is used: since
// of two beats one sees the other, all parts in use are never more than the whole.

import type { MonoMs, ProcessId } from "../ids.js";
import { BOARD_BEAT_MS, BOARD_LIVE_MS } from "../limits.js";
import type { BoardProcess } from "../ports/lane-board.js";

/** The part of a process. */
export interface BoardShare {
  /** The instant at which the process first announced that it lives, or did so again after others took it for dead. */
  readonly joinedAt: MonoMs;
  /** The instant at which it asked the board for its latest answer. */
  readonly seenAt: MonoMs;
  /** The part that it may use: it was announced, and no other process may use it. */
  readonly granted: number;
  /** The part that it announced last. */
  readonly announced: number;
  /** An equal part of the whole for each process that lives. */
  readonly fair: number;
}

/** The tolerance for rounding errors in sums of parts. */
const ROUNDING = 1e-9;

/** The part of a new process: none, until the others have had time to announce theirs. */
export function joinBoard(now: MonoMs): BoardShare {
  return { joinedAt: now, seenAt: now, granted: 0, announced: 0, fair: 0 };
}

/** The part that a process may use now. */
export function usableShare({ granted, fair }: BoardShare): number {
  return Math.min(granted, fair);
}

/** True if the process has announced, and may use, exactly its fair part. */
export function isSettled({ granted, announced, fair }: BoardShare): boolean {
  return granted === fair && announced === fair;
}

/**
 * Returns the share to announce with a beat. `isDrained`: no lane of the process has more rounds under way than its usable part allows;
 * only then is the excess free for others.
 */
export function announce(share: BoardShare, isDrained: boolean, now: MonoMs): BoardShare {
  if (now - share.seenAt > BOARD_LIVE_MS) return joinBoard(now);
  const { joinedAt, granted, fair } = share;
  if (now - joinedAt < BOARD_BEAT_MS) return share;
  const announced = isDrained ? fair : Math.max(granted, fair);
  return { ...share, announced, granted: Math.min(granted, announced) };
}

/** An answer to a beat. */
export interface HeardShares {
  /** The asking process. */
  readonly process: ProcessId;
  readonly processes: readonly BoardProcess[];
  readonly askedAt: MonoMs;
}

/** The part after the answer to the beat that announced it. */
export function hearShares(share: BoardShare, { process, processes, askedAt }: HeardShares): BoardShare {
  const otherProcesses = processes.filter((candidate) => candidate.process !== process);
  const othersShare = otherProcesses.reduce((sum, candidate) => sum + candidate.share, 0);
  const fits = othersShare + share.announced <= 1 + ROUNDING;
  return {
    ...share,
    seenAt: askedAt,
    fair: 1 / (otherProcesses.length + 1),
    granted: fits ? share.announced : share.granted,
  };
}

/** The part of `limit` that a process may use: at least one, so that no lane waits for others. */
export function shareOfLimit(limit: number, share: number): number {
  return share === 1 ? limit : Math.max(1, Math.floor(limit * share + ROUNDING));
}
