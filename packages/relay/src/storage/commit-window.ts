// How commits of the last seconds ended. A store may answer reads in time and yet take no commit, as one that has become read-only: then
// more than half of them fail (decision: silent connections).

import type { Clock, MonoMs } from "@postrider/core";
import { COMMIT_WINDOW_MS, COMMIT_WINDOW_PARTS, MIN_FAILED_COMMITS } from "../limits.js";

export interface CommitWindow {
  note(isMade: boolean): void;
  /** Whether more than half of the commits in the window have failed, and enough of them to say so. */
  isFailing(): boolean;
}

interface Part {
  readonly begunAt: MonoMs;
  made: number;
  failed: number;
}

export function createCommitWindow(clock: Pick<Clock, "monotonic">): CommitWindow {
  /** The oldest first; at most as many as the window has parts. */
  const parts: Part[] = [];

  function current(now: MonoMs): Part {
    const last = parts.at(-1);
    if (last !== undefined && now - last.begunAt < COMMIT_WINDOW_MS / COMMIT_WINDOW_PARTS) return last;
    const part = { begunAt: now, made: 0, failed: 0 };
    parts.push(part);
    if (parts.length > COMMIT_WINDOW_PARTS) parts.shift();
    return part;
  }

  return {
    note: (isMade): void => {
      const part = current(clock.monotonic());
      if (isMade) part.made += 1;
      else part.failed += 1;
    },
    isFailing: () => {
      const from = clock.monotonic() - COMMIT_WINDOW_MS;
      let [made, failed] = [0, 0];
      for (const part of parts) {
        if (part.begunAt <= from) continue;
        made += part.made;
        failed += part.failed;
      }
      return failed >= MIN_FAILED_COMMITS && failed > made;
    },
  };
}
