// Writes to the host's logger what an operator must know: a failed attempt is a warning, a dead delivery an error.
// `log-limit.ts` limits the lines of one kind; a dropped field or date is logged once for each source.

import type { CallWarning, Clock, SyncReport } from "@postrider/core";
import { describeResult, maskEndpoint } from "@postrider/core/engine";
import type { AdoptedRevision, EventFacts } from "./relay-event.js";
import { MAX_LOGGED_SLIPS } from "./limits.js";
import { createLogLimit, type LogLine, type LogEntry, type Logger, type LogLevel } from "./log-limit.js";

const BLOCKED = "the address policy refuses every endpoint: deliveries wait for one retry window";

/** Returns an observer that writes relay events to the host's log. */
export function logEvents(logger: Logger, clock: Clock): (event: EventFacts) => void {
  const limit = createLogLimit(clock);
  const isNew = createSlipMemory();
  return (event): void => {
    const line = isNew(event) ? lineOf(event) : undefined;
    const isAdmitted = line !== undefined && limit.admits(line);
    for (const sum of limit.sums()) logger.log(sum.level, sum.entry);
    if (isAdmitted) logger.log(line.level, line.entry);
  };
}

/**
 * Returns a function that answers whether an event may be logged. It answers false for a dropped field or an unusable date that
 * the same source has sent before, since one line is enough to repair a program, and for a schedule that has failed before. Also
 * for any further one once `MAX_LOGGED_SLIPS` have been logged.
 */
function createSlipMemory(): (event: EventFacts) => boolean {
  const logged = new Set<string>();
  return (event) => {
    const subject = onceOnly(event);
    if (subject === undefined) return true;
    if (logged.has(subject) || logged.size >= MAX_LOGGED_SLIPS) return false;
    logged.add(subject);
    return true;
  };
}

/** The subject of an event that is logged only once; undefined if it is logged each time. */
function onceOnly(event: EventFacts): string | undefined {
  if (event.kind === "schedule-fault") return JSON.stringify([event.kind, event.schedule]);
  if (event.kind === "accepted") {
    const entry = warnedEntry(event);
    return entry === undefined ? undefined : JSON.stringify(entry);
  }
  return event.kind === "slip" && event.slip !== "all-in-another-case"
    ? JSON.stringify([event.source, event.slip])
    : undefined;
}

function lineOf(event: EventFacts): LogLine | undefined {
  switch (event.kind) {
    case "attempted":
      return attemptLine(event);
    case "died":
      return line("error", { code: `dead-${event.reason}`, ...deliveryFields(event), ...detailField(event.detail) });
    case "stale":
    case "local-fault":
      return line("warning", { code: event.kind, ...deliveryFields(event) });
    case "schedule-fault":
      return line("warning", { code: event.kind, ...deliveryFields(event), detail: scheduleDetail(event) });
    case "outbox-waits":
      return line("warning", { code: event.kind, source: event.source, count: event.calls });
    case "orphaned":
    case "pulled-in":
      return line("warning", { code: event.kind, destination: event.destination, ...countField(event) });
    case "lane-held":
      return line("warning", { code: event.kind, destination: event.destination });
    case "lane-blocked":
      return line("warning", { code: event.kind, destination: event.destination, detail: BLOCKED });
    case "lane-open":
    case "lane-paused":
    case "lane-resumed":
      return line("info", { code: event.kind, destination: event.destination });
    case "ended":
      return line("error", {
        code: `dead-${event.reason}`,
        destination: event.destination,
        ...countField(event),
      });
    case "shed":
      return line("warning", { code: "shed", source: event.source, count: event.calls });
    case "refused":
      return line("warning", { code: `call-${event.refusal.code}`, source: event.source });
    case "slip":
      return line("warning", slipEntry(event));
    case "store-fault":
      return line("error", { code: `store-${event.code}`, ...detailField(event.why ?? null) });
    case "store-ended":
      return line("error", { code: event.kind, detail: event.why });
    case "store-stalled":
      return line("error", { code: event.kind, durationMs: Math.round(event.forMs) });
    case "store-answers":
      return line("info", { code: event.kind, durationMs: Math.round(event.afterMs) });
    case "deletion-requested":
      return line("info", {
        code: event.kind,
        deletion: event.deletion,
        detail: event.regulation,
        count: event.users,
      });
    case "purged":
      return line("info", { code: "purged", deletion: event.deletion, ...countField(event) });
    case "deletion-finished":
      return line("info", { code: event.kind, deletion: event.deletion });
    case "synced":
      return line("info", { code: "synced", audience: event.audience, ...syncFields(event.report) });
    case "replay-job-done":
      return line("info", {
        code: event.kind,
        job: event.job,
        count: event.replayed,
        detail: `${String(event.skipped)} skipped`,
      });
    case "swept":
      return line("info", { code: "swept", ...countField(event) });
    case "notification-sent":
      return line("info", { code: event.kind, detail: hookDetail(event) });
    case "notification-failed":
      return line("warning", { code: event.kind, detail: `${hookDetail(event)}: ${event.detail}` });
    case "configured":
      return line("info", { code: "configured", ...detailField(adoptedDetail(event)) });
    case "accepted": {
      const dateEntry = warnedEntry(event);
      return dateEntry === undefined ? undefined : line("warning", dateEntry);
    }
    case "duplicate":
    case "suppressed":
    case "outdated":
    case "delivered":
    case "rescheduled":
    case "released":
    case "replayed":
      return undefined;
  }
}

function attemptLine(event: Extract<EventFacts, { kind: "attempted" }>): LogLine | undefined {
  const { attempt } = event;
  if (attempt.verdict === "success") return undefined;
  const described = describeResult(attempt.result);
  const isStatus = attempt.result.kind === "answered" && described !== "gone";
  const entry = { ...deliveryFields(event), endpoint: maskEndpoint(attempt.endpoint), detail: described };
  return line("warning", { code: isStatus ? "bad-status" : described, ...entry });
}

function scheduleDetail({ schedule, fault }: Extract<EventFacts, { kind: "schedule-fault" }>): string {
  const cause = fault === "threw" ? "threw" : "answered no finite number";
  return `the schedule ${schedule} ${cause}: the numbers of the policy decide instead; this is logged once`;
}

function adoptedDetail({ revision, actor }: Partial<AdoptedRevision>): string | null {
  if (revision === undefined) return null;
  return `revision ${String(revision)}${actor === undefined ? "" : ` by ${actor}`}`;
}

function hookDetail({ hook, notification }: { readonly hook: number; readonly notification: string }): string {
  return `notify[${String(hook)}] ${notification}`;
}

/** The first date that could not be used. Numbers are in too many places to be logged. */
function warnedEntry({ source, warnings }: Extract<EventFacts, { kind: "accepted" }>): LogEntry | undefined {
  const date = warnings?.find(({ code }) => code in DATES);
  return date && { code: date.code, source, detail: `${date.path} ${String(DATES[date.code])}; this is logged once` };
}

const DATES: Partial<Record<CallWarning["code"], string>> = {
  "unread-date": "cannot be read as a date, and was left out",
  "date-ahead": "is more than a day after sentAt, and became the time of receipt",
};

function slipEntry({ source, slip }: Extract<EventFacts, { kind: "slip" }>): LogEntry {
  return slip === "all-in-another-case"
    ? { code: slip, source, detail: "integrations names all or ALL: only All stands for every destination" }
    : { code: "ignored-field", source, detail: `${slip.replace("-", " calls have no ")}: they are dropped` };
}

function syncFields({ members, entered, departed, changed }: SyncReport) {
  return { members, changes: entered + departed + changed };
}

function line(level: LogLevel, entry: LogEntry): LogLine {
  return { level, entry };
}

function deliveryFields({ delivery, destination }: { readonly delivery: string; readonly destination: string }) {
  return { delivery, destination };
}

function detailField(text: string | null) {
  return text === null ? {} : { detail: text };
}

function countField({ deliveries }: { readonly deliveries: number }) {
  return { count: deliveries };
}
