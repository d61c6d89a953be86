import { createManualClock } from "@postrider/memory";
import { deliveryId, destinationId, epochMs, sourceId } from "@postrider/core";
import type { RelayEvent } from "@postrider/relay";
import { describe, expect, it } from "vitest";
import { debugEntry } from "../../../packages/postrider/src/cli/serve/server-log.js";

const dueAt = epochMs(createManualClock().wall());
const call = { source: sourceId("website"), messageId: "m1", at: dueAt };
const where = { delivery: deliveryId("d1"), destination: destinationId("crm") };
const known = { ...where, ...call, type: "track", acceptedAt: dueAt, rounds: 0 } as const;

describe("a step that the log tells at level debug", () => {
  it.each<[RelayEvent, object]>([
    [
      { kind: "accepted", ...call, deliveries: [where.delivery], filtered: [] },
      { code: "accepted", source: "website", count: 1 },
    ],
    [
      { kind: "duplicate", ...call },
      { code: "duplicate", source: "website" },
    ],
    [
      { kind: "suppressed", ...call },
      { code: "suppressed", source: "website" },
    ],
    [
      { kind: "delivered", ...known, detail: "200" },
      { code: "delivered", ...where, detail: "200" },
    ],
    [
      { kind: "rescheduled", ...known, detail: "503", dueAt },
      { code: "rescheduled", ...where, detail: "503, due 2026-01-01T00:00:00.000Z" },
    ],
    [
      { kind: "replayed", ...known, of: where.delivery },
      { code: "replayed", ...where, detail: `of ${where.delivery}` },
    ],
    [
      { kind: "released", ...known, dueAt },
      { code: "released", ...where, detail: "due 2026-01-01T00:00:00.000Z" },
    ],
  ])("is told with its ids, without the message id of the caller: %j", (event, entry) => {
    expect(debugEntry(event)).toEqual(entry);
  });

  it("is not told twice", () => {
    expect(debugEntry({ kind: "configured", at: dueAt })).toBeUndefined();
    expect(debugEntry({ kind: "committed", calls: 1, settlements: 0, ms: 2, at: dueAt })).toBeUndefined();
    expect(debugEntry({ kind: "died", ...known, reason: "expired", detail: null })).toBeUndefined();
  });
});
