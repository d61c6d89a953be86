import type { Reply } from "@postrider/core";
import { describe, expect, it } from "vitest";
import { createRig, slowClaims, track, WEBSITE } from "./rig.js";

describe("a call that comes in", () => {
  it("while a claim is out goes out right after it, not at the next poll", async () => {
    const rig = createRig({ wrapStore: slowClaims });
    await rig.advance(500);
    await rig.accept(track({ messageId: "m1" }));
    await rig.advance(10);
    await rig.accept(track({ messageId: "m2" }));
    await rig.advance(150);
    expect(rig.seen).toHaveLength(2);
  });

  it("at any moment of another call's delivery goes out at once", async () => {
    for (let turns = 0; turns < 150; turns += 1) {
      let sentCount = 0;
      const send = (): Promise<Reply> => {
        sentCount += 1;
        return Promise.resolve({ kind: "answered", status: 200, afterMs: 0, excerpt: new Uint8Array() });
      };
      const rig = createRig({ relay: { http: { send } } });
      await rig.advance(500);
      const first = rig.relay().accept({ source: WEBSITE, calls: [track({ messageId: "m1" })] });
      for (let turn = 0; turn < turns; turn += 1) await Promise.resolve();
      const second = rig.relay().accept({ source: WEBSITE, calls: [track({ messageId: "m2" })] });
      await rig.advance(100);
      expect([(await first).isOk(), (await second).isOk()]).toEqual([true, true]);
      expect(sentCount, `${String(turns)} turns later`).toBe(2);
    }
  });
});

describe("a retry", () => {
  it("goes out at the moment when it is due", async () => {
    const delivery = { firstRetryMs: 20, maxRetryMs: 400, retryWindowMs: 60_000 };
    const rig = createRig({ receivers: { a: { status: 503 } }, delivery });
    await rig.accept(track());
    await rig.advance(60_000);
    const dues = rig.events.flatMap((one) => (one.kind === "rescheduled" ? [one.dueAt] : []));
    const starts = rig.seen.slice(1).map((one) => one.at);
    expect(starts).toEqual(dues.slice(0, starts.length));
    expect(starts.length).toBeGreaterThan(8);
  });
});
