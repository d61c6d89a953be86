import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import type { ServerLogEntry, ServerLogLevel } from "../../../packages/postrider/src/log/server-logger.js";
import { createTextLines, plainLine, type TextLine } from "../../../packages/postrider/src/log/log-lines.js";

function lineOf(entry: ServerLogEntry, level: ServerLogLevel = "warning"): TextLine {
  const lines: TextLine[] = [];
  createTextLines(createManualClock(), (line) => lines.push(line)).log(level, entry);
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

function textOf(entry: ServerLogEntry, level?: ServerLogLevel): string {
  return plainLine(lineOf(entry, level));
}

describe("a log line for a person", () => {
  it("has time, level, code and detail in columns, and the other fields behind them", () => {
    const where = { delivery: "d1", destination: "crm" };
    expect([
      textOf({ code: "bad-status", ...where, endpoint: "https://a.example/", detail: "503" }),
      textOf({ code: "synced", audience: "vip", members: 300_000, changes: 38_000 }, "info"),
    ]).toEqual([
      "2026-01-01T00:00:00.000Z warning bad-status           503 delivery=d1 destination=crm endpoint=https://a.example/",
      "2026-01-01T00:00:00.000Z info    synced               audience=vip members=300000 changes=38000",
    ]);
  });

  it("ends behind the code if there is nothing else to tell", () => {
    expect(textOf({ code: "configured" }, "info")).toBe("2026-01-01T00:00:00.000Z info    configured");
  });

  it("keeps a distance behind a long code", () => {
    expect(textOf({ code: "dead-destination-removed", count: 3 }, "error")).toMatch(
      / dead-destination-removed count=3$/,
    );
  });

  it("puts quotation marks around what could be taken for another field", () => {
    expect(textOf({ code: "purged", destination: 'a b=c"', source: "" })).toMatch(/ destination="a b=c\\"" source=""$/);
  });

  it("stays one line, whatever characters a text has", () => {
    expect(textOf({ code: "crash", detail: "a\nb\tc", audience: "d\ne" })).toMatch(/ a\\nb\\tc audience="d\\ne"$/);
  });

  it.each([
    ["error", "bad"],
    ["warning", "caution"],
    ["info", "strong"],
    ["debug", "quiet"],
  ] as const)("has a style for level %s", (level, style) => {
    expect(lineOf({ code: "configured" }, level)).toContainEqual({ text: level.padEnd(7), style });
  });
});
