import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createStderrLogger } from "../../../packages/postrider/src/embed/create-postrider.js";

/** What is written of one entry of each level. */
function writtenTo({ isTTY }: { readonly isTTY: boolean }): string {
  let written = "";
  const logger = createStderrLogger(createManualClock(), { isTTY, write: (text) => (written += text) });
  logger.log("info", { code: "configured" });
  logger.log("warning", { code: "lane-held", destination: "crm", detail: "a\u001bb" });
  logger.log("error", { code: "swept", count: 3 });
  return written;
}

describe("the log of a host that has no logger", () => {
  it("has warnings and errors as text on a terminal, which no text in them can control", () => {
    expect(writtenTo({ isTTY: true })).toBe(
      "2026-01-01T00:00:00.000Z warning lane-held            a\\u001bb destination=crm\n" +
        "2026-01-01T00:00:00.000Z error   swept                count=3\n",
    );
  });

  it("has them as a JSON object per line otherwise", () => {
    const lines = writtenTo({ isTTY: false }).trimEnd().split("\n");
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([
      { level: "warning", code: "lane-held", destination: "crm", detail: "a\u001bb" },
      { level: "error", code: "swept", count: 3 },
    ]);
  });
});
