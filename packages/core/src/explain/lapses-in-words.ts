// Writes how often a delivery may have been sent without a record of it, and why: whose claim was not settled before its lease ended.

import type { Lapses } from "../delivery/delivery.js";
import { formatTimestamp } from "../time/format-timestamp.js";

/** Two sentences: how many rounds and whose claim; who claimed the delivery again, and what that tells of the reason. */
export function lapsesInWords(lapses: Lapses): string {
  const { count, process, leaseUntil } = lapses;
  const rounds = count === 1 ? "One round" : `${String(count)} rounds`;
  const until = formatTimestamp(leaseUntil);
  const last = count === 1 ? "it" : "the last of them";
  return `${rounds} may have been sent without a record: process ${process} had claimed the delivery until ${until} and did not store how ${last} ended. ${takenInWords(lapses)}`;
}

function takenInWords({ process, takenAt, takenBy }: Lapses): string {
  const at = formatTimestamp(takenAt);
  if (takenBy === undefined) return `The delivery became dead at ${at} without a further round.`;
  return takenBy === process
    ? `The same process claimed it again at ${at}: its store had failed, or the machine had stood still.`
    : `Process ${takenBy} claimed it again at ${at}: the other one had been ended, stood still, or had lost its store.`;
}
