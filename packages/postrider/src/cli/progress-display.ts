// Shows the progress of long work: on a terminal as a moving bar, otherwise as a line from time to time. Short work writes no
// line, so that a scheduled job has no output unless something is wrong.

import type { Cancel, Clock, MonoMs } from "@postrider/core";
import { formatCount } from "./format-count.js";
import type { Host } from "./host.js";

interface Progress {
  /** The kind of work, such as "sending". */
  readonly doing: string;
  readonly done: number;
  /** Absent if unknown. */
  readonly total?: number;
  /** Further text. */
  readonly note?: string;
}

export interface ProgressDisplay {
  show(progress: Progress): void;
  /** Removes the bar. */
  clear(): void;
}

const BAR_LENGTH = 24;

/** The time before the first line, and the shortest time between two lines about the same kind of work. */
const LINE_EVERY_MS = 10_000;

export function createProgressDisplay({ status, err, clock }: Pick<Host, "status" | "err" | "clock">): ProgressDisplay {
  const startedAt = clock.monotonic();
  let lastLine: { readonly doing: string; readonly at: MonoMs } | undefined;
  return {
    show: (progress) => {
      if (status !== undefined) {
        status(barOf(progress));
        return;
      }
      const at = clock.monotonic();
      if (at - startedAt < LINE_EVERY_MS) return;
      if (lastLine?.doing === progress.doing && at - lastLine.at < LINE_EVERY_MS) return;
      lastLine = { doing: progress.doing, at };
      err(wordsOf(progress));
    },
    clear: () => status?.(""),
  };
}

function barOf(progress: Progress): string {
  const share = shareOf(progress);
  if (share === undefined) return wordsOf(progress);
  const filled = Math.round(share * BAR_LENGTH);
  return `[${"#".repeat(filled)}${"-".repeat(BAR_LENGTH - filled)}] ${wordsOf(progress)}`;
}

function wordsOf(progress: Progress): string {
  const { doing, done, total, note } = progress;
  const share = shareOf(progress);
  const percent = share === undefined ? [] : [`${String(Math.floor(share * 100))} %`];
  const counts = total === undefined ? formatCount(done) : `${formatCount(done)} of ${formatCount(total)}`;
  return [...percent, `${doing} ${counts}`, ...(note === undefined ? [] : [note])].join(", ");
}

function shareOf({ done, total }: Progress): number | undefined {
  return total === undefined || total === 0 ? undefined : Math.min(1, done / total);
}

/** Calls `work` each time `everyMs` have passed, until cancelled: for progress that is shown while something else goes on. */
export function repeatEvery(clock: Pick<Clock, "after">, everyMs: number, work: () => void): Cancel {
  let cancel = clock.after(everyMs, run);
  function run(): void {
    work();
    cancel = clock.after(everyMs, run);
  }
  return () => cancel();
}
