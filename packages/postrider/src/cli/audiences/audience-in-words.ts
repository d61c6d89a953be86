// Writes an audience of the API, and the reports of its syncs, as text for a terminal.

import type { JsonObject } from "@postrider/core";
import { isPlainObject } from "@postrider/core/engine";
import { counted, formatCount } from "../format-count.js";

/** `big_spenders: sync 2: 3 members, 1 entered, 0 departed, 0 changed; tells crm, mail`, and the progress of a sync. */
export function audienceInWords(audience: JsonObject): string {
  const { key, running, last, destinations } = audience;
  const tells = `tells ${(destinations as readonly string[]).join(", ")}`;
  return [`${String(key)}: ${lastInWords(last)}`, tells, ...runningInWords(running)].join("; ");
}

/** `sync 2: 3 members, 1 entered, 0 departed, 0 changed` */
export function reportInWords(report: JsonObject): string {
  const { sync, members, entered, departed, changed } = report;
  const counts = [
    counted(members, "member"),
    `${formatCount(entered)} entered`,
    `${formatCount(departed)} departed`,
    `${formatCount(changed)} changed`,
  ];
  return `sync ${String(sync)}: ${counts.join(", ")}`;
}

function lastInWords(last: unknown): string {
  return isPlainObject(last) ? reportInWords(last) : "never synced";
}

function runningInWords(running: unknown): readonly string[] {
  if (!isPlainObject(running)) return [];
  const { sync, phase, done, total } = running;
  return [`sync ${String(sync)} is ${String(phase)}, ${formatCount(done)} of ${formatCount(total)} done`];
}
