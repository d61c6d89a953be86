// Tells the host's logger what an operator must know: a failed attempt is a warning, a dead delivery an error. Of each
// code only so many within a while; the rest is counted, and the count rides on the next entry of that code.

import { type Clock, describeResult, maskEndpoint, type MonoMs, type SyncReport } from "@postrider/core";
import type { Happening } from "./happening.js";
import { LOG_BURST, LOG_WINDOW_MS } from "./limits.js";
import type { LogEntry, Logger, LogLevel } from "./logger.js";

/** An observer that logs. */
export function logHappenings(logger: Logger, clock: Clock): (happening: Happening) => void {
  const limit = createLimit(clock);
  return (happening): void => {
    const line = lineOf(happening);
    if (line === undefined) return;
    const admitted = limit(line.entry.code);
    if (admitted === undefined) return;
    logger.log(line.level, admitted.suppressed === 0 ? line.entry : { ...line.entry, suppressed: admitted.suppressed });
  };
}

interface Line {
  readonly level: LogLevel;
  readonly entry: LogEntry;
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
      return line("warning", { code: "shed", detail: String(happening.calls) });
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
    case "refused":
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

interface Window {
  readonly beganAt: MonoMs;
  readonly admitted: number;
  readonly suppressed: number;
}

/** Answers undefined for an entry too many, else how many were left out before it. */
function createLimit(clock: Clock): (code: string) => { readonly suppressed: number } | undefined {
  const windows = new Map<string, Window>();
  return (code) => {
    const now = clock.monotonic();
    const known = windows.get(code);
    if (known === undefined || now - known.beganAt >= LOG_WINDOW_MS) {
      windows.set(code, { beganAt: now, admitted: 1, suppressed: 0 });
      return { suppressed: known?.suppressed ?? 0 };
    }
    const isAdmitted = known.admitted < LOG_BURST;
    windows.set(code, {
      ...known,
      admitted: known.admitted + (isAdmitted ? 1 : 0),
      suppressed: known.suppressed + (isAdmitted ? 0 : 1),
    });
    return isAdmitted ? { suppressed: 0 } : undefined;
  };
}
