import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createJsonLogger } from "../../../packages/postrider/src/log/log-lines.js";

function logged(entry: Parameters<ReturnType<typeof createJsonLogger>["log"]>[1]): string {
  const lines: string[] = [];
  const clock = createManualClock();
  createJsonLogger({ ...clock, wall: () => 1_767_225_600_000 as never }, (line) => lines.push(line)).log(
    "warning",
    entry,
  );
  expect(lines).toHaveLength(1);
  return lines[0]!;
}

describe("a log line", () => {
  it("has the same keys in the same order, null if a key does not apply", () => {
    expect(logged({ code: "configured" })).toBe(
      '{"time":"2026-01-01T00:00:00.000Z","level":"warning","code":"configured","delivery":null,"destination":null,"endpoint":null,"detail":null}',
    );
  });

  it("has the fields of its entry", () => {
    const entry = {
      code: "timeout",
      delivery: "7",
      destination: "crm",
      endpoint: "https://a.example/",
      detail: "timeout",
    };
    expect(JSON.parse(logged(entry))).toMatchObject(entry);
  });

  it("names the request that it is about, only if there is one", () => {
    expect(JSON.parse(logged({ code: "purged", deletion: "d1", count: 7 }))).toMatchObject({
      code: "purged",
      deletion: "d1",
      count: 7,
    });
    expect(JSON.parse(logged({ code: "timeout" }))).not.toHaveProperty("deletion");
  });

  it("has the number of entries that were left out before it, only if there were some", () => {
    expect(JSON.parse(logged({ code: "timeout", suppressed: 12 }))).toHaveProperty("suppressed", 12);
    expect(JSON.parse(logged({ code: "timeout" }))).not.toHaveProperty("suppressed");
  });

  it("has numbers as numbers, only if they apply", () => {
    expect(
      JSON.parse(logged({ code: "synced", audience: "vip", members: 3, changes: 2, durationMs: 40 })),
    ).toMatchObject({
      members: 3,
      changes: 2,
      durationMs: 40,
    });
    expect(JSON.parse(logged({ code: "synced", audience: "vip" }))).not.toHaveProperty("members");
  });

  it("stays one line, whatever characters a text has", () => {
    expect(logged({ code: "x", detail: "a\nb\u2028c\u0000" })).not.toContain("\n");
  });
});
