// Shows how far something is that takes long: on a terminal as a bar that moves, else as a line now and then, so that a
// log stays short. What is over soon writes no line at all, wherever it is caught under way: a job whose output is
// mailed stays silent unless something is wrong.

import type { MonoMs } from "@postrider/core";
import type { Host } from "./host.js";
import { inDigits } from "./in-digits.js";

export interface Progress {
  /** As in "sending". */
  readonly doing: string;
  readonly done: number;
  /** Absent where nobody knows it. */
  readonly total?: number;
  /** What else is worth knowing. */
  readonly note?: string;
}

export interface ShowProgress {
  show(progress: Progress): void;
  /** Leaves nothing on the line. */
  clear(): void;
}

const BAR_LENGTH = 24;
/** How long a log is silent at first, and after a line about the same. */
const SILENCE_MS = 10_000;

export function createShowProgress({ status, err, clock }: Pick<Host, "status" | "err" | "clock">): ShowProgress {
  const begunAt = clock.monotonic();
  let shown: { readonly doing: string; readonly at: MonoMs } | undefined;
  return {
    show: (progress) => {
      if (status !== undefined) {
        status(barOf(progress));
        return;
      }
      const at = clock.monotonic();
      if (at - begunAt < SILENCE_MS) return;
      if (shown?.doing === progress.doing && at - shown.at < SILENCE_MS) return;
      shown = { doing: progress.doing, at };
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
  const counts = total === undefined ? inDigits(done) : `${inDigits(done)} of ${inDigits(total)}`;
  return [...percent, `${doing} ${counts}`, ...(note === undefined ? [] : [note])].join(", ");
}

function shareOf({ done, total }: Progress): number | undefined {
  return total === undefined || total === 0 ? undefined : Math.min(1, done / total);
}
