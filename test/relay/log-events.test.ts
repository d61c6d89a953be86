// The log line of each event, and its level. The lines that are left out are in log-limit.test.ts.

import type { AttemptRecord } from "@postrider/core";
import { createManualClock } from "@postrider/memory";
import type { LogEntry, LogLevel } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { LOG_BURST, LOG_WINDOW_MS, MAX_LOGGED_SLIPS } from "../../packages/relay/src/limits.js";
import { logEvents } from "../../packages/relay/src/log-events.js";
import type { EventFacts } from "../../packages/relay/src/relay-event.js";

const OF = { delivery: "d1", destination: "crm" };

function open() {
  const clock = createManualClock();
  const lines: (readonly [LogLevel, LogEntry])[] = [];
  const log = logEvents({ log: (level, entry) => void lines.push([level, entry]) }, clock);
  return {
    clock,
    lines,
    say: (event: object): void => {
      log(event as EventFacts);
    },
  };
}

function attempted(result: object, verdict: AttemptRecord["verdict"] = "retry"): object {
  const attempt = { endpoint: "https://a.example/hook?key=secret", result, verdict };
  return { kind: "attempted", ...OF, attempt };
}

const REPORT = { members: 9, entered: 1, departed: 2, changed: 4 };
const BLOCKED = "the address policy refuses every endpoint: deliveries wait for one retry window";
const ATTEMPT = { ...OF, endpoint: "https://a.example/hook?key=***" };

const LOGGED: readonly (readonly [string, object, LogLevel, LogEntry])[] = [
  [
    "a failed answer",
    attempted({ kind: "answered", status: 503 }),
    "warning",
    { code: "bad-status", ...ATTEMPT, detail: "503" },
  ],
  [
    "an endpoint that is gone",
    attempted({ kind: "answered", status: 410 }),
    "warning",
    { code: "gone", ...ATTEMPT, detail: "gone" },
  ],
  [
    "a fault of an attempt",
    attempted({ kind: "silent", fault: "timeout" }),
    "warning",
    { code: "timeout", ...ATTEMPT, detail: "timeout" },
  ],
  [
    "a dead delivery",
    { kind: "died", ...OF, reason: "expired", detail: "503" },
    "error",
    { code: "dead-expired", ...OF, detail: "503" },
  ],
  [
    "a dead delivery without a detail",
    { kind: "died", ...OF, reason: "expired", detail: null },
    "error",
    { code: "dead-expired", ...OF },
  ],
  ["a stale settlement", { kind: "stale", ...OF }, "warning", { code: "stale", ...OF }],
  ["a round with local faults", { kind: "local-fault", ...OF }, "warning", { code: "local-fault", ...OF }],
  [
    "a schedule that threw",
    { kind: "schedule-fault", ...OF, schedule: "slow", fault: "threw" },
    "warning",
    {
      code: "schedule-fault",
      ...OF,
      detail: "the schedule slow threw: the numbers of the policy decide instead; this is logged once",
    },
  ],
  [
    "a schedule without a number",
    { kind: "schedule-fault", ...OF, schedule: "slow", fault: "no-number" },
    "warning",
    {
      code: "schedule-fault",
      ...OF,
      detail:
        "the schedule slow answered no finite number: the numbers of the policy decide instead; this is logged once",
    },
  ],
  [
    "orphaned deliveries",
    { kind: "orphaned", destination: "crm", deliveries: 3 },
    "warning",
    { code: "orphaned", destination: "crm", count: 3 },
  ],
  [
    "calls of an unknown source in the outbox",
    { kind: "outbox-waits", source: "shop", calls: 3 },
    "warning",
    { code: "outbox-waits", source: "shop", count: 3 },
  ],
  [
    "deliveries brought forward",
    { kind: "pulled-in", destination: "crm", deliveries: 3 },
    "warning",
    { code: "pulled-in", destination: "crm", count: 3 },
  ],
  ["a held lane", { kind: "lane-held", destination: "crm" }, "warning", { code: "lane-held", destination: "crm" }],
  [
    "a blocked lane",
    { kind: "lane-blocked", destination: "crm" },
    "warning",
    { code: "lane-blocked", destination: "crm", detail: BLOCKED },
  ],
  ["an open lane", { kind: "lane-open", destination: "crm" }, "info", { code: "lane-open", destination: "crm" }],
  [
    "ended deliveries",
    { kind: "ended", destination: "crm", reason: "refused", deliveries: 3 },
    "error",
    { code: "dead-refused", destination: "crm", count: 3 },
  ],
  ["shed calls", { kind: "shed", source: "web", calls: 3 }, "warning", { code: "shed", source: "web", count: 3 }],
  [
    "a refused call",
    { kind: "refused", source: "web", refusal: { code: "too-large" } },
    "warning",
    { code: "call-too-large", source: "web" },
  ],
  [
    "a field without effect",
    { kind: "slip", source: "web", slip: "track-traits" },
    "warning",
    { code: "ignored-field", source: "web", detail: "track calls have no traits: they are dropped" },
  ],
  [
    "an integration in another case",
    { kind: "slip", source: "web", slip: "all-in-another-case" },
    "warning",
    {
      code: "all-in-another-case",
      source: "web",
      detail: "integrations names all or ALL: only All stands for every destination",
    },
  ],
  ["a fault of the store", { kind: "store-fault", code: "busy" }, "error", { code: "store-busy" }],
  [
    "a corrupt store",
    { kind: "store-fault", code: "corrupt", why: "page 3" },
    "error",
    { code: "store-corrupt", detail: "page 3" },
  ],
  [
    "a store that has ended",
    { kind: "store-ended", why: "its thread" },
    "error",
    { code: "store-ended", detail: "its thread" },
  ],
  ["a stalled store", { kind: "store-stalled", forMs: 3_000.4 }, "error", { code: "store-stalled", durationMs: 3_000 }],
  [
    "a store that answers again",
    { kind: "store-answers", afterMs: 4_000.6 },
    "info",
    { code: "store-answers", durationMs: 4_001 },
  ],
  [
    "a deletion request",
    { kind: "deletion-requested", deletion: "x", regulation: "delete-only", users: 2 },
    "info",
    { code: "deletion-requested", deletion: "x", detail: "delete-only", count: 2 },
  ],
  ["a purge", { kind: "purged", deletion: "x", deliveries: 5 }, "info", { code: "purged", deletion: "x", count: 5 }],
  [
    "a finished deletion",
    { kind: "deletion-finished", deletion: "x" },
    "info",
    { code: "deletion-finished", deletion: "x" },
  ],
  [
    "a sync",
    { kind: "synced", audience: "vip", report: REPORT },
    "info",
    { code: "synced", audience: "vip", members: 9, changes: 7 },
  ],
  ["a sweep", { kind: "swept", deliveries: 8 }, "info", { code: "swept", count: 8 }],
  ["new settings", { kind: "configured" }, "info", { code: "configured" }],
  [
    "new settings of a store",
    { kind: "configured", revision: 7 },
    "info",
    { code: "configured", detail: "revision 7" },
  ],
  [
    "new settings of a store, with who put them",
    { kind: "configured", revision: 7, actor: "ann" },
    "info",
    { code: "configured", detail: "revision 7 by ann" },
  ],
];

describe("the log", () => {
  it.each(LOGGED)("tells of %s", (_, event, level, entry) => {
    const { lines, say } = open();
    say(event);
    expect(lines).toEqual([[level, entry]]);
  });

  it.each(["accepted", "duplicate", "suppressed", "outdated", "delivered", "rescheduled", "released", "replayed"])(
    "is silent about %s, as each call and round has one",
    (kind) => {
      const { lines, say } = open();
      say({ kind, ...OF });
      expect(lines).toEqual([]);
    },
  );

  it("is silent about an attempt that succeeded", () => {
    const { lines, say } = open();
    say(attempted({ kind: "answered", status: 200 }, "success"));
    expect(lines).toEqual([]);
  });

  it("tells once of a dropped field, for each source and field, and of a failed schedule, for each schedule", () => {
    const { lines, say } = open();
    for (const source of ["web", "shop", "web"]) {
      for (const slip of ["track-traits", "page-traits", "track-traits"]) say({ kind: "slip", source, slip });
    }
    expect(lines).toHaveLength(4);
    for (const schedule of ["slow", "fast", "slow"]) say({ kind: "schedule-fault", ...OF, schedule, fault: "threw" });
    expect(lines).toHaveLength(6);
  });

  it("tells once of a date that cannot be used, for each source, code and place, and of no number", () => {
    const { lines, say } = open();
    const accepted = (source: string, ...warnings: readonly (readonly [string, string])[]): void =>
      say({ kind: "accepted", source, warnings: warnings.map(([code, path]) => ({ code, path })) });
    accepted("web", ["imprecise-number", "properties.id"], ["unread-date", "timestamp"]);
    accepted("web", ["unread-date", "timestamp"], ["unread-date", "sentAt"]);
    accepted("web", ["imprecise-number", "properties.id"]);
    accepted("shop", ["date-ahead", "timestamp"]);
    expect(lines).toEqual([
      [
        "warning",
        {
          code: "unread-date",
          source: "web",
          detail: "timestamp cannot be read as a date, and was left out; this is logged once",
        },
      ],
      [
        "warning",
        {
          code: "date-ahead",
          source: "shop",
          detail: "timestamp is more than a day after sentAt, and became the time of receipt; this is logged once",
        },
      ],
    ]);
  });

  it("tells of an integration in another case each time", () => {
    const { lines, say } = open();
    for (let time = 0; time < 3; time += 1) say({ kind: "slip", source: "web", slip: "all-in-another-case" });
    expect(lines).toHaveLength(3);
  });

  it("remembers a bounded number of dropped fields", () => {
    const { lines, say } = open();
    for (let count = 0; count <= MAX_LOGGED_SLIPS; count += 1) {
      say({ kind: "slip", source: `s${String(count)}`, slip: "track-traits" });
    }
    expect(lines).toHaveLength(MAX_LOGGED_SLIPS);
  });

  it("writes the number of lines left out before the next line, and also at an event that is not logged", async () => {
    const { clock, lines, say } = open();
    const summary = { code: "lane-held", destination: "crm", suppressed: 2 };
    for (const last of [{ kind: "configured" }, { kind: "delivered", ...OF }]) {
      lines.length = 0;
      for (let count = 0; count < LOG_BURST + 2; count += 1) say({ kind: "lane-held", destination: "crm" });
      await clock.advance(LOG_WINDOW_MS);
      say(last);
      expect(lines.slice(LOG_BURST, LOG_BURST + 1)).toEqual([["warning", summary]]);
      expect(lines).toHaveLength(LOG_BURST + (last.kind === "configured" ? 2 : 1));
    }
  });
});
