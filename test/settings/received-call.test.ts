// A received call is checked as a whole: its size, its shape, and the fields that its kind requires.

import { readReceivedCall } from "@postrider/relay/settings";
import { describe, expect, it } from "vitest";

const CALL = { type: "track", userId: "u1", event: "Signed Up", properties: { plan: "pro" } };

describe("a received call", () => {
  it("is read, with what its check has cost", () => {
    const read = readReceivedCall(CALL);
    expect(read).toMatchObject({ kind: "ok", call: CALL, context: undefined, imprecise: undefined, unread: undefined });
    expect(read.cost).toBeGreaterThan(0);
  });

  it("names the dates that cannot be read", () => {
    expect(readReceivedCall({ ...CALL, timestamp: "soon" })).toMatchObject({ kind: "ok", unread: ["timestamp"] });
  });

  it.each([
    ["is too large", { ...CALL, properties: { text: "x".repeat(100_000) } }, "too-large"],
    ["has a field of another type", { ...CALL, userId: {} }, "id-not-string"],
    ["lacks what its kind requires", { type: "track", userId: "u1" }, "no-event"],
  ])("is refused if it %s, and that has a cost, too", (_, call, code) => {
    const read = readReceivedCall(call);
    expect(read).toMatchObject({ kind: "refused", refusal: { code } });
    expect(read.cost).toBeGreaterThan(0);
  });
});
