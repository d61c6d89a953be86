// Tells the host's logger what an operator must know: a failed attempt is a warning, a dead delivery an error. How many lines
// of one kind are written is limited next door; what a source does wrong by habit is told once.

import { type Clock, describeResult, maskEndpoint, type SyncReport } from "@postrider/core";
import type { Happening } from "./relay-event.js";
import { MAX_TOLD_SLIPS } from "./limits.js";
import { createLogLimit, type Line } from "./log-limit.js";
import type { LogEntry, Logger, LogLevel } from "./logger.js";

/** An observer that logs. */
export function logHappenings(logger: Logger, clock: Clock): (happening: Happening) => void {
  const limit = createLogLimit(clock);
  const isNew = createMemory();
  return (happening): void => {
    const line = isNew(happening) ? lineOf(happening) : undefined;
    const isAdmitted = line !== undefined && limit.admits(line);
    for (const sum of limit.sums()) logger.log(sum.level, sum.entry);
    if (isAdmitted) logger.log(line.level, line.entry);
  };
}

/** False of a slip that the same source has made before: one line is enough to mend a program. */
function createMemory(): (happening: Happening) => boolean {
  const told = new Set<string>();
  return (happening) => {
    if (happening.kind !== "slip" || happening.slip === "all-in-another-case") return true;
    const what = JSON.stringify([happening.source, happening.slip]);
    if (told.has(what) || told.size >= MAX_TOLD_SLIPS) return false;
    told.add(what);
    return true;
  };
}

function lineOf(happening: Happening): Line | undefined {
  switch (happening.kind) {
    case "attempted":
      return attemptLine(happening);
    case "died":
      return line("error", { code: `dead-${happening.reason}`, ...where(happening), ...detail(happening.detail) });
    case "stale":
    case "local-fault":
      return line("warning", { code: happening.kind, ...where(happening) });
    case "orphaned":
    case "pulled-in":
      return line("warning", { code: happening.kind, destination: happening.destination, ...count(happening) });
    case "lane-held":
      return line("warning", { code: happening.kind, destination: happening.destination });
    case "lane-open":
      return line("info", { code: happening.kind, destination: happening.destination });
    case "ended":
      return line("error", {
        code: `dead-${happening.reason}`,
        destination: happening.destination,
        ...count(happening),
      });
    case "shed":
      return line("warning", { code: "shed", source: happening.source, detail: String(happening.calls) });
    case "refused":
      return line("warning", { code: `call-${happening.refusal.code}`, source: happening.source });
    case "slip":
      return line("warning", slipEntry(happening));
    case "store-fault":
      return line("error", { code: `store-${happening.code}`, ...detail(happening.why ?? null) });
    case "store-ended":
      return line("error", { code: happening.kind, detail: happening.why });
    case "store-stalled":
      return line("error", { code: happening.kind, detail: `no answer for ${seconds(happening.forMs)}` });
    case "store-answers":
      return line("info", { code: happening.kind, detail: `after ${seconds(happening.afterMs)}` });
    case "deletion-requested":
      return line("info", {
        code: happening.kind,
        deletion: happening.deletion,
        detail: `${happening.regulation} ${String(happening.users)}`,
      });
    case "purged":
      return line("info", { code: "purged", deletion: happening.deletion, ...count(happening) });
    case "deletion-finished":
      return line("info", { code: happening.kind, deletion: happening.deletion });
    case "synced":
      return line("info", { code: "synced", audience: happening.audience, detail: describeReport(happening.report) });
    case "swept":
      return line("info", { code: "swept", ...count(happening) });
    case "configured":
      return line("info", { code: "configured" });
    case "accepted":
    case "duplicate":
    case "suppressed":
    case "outdated":
    case "delivered":
    case "rescheduled":
    case "released":
      return undefined;
  }
}

function attemptLine(happening: Extract<Happening, { kind: "attempted" }>): Line | undefined {
  const { attempt } = happening;
  if (attempt.verdict === "success") return undefined;
  const described = describeResult(attempt.result);
  const isStatus = attempt.result.kind === "answered" && described !== "gone";
  const entry = { ...where(happening), endpoint: maskEndpoint(attempt.endpoint), detail: described };
  return line("warning", { code: isStatus ? "bad-status" : described, ...entry });
}

function slipEntry({ source, slip }: Extract<Happening, { kind: "slip" }>): LogEntry {
  return slip === "all-in-another-case"
    ? { code: slip, source, detail: "integrations names all or ALL: only All stands for every destination" }
    : { code: "ignored-field", source, detail: `${slip.replace("-", " calls have no ")}: they are dropped` };
}

function describeReport({ members, entered, departed, changed }: SyncReport): string {
  return `${String(members)} members, ${String(entered + departed + changed)} changes told`;
}

function line(level: LogLevel, entry: LogEntry): Line {
  return { level, entry };
}

function where({ delivery, destination }: { readonly delivery: string; readonly destination: string }) {
  return { delivery, destination };
}

function detail(text: string | null) {
  return text === null ? {} : { detail: text };
}

function count({ deliveries }: { readonly deliveries: number }) {
  return { detail: String(deliveries) };
}

function seconds(ms: number): string {
  return `${(ms / 1_000).toFixed(1)} s`;
}
