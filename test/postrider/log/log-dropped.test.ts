import { createManualClock } from "@postrider/memory";
import { describe, expect, it } from "vitest";
import { createDisplacedLog, createDroppedLog } from "../../../packages/postrider/src/log/server-logger.js";
import type { Logged } from "../server.js";

describe("connections that make room", () => {
  it("are a warning, and counted for a while", async () => {
    const log: Logged[] = [];
    const clock = createManualClock();
    const onDisplaced = createDisplacedLog({ log: (level, entry) => void log.push({ level, ...entry }) }, clock, 7);
    const detail = "7 are open; one that has shown no known key was closed for a new one";
    const entry = { level: "warning", code: "connections-displaced", detail };
    for (let turn = 0; turn < 3; turn += 1) onDisplaced();
    await clock.advance(10_000);
    onDisplaced();
    expect(log).toEqual([entry, { ...entry, suppressed: 2 }]);
  });
});

describe("connections that are dropped", () => {
  it("are logged once, then counted for a while", async () => {
    const log: Logged[] = [];
    const clock = createManualClock();
    const onDrop = createDroppedLog({ log: (level, entry) => void log.push({ level, ...entry }) }, clock, 7);
    const entry = { level: "error", code: "too-many-connections", detail: "7 are open, no more are accepted" };
    for (let turn = 0; turn < 4; turn += 1) onDrop();
    expect(log).toEqual([entry]);
    await clock.advance(9_999);
    onDrop();
    await clock.advance(1);
    onDrop();
    expect(log).toEqual([entry, { ...entry, suppressed: 4 }]);
    await clock.advance(10_000);
    onDrop();
    expect(log[2]).toEqual(entry);
  });
});
