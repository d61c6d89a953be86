import type { ClientLogEntry } from "@postrider/client";
import { describe, expect, it } from "vitest";
import { answer, createRig } from "./rig.js";

describe("the log of a client", () => {
  it("tells of each batch with its level: sent, taken without the rejected calls, tried again, and failed", async () => {
    const told: (readonly [string, ClientLogEntry])[] = [];
    const reactions = [
      answer(503),
      answer(200, { rejected: [{ index: 0, code: "no-event", path: "event" }] }),
      answer(401),
    ];
    const { client, track, clock } = createRig((_, index) => reactions[index]!, {
      logger: { log: (level, entry) => told.push([level, entry]) },
    });
    track(2);
    const first = client.flush();
    await clock.advance(3_600_000);
    await first;
    track(1);
    const second = client.flush();
    await clock.advance(3_600_000);
    await second;
    const bytes = expect.any(Number) as number;
    expect(told.map(([level, { code, calls }]) => [level, code, calls])).toEqual([
      ["debug", "batch-sent", 2],
      ["warning", "batch-again", undefined],
      ["debug", "batch-sent", 2],
      ["debug", "batch-taken", 1],
      ["debug", "batch-sent", 1],
      ["error", "batch-failed", 1],
    ]);
    expect(told[0]?.[1]).toEqual({ code: "batch-sent", calls: 2, bytes, tries: 1 });
  });
});
